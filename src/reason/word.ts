import type { Cause, Fix, SlotValue } from '../model/cause.ts';
import type { Citation } from '../model/citation.ts';
import type { EntityId } from '../model/entity.ts';
import type { Fact } from '../model/facts.ts';
import type { Examined, Reading } from '../model/finding.ts';
import { fixesFor } from '../model/fixes-for.ts';
import type { NotThis, Reason, ReportFix } from '../model/report.ts';
import { fillChanges, fillCommand } from './fill.ts';
import { speakable } from './names.ts';
import { PHRASES } from './phrases.ts';
import type { Say } from './say.ts';

const CITATIONS_SHOWN = 6;

/** A finding in words: its texts with the slots filled from the facts that were seen. */
export interface Worded {
  readonly title: string;
  readonly why: string;
  readonly because: readonly Reason[];
  readonly not: readonly NotThis[];
  readonly fixes: readonly ReportFix[];
}

export function wordFinding({ cause, place, verdict }: Examined, say: Say): Worded {
  const slots = slotsOf(cause, place, verdict.readings);
  const title = sentence(cause.text.title, slots, say);
  return {
    title: isFilled(cause.text.title, slots) ? title : say(cause.text.name),
    why: sentence(cause.text.why, slots, say),
    because: verdict.readings
      .filter(({ state, clue }) => state === 'seen' && clue.role !== 'excludes')
      .map((reading) => wordReason(cause, reading, slots, say)),
    not: verdict.readings
      .filter(({ state, clue }) => state === 'absent' && clue.role === 'excludes')
      .map((reading) => wordNot(cause, reading, slots, say)),
    fixes: fixesFor(cause.fixes, seenIn(verdict.readings)).map((fix) => wordFix(fix, slots, say)),
  };
}

function seenIn(readings: readonly Reading[]): ReadonlySet<string> {
  return new Set(readings.filter(({ state, clue }) => state === 'seen' && clue.role !== 'excludes').map(({ name }) => name));
}

function wordFix(fix: Fix, slots: Readonly<Record<string, SlotValue>>, say: Say): ReportFix {
  const changes = fillChanges(fix.changes, slots, (english) => say(english));
  return {
    title: say(fix.say, slots),
    risk: fix.risk,
    ...(fix.verified ? { verified: say(fix.verified, slots) } : {}),
    steps: fix.steps.map(({ say: says, run, on, family }) => ({
      say: say(says, slots),
      ...(run ? { command: fillCommand(run, slots) } : {}),
      ...(on ? { on } : {}),
      ...(family ? { family } : {}),
    })),
    ...(changes ? { changes } : {}),
  };
}

/** What the evidence brings may hold braces itself, so the template is asked and not the result. */
function isFilled(template: string, slots: Readonly<Record<string, SlotValue>>): boolean {
  return [...template.matchAll(/\{(?<name>\w+)\}/g)].every(({ groups }) => slots[groups?.['name'] ?? ''] !== undefined);
}

/** Our own first word gets a capital; a name from the evidence that stands first stays as it is. */
function sentence(template: string, slots: Readonly<Record<string, SlotValue>>, say: Say): string {
  const text = say(template, slots);
  // Capitals are a matter of English; a translation begins as it was written.
  if (say(template) !== template) return text;
  const named = template.startsWith('{') && !/^(?:the|this) /.test(text);
  return named ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** What speaks against a cause that was ruled out. */
export function wordRuledOut({ cause, place, verdict }: Examined, say: Say): NotThis {
  const slots = slotsOf(cause, place, verdict.readings);
  const by = verdict.kind === 'ruled-out' ? verdict.by : undefined;
  if (!by) return { says: say(PHRASES.lookedEverywhere), cited: [], looked: placesLooked(verdict.readings) };
  const says = say(cause.says[by.name] ?? by.name, slots);
  return by.state === 'seen'
    ? { says, cited: citations(by.facts), looked: [] }
    : { says: say(PHRASES.notSeen, { what: says }), cited: [], looked: by.looked };
}

function slotsOf(cause: Cause, place: EntityId, readings: readonly Reading[]): Readonly<Record<string, SlotValue>> {
  const seen: Record<string, Fact | undefined> = {};
  for (const { name, facts } of readings) seen[name] = facts[0];
  try {
    return cause.slots(speakable(place), seen);
  } catch {
    // A text written for facts that were not seen falls back to the cause's plain name.
    return {};
  }
}

function wordReason(cause: Cause, { name, clue, facts }: Reading, slots: Readonly<Record<string, SlotValue>>, say: Say): Reason {
  return {
    clue: name,
    role: clue.role as Reason['role'],
    says: say(cause.says[name] ?? name, slots),
    ...(facts.every(({ hearsay }) => hearsay) ? { hearsay: true } : {}),
    cited: citations(facts),
    count: facts.length,
  };
}

function wordNot(cause: Cause, { name, looked }: Reading, slots: Readonly<Record<string, SlotValue>>, say: Say): NotThis {
  return { says: say(cause.says[name] ?? name, slots), cited: [], looked };
}

export function citations(facts: readonly Fact[], limit = CITATIONS_SHOWN): Citation[] {
  const kept = new Map<string, Citation>();
  for (const { cited } of facts) {
    for (const citation of cited) {
      const key = `${citation.doc}|${JSON.stringify(citation.at)}`;
      if (!kept.has(key)) kept.set(key, citation);
      if (kept.size >= limit) return [...kept.values()];
    }
  }
  return [...kept.values()];
}

function placesLooked(readings: readonly Reading[]): string[] {
  return [...new Set(readings.flatMap(({ looked }) => looked))].slice(0, 4);
}
