import type { Symptom } from '../model/facts.ts';
import type { Incident, Report, ReportFix, ReportStep, Rival, Undecided, Victim } from '../model/report.ts';
import { joinList, tookSeconds } from '../text/format.ts';
import type { Text } from '../text/messages.ts';
import { nodeNameOf, placeName } from '../text/place.ts';

export const NOT_IN_CATALOGUE = 'not-in-catalogue';
export const ANYWHERE = 'anywhere';

export type Hit = Pick<Incident, 'victims' | 'victimCount'>;

export function hitOf(undecided: Undecided): Hit {
  return { victims: undecided.victims, victimCount: undecided.victims.length };
}

/** What is certain too is no alternative to the answer: it is told as one more thing that is true. */
export function rivalsBySort(rivals: readonly Rival[]): { readonly also: readonly Rival[]; readonly instead: readonly Rival[] } {
  return {
    also: rivals.filter(({ confidence }) => confidence === 'certain'),
    instead: rivals.filter(({ confidence }) => confidence !== 'certain'),
  };
}

/** What a report is about, part by part: `1 cause`, `3 pods`, `node worker-2`. */
export function summaryParts(report: Report, say: Text): string[] {
  const hits: Hit[] = [...report.incidents, ...report.undecided.map(hitOf)];
  const parts: string[] = [];
  if (report.incidents.length > 0) parts.push(say('summary.causes', { count: report.incidents.length }));
  else if (report.undecided.length > 0) parts.push(say('summary.notKnown'));
  const total = hits.reduce((sum, hit) => sum + hit.victimCount, 0);
  if (total > 0) parts.push(victimTotal(hits, total, say));
  const nodes = nodesOf(report);
  if (nodes !== undefined)
    parts.push(nodes.length === 1 ? say('place.node', { name: nodes.join() }) : say('summary.nodes', { count: nodes.length }));
  if (report.incidents.length > 0 && report.undecided.length > 0) parts.push(say('summary.unknown', { count: report.undecided.length }));
  return parts;
}

function victimTotal(hits: readonly Hit[], total: number, say: Text): string {
  const victims = hits.flatMap((hit) => hit.victims);
  if (victims.every((victim) => victim.id.startsWith('Pod/'))) return say('summary.pods', { count: total });
  if (victims.every((victim) => victim.id.startsWith('Node/'))) return say('summary.nodes', { count: total });
  return say('summary.affected', { count: total });
}

/** Every node that is hit, or undefined where it is not known of all. */
function nodesOf(report: Report): string[] | undefined {
  const nodes = new Set<string>();
  for (const hit of [...report.incidents, ...report.undecided]) {
    const place = 'placeId' in hit ? nodeNameOf(hit.placeId) : undefined;
    const found = place === undefined ? hit.victims.map((victim) => victim.node) : [place];
    for (const node of found) {
      if (node === undefined) return undefined;
      nodes.add(node);
    }
  }
  return nodes.size === 0 ? undefined : [...nodes];
}

/** What is said where there is neither an incident nor an open question. */
export function emptyVerdict(report: Report, say: Text): string {
  const { pods, nodes, documents } = report.coverage;
  if (documents === 0) return say('summary.nothingGiven');
  if (report.verdict !== 'healthy') return say('summary.nothingRecognised');
  const things = [
    ...(pods > 0 ? [say('summary.pods', { count: pods })] : []),
    ...(nodes > 0 ? [say('summary.nodes', { count: nodes })] : []),
  ];
  return things.length === 0 ? say('healthy.nothingFound') : say('healthy.lookedAt', { things: joinList(things, say) });
}

/** How much was read and how long it took, longest form first, each shorter than the one before. */
export function effortForms(report: Report, say: Text): string[] {
  const { source } = report;
  if (source) {
    const where = source.context ?? source.server;
    const took = tookSeconds(report.timings.milliseconds, say);
    const requests = say('summary.requests', { count: source.requests });
    return [[where, requests, took], [where, took], [took]].map((parts) => parts.join(', '));
  }
  const files = say('summary.files', { count: report.coverage.documents });
  const lines = say('summary.lines', { count: report.coverage.lines });
  const took = tookSeconds(report.timings.milliseconds, say);
  return [[files, lines, took], [files, lines], [files]].map((parts) => parts.join(', '));
}

