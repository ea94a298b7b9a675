import type { FactBase } from '../facts/fact-base.ts';
import type { Cause } from '../model/cause.ts';
import { entityOf } from '../model/entity.ts';
import type { Examined } from '../model/finding.ts';
import type { Confidence, History, Incident, RuledOut, Undecided } from '../model/report.ts';
import type { Translate } from '../model/wording.ts';
import { correlate } from './correlate.ts';
import { examine } from './examine.ts';
import { type Draft, draftIncident } from './incident.ts';
import { placeName, podName } from './names.ts';
import { PHRASES } from './phrases.ts';
import { inEnglish, type Say, sayIn } from './say.ts';
import { createScope } from './scope.ts';
import { answerLoneError, answerUnexplained } from './unlisted.ts';
import { wake } from './wake.ts';
import { wordFinding, wordRuledOut } from './word.ts';

export interface Reasoned {
  readonly incidents: readonly Incident[];
  readonly undecided: readonly Undecided[];
  readonly ruledOut: readonly RuledOut[];
  readonly history: readonly History[];
  readonly failures: readonly { readonly cause: string; readonly message: string }[];
  /** For tests and `--verbose`: every verdict. */
  readonly examined: readonly Examined[];
}

/** Wake, examine, weigh, correlate, ask: pure functions over the facts. */
export interface ReasonOptions {
  readonly focus?: string | undefined;
  /** English unless given. */
  readonly translate?: Translate | undefined;
}

export function reason(causes: readonly Cause[], base: FactBase, { focus, translate }: ReasonOptions = {}): Reasoned {
  const say = translate ? sayIn(translate) : inEnglish;
  const scope = createScope(base);
  const examined = wake(causes, base).map((woken) => examine(woken, base, scope));
  const symptoms = [...base.all('pod.symptom'), ...base.all('node.symptom'), ...base.all('object.symptom')];
  const { groups, unexplained, over } = correlate(examined, symptoms, base);
  const ruledOut = examined.filter(({ verdict }) => verdict.kind === 'ruled-out');
  const open = examined.filter(({ verdict }) => verdict.kind === 'undecided');
  const drafts = groups.map((group) => draftIncident(group, ruledOut, base, scope, say));
  const rest = answerUnexplained(unexplained, open, base, scope, say);
  const lone = drafts.length === 0 && symptoms.length === 0 ? answerLoneError(base, scope, say) : undefined;
  const all = [...drafts, ...rest.drafts, ...(lone ? [lone] : [])];
  return {
    incidents: rank(all, focus).map((draft, index) => ({ number: index + 1, ...draft })),
    undecided: rest.undecided,
    ruledOut: ruledOut.map((one) => ({
      cause: one.cause.id,
      name: say(one.cause.text.name),
      place: placeName(one.place, say),
      because: wordRuledOut(one, say),
    })),
    history: [...over.map((finding) => overSaid(finding, say)), ...historyOf(base, say)],
    failures: examined.flatMap(({ cause, verdict }) => (verdict.kind === 'failed' ? [{ cause: cause.id, message: verdict.message }] : [])),
    examined,
  };
}

const SURE: Readonly<Record<Confidence, number>> = { certain: 2, probable: 1, possible: 0 };

/** How sure, then how wide; what the user asked about comes first. */
function rank(drafts: readonly Draft[], focus: string | undefined): Draft[] {
  const wanted = focus?.replace(/^(pods?|nodes?|deploy(?:ment)?s?|ds|sts)\//, '');
  const inFocus = (draft: Draft) =>
    wanted !== undefined && (draft.place.includes(wanted) || draft.victims.some(({ name }) => name.includes(wanted))) ? 1 : 0;
  const listed = (draft: Draft) => (draft.area === 'unknown' ? 0 : 1);
  const hit = (draft: Draft) => (draft.victims.some(({ symptoms }) => symptoms.length > 0) ? 1 : 0);
  return [...drafts].sort(
    (a, b) =>
      inFocus(b) - inFocus(a) ||
      SURE[b.confidence] - SURE[a.confidence] ||
      listed(b) - listed(a) ||
      hit(b) - hit(a) ||
      b.victimCount - a.victimCount ||
      b.because.length - a.because.length,
  );
}

function overSaid(finding: Examined, say: Say): History {
  const { title, because } = wordFinding(finding, say);
  return {
    about: placeName(finding.place, say),
    says: say(PHRASES.over, { title }),
    cited: because.flatMap(({ cited }) => cited).slice(0, 1),
  };
}

function historyOf(base: FactBase, say: Say): History[] {
  const troubled = new Set(base.all('pod.symptom').map(({ about }) => about));
  return base
    .all('pod.history')
    .filter(({ about }) => !troubled.has(about))
    .sort((a, b) => b.restarts - a.restarts)
    .slice(0, 5)
    .map(({ about, restarts, cited }) => ({
      about: entityOf(about).kind === 'Pod' ? podName(about) : about,
      says: say(restarts === 1 ? PHRASES.restartedOnce : PHRASES.restartedBefore, { pod: podName(about), times: restarts }),
      cited: cited.slice(0, 1),
    }));
}
