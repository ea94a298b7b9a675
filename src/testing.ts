import { readFileSync } from 'node:fs';
import { diagnoseInDetail } from './diagnose.ts';
import { CHANNELS_OF } from './facts/coverage.ts';
import type { AnyClue, Cause } from './model/cause.ts';
import type { Channel } from './model/channel.ts';
import type { FactKind } from './model/facts.ts';
import type { Examined, Reading } from './model/finding.ts';
import type { Confidence } from './model/report.ts';
import { placeName } from './reason/names.ts';

/** What a user would paste: file name to text. Keep it inline up to some fifteen lines, else use `evidenceIn`. */
export type EvidenceFiles = Readonly<Record<string, string>>;

/** Reads files of the `evidence/` folder beside the test: `const evidence = evidenceIn(import.meta.url)`. */
export function evidenceIn(testUrl: string): (...names: string[]) => EvidenceFiles {
  return (...names) => Object.fromEntries(names.map((name) => [name, readFileSync(new URL(`evidence/${name}`, testUrl), 'utf8')]));
}

interface Finds {
  readonly evidence: EvidenceFiles;
  readonly confidence: Confidence;
  /** As the report names it: `node worker-1`. */
  readonly place?: string;
  /** Citations that must be among its reasons: `kern.log:3`. */
  readonly cites?: readonly string[];
  readonly victims?: number;
}

interface RulesOut<Names> {
  readonly evidence: EvidenceFiles;
  /** The clue that decides it: an `excludes` seen, or a `needs` looked for in vain. */
  readonly by: Names;
}

interface Asks {
  readonly evidence: EvidenceFiles;
  /** The fact kind or the channel that would settle it. */
  readonly for: FactKind | Channel;
}

export interface CauseCases<C extends Record<string, AnyClue>> {
  readonly finds: Readonly<Record<string, Finds>>;
  /** Look-alikes. */
  readonly rulesOut: Readonly<Record<string, RulesOut<keyof C>>>;
  readonly asks: Readonly<Record<string, Asks>>;
}

type Register = (name: string, run: () => Promise<void>) => void;
type Describe = (name: string, run: () => void) => void;

const { describe, it } = (await (process.env['VITEST'] ? import('vitest') : import('node:test'))) as unknown as {
  describe: Describe;
  it: Register;
};

/** A cause is tested by a table of look-alikes: what it finds, what it rules out, what it asks for. */
export function testCause<C extends Record<string, AnyClue>>(
  cause: Omit<Cause, 'clues'> & { readonly clues: C },
  cases: CauseCases<C>,
): void {
  const rule = cause as unknown as Cause;
  describe(cause.id, () => {
    for (const [name, one] of Object.entries(cases.finds)) it(`finds: ${name}`, () => checkFinds(rule, one));
    for (const [name, one] of Object.entries(cases.rulesOut))
      it(`rules out: ${name}`, () => checkRulesOut(rule, one.evidence, String(one.by)));
    for (const [name, one] of Object.entries(cases.asks)) it(`asks: ${name}`, () => checkAsks(rule, one));
    it('has a case of each sort, and every clue decides one', () => checkComplete(rule, cases));
  });
}

async function examine(cause: Cause, evidence: EvidenceFiles) {
  const documents = Object.entries(evidence).map(([name, text]) => ({ name, text }));
  const { examined, report } = await diagnoseInDetail(documents, { causes: [cause] });
  const failed = examined.find(({ verdict }) => verdict.kind === 'failed');
  if (failed?.verdict.kind === 'failed') throw new Error(`the rule itself failed: ${failed.verdict.message}`);
  return { examined, report };
}