/** A single victim is named where its effect is told. */
export function isNamedInEffects(hit: Hit): boolean {
  return hit.victimCount === 1 && hit.victims.length === 1 && hit.victims[0]?.symptoms.length !== 0;
}

/** What it does to whom: `2 pods keep restarting and 1 pod is not ready`. */
export function effects(hit: Hit, say: Text): string {
  const [single] = hit.victims;
  if (single !== undefined && isNamedInEffects(hit)) return say('effect.one', { name: single.name, symptom: symptomWords(single, say) });
  const counts = new Map<Symptom, number>();
  for (const victim of hit.victims) {
    const symptom = victim.symptoms[0];
    if (symptom !== undefined) counts.set(symptom, (counts.get(symptom) ?? 0) + 1);
  }
  const [only] = counts.keys();
  const everyOneShows = hit.victims.every((victim) => victim.symptoms.length > 0);
  if (only !== undefined && counts.size === 1 && everyOneShows) return say(`effect.${only}`, { count: hit.victimCount });
  if (hit.victims.length < hit.victimCount || counts.size > 3) return victimTotal([hit], hit.victimCount, say);
  return joinList(
    [...counts].map(([symptom, count]) => say(`effect.${symptom}`, { count })),
    say,
  );
}

/** The place, and what happens there; one phrase where the only victim is the place itself. */
export function whereAndWhat(incident: Incident, say: Text): string[] {
  const place = placeName(incident.place, say);
  const [single] = incident.victims;
  if (single !== undefined && isNamedInEffects(incident) && single.id === incident.placeId) {
    return [say('effect.one', { name: place, symptom: symptomWords(single, say) })];
  }
  return [place, effects(incident, say)].filter((part) => part !== '');
}

export function symptomWords(victim: Victim, say: Text): string {
  return [...victim.symptoms.map((symptom) => say(`symptom.${symptom}`)), ...(victim.detail !== undefined ? [victim.detail] : [])].join(
    ', ',
  );
}

export function familyName(family: string, say: Text): string {
  switch (family) {
    case 'debian':
    case 'rhel':
    case 'suse':
    case 'alpine':
    case 'arch':
      return say(`family.${family}`);
    default:
      return family;
  }
}

/** Looking comes before the fix, and is none itself: `look`, then the `fix`, then what else could be done. */
export type FixPart = 'look' | 'fix' | 'orFix';

export function fixParts(fixes: readonly ReportFix[]): readonly { readonly fix: ReportFix; readonly part: FixPart }[] {
  const looksFirst = fixes.length > 1 && fixes[0]?.risk === 'reads-only';
  const main = looksFirst ? 1 : 0;
  return fixes.map((fix, index) => ({ fix, part: index === main ? 'fix' : index < main ? 'look' : 'orFix' }));
}

/** One numbered step; where hosts differ, it has a variant per family. */
export interface StepGroup {
  readonly say: string;
  readonly on?: 'node' | 'cluster';
  readonly variants: readonly { readonly command: string; readonly family?: string }[];
}

/** Puts neighbouring steps that differ only by the family of the host into one. */
export function stepGroups(fix: ReportFix): StepGroup[] {
  const groups: ReportStep[][] = [];
  for (const step of fix.steps) {
    const group = groups.at(-1);
    const before = group?.at(-1);
    const joins =
      group !== undefined &&
      before?.family !== undefined &&
      step.family !== undefined &&
      step.family !== before.family &&
      step.say === before.say;
    if (joins) group.push(step);
    else groups.push([step]);
  }
  return groups.map(groupOf);
}

function groupOf(steps: readonly ReportStep[]): StepGroup {
  const first = steps[0];
  return {
    say: first?.say ?? '',
    ...(first?.on !== undefined ? { on: first.on } : {}),
    variants: steps.flatMap((step) =>
      step.command === undefined ? [] : [{ command: step.command, ...(step.family !== undefined ? { family: step.family } : {}) }],
    ),
  };
}