async function checkFinds(cause: Cause, { evidence, confidence, place, cites = [], victims }: Finds): Promise<void> {
  const { examined, report } = await examine(cause, evidence);
  const incident = report.incidents.find((one) => one.cause === cause.id && (place === undefined || one.place === place));
  if (!incident) throw new Error(`expected an incident${place ? ` at ${place}` : ''}, got ${describeVerdicts(examined)}`);
  if (incident.confidence !== confidence)
    throw new Error(`expected ${confidence}, got ${incident.confidence}: ${describeVerdicts(examined)}`);
  const cited = incident.because.flatMap((reason) =>
    reason.cited.flatMap(({ doc, at }) => (at.lines ? range(doc, at.lines) : [`${doc}#${'pointer' in at ? at.pointer : ''}`])),
  );
  for (const wanted of cites)
    if (!cited.includes(wanted)) throw new Error(`expected a citation of ${wanted}, got ${cited.join(', ') || 'none'}`);
  if (victims !== undefined && incident.victimCount !== victims) {
    throw new Error(`expected ${victims} victims, got ${incident.victimCount}: ${incident.victims.map(({ name }) => name).join(', ')}`);
  }
}

function range(doc: string, [first, last]: readonly [number, number]): string[] {
  const lines: string[] = [];
  for (let line = first; line <= Math.min(last, first + 50); line++) lines.push(`${doc}:${line}`);
  return lines;
}

async function checkRulesOut(cause: Cause, evidence: EvidenceFiles, by: string): Promise<void> {
  const { examined } = await examine(cause, evidence);
  const out = examined.filter(({ verdict }) => verdict.kind === 'ruled-out');
  const decided = out.some(({ verdict }) => verdict.kind === 'ruled-out' && verdict.by?.name === by);
  if (!decided) throw new Error(`expected it ruled out by ${by}, got ${describeVerdicts(examined)}`);
  if (examined.some(({ verdict }) => verdict.kind === 'found'))
    throw new Error(`ruled out in one place but found in another: ${describeVerdicts(examined)}`);
}

async function checkAsks(cause: Cause, { evidence, for: wanted }: Asks): Promise<void> {
  const { examined } = await examine(cause, evidence);
  const open = examined.filter(({ verdict }) => verdict.kind === 'found' || verdict.kind === 'undecided');
  const unseen = open.flatMap(({ verdict }) => verdict.readings.filter(({ state }) => state === 'unseen'));
  if (!unseen.some((reading) => matches(reading, wanted)))
    throw new Error(`expected it to ask for ${wanted}, got ${describeVerdicts(examined)}`);
}

function matches({ clue }: Reading, wanted: FactKind | Channel): boolean {
  const channels: readonly Channel[] = clue.line ? clue.line.channels : CHANNELS_OF[clue.from as FactKind];
  return clue.from === wanted || channels.some((channel) => channel === wanted);
}

async function checkComplete<C extends Record<string, AnyClue>>(cause: Cause, cases: CauseCases<C>): Promise<void> {
  for (const sort of ['finds', 'rulesOut', 'asks'] as const) {
    if (Object.keys(cases[sort]).length === 0) throw new Error(`${cause.id} has no case under ${sort}`);
  }
  const idle = new Set(Object.keys(cause.clues));
  for (const { evidence } of [...Object.values(cases.finds), ...Object.values(cases.rulesOut), ...Object.values(cases.asks)]) {
    const { examined } = await examine(cause, evidence);
    for (const { verdict } of examined) for (const { name, state } of verdict.readings) if (state === 'seen') idle.delete(name);
  }
  if (idle.size > 0) throw new Error(`no case shows the clue ${[...idle].join(', ')}`);
}

function describeVerdicts(examined: readonly Examined[]): string {
  if (examined.length === 0) return 'nothing: the cause never woke';
  return examined
    .map(({ place, verdict }) => {
      const clues = verdict.readings.map(({ name, state }) => `${name}=${state}`).join(' ');
      const how =
        verdict.kind === 'found' ? verdict.confidence : verdict.kind === 'ruled-out' ? `by ${verdict.by?.name ?? 'absence of all'}` : '';
      return `${verdict.kind} ${how} at ${placeName(place)} [${clues}]`;
    })
    .join('; ');
}
