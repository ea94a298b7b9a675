import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectPaths } from '../src/collect/files.ts';
import { diagnose } from '../src/diagnose.ts';
import type { Incident, Report } from '../src/model/report.ts';

interface ExpectedIncident {
  readonly cause: string;
  readonly place?: string;
  readonly confidence?: string;
  /** Exactly so many, or at least: retries and evictions add to some. */
  readonly victims?: number | { readonly atLeast: number };
  /** A channel that must be among its asks. */
  readonly asks?: string;
  /** Words that must stand in title, why or reasons. */
  readonly says?: readonly string[];
}

interface Case {
  readonly verdict: string;
  readonly incidents: readonly ExpectedIncident[];
  /** Causes that must not be in the report at all. */
  readonly never?: readonly string[];
  /** More incidents may follow the expected ones. */
  readonly more?: boolean;
}

const root = new URL('../cases/', import.meta.url);

/** Written by hand, or recorded in the lab: as people paste it, and as `podcause collect` packs it. */
const FORMS = ['evidence', 'pasted', 'bundle'];

/** Whole incidents, end to end, with everything the catalogue knows: the answer must come first. */
describe('cases', () => {
  for (const name of readdirSync(root)) {
    const expected = JSON.parse(readFileSync(new URL(`${name}/case.json`, root), 'utf8')) as Case;
    const forms = FORMS.filter((form) => existsSync(new URL(`${name}/${form}`, root)));
    it(`${name} has evidence`, () => expect(forms).not.toEqual([]));
    it.each(forms)(`${name}: %s`, async (form) => check(expected, await reportOf(new URL(`${name}/${form}`, root).pathname)));
  }
});

async function reportOf(folder: string): Promise<Report> {
  const { documents, unread } = collectPaths([folder]);
  return diagnose(documents, { unread });
}

function check(expected: Case, report: Report): void {
  const said = report.incidents.map(({ cause, place, confidence, victimCount }) => ({ cause, place, confidence, victims: victimCount }));
  expect(report.verdict, JSON.stringify(said)).toBe(expected.verdict);
  expect(report.failures).toEqual([]);
  if (!expected.more) expect(said.map(({ cause }) => cause)).toEqual(expected.incidents.map(({ cause }) => cause));
  for (const [index, wanted] of expected.incidents.entries()) checkIncident(wanted, report.incidents[index]);
  for (const cause of expected.never ?? []) expect(said.map((one) => one.cause)).not.toContain(cause);
}

function checkIncident({ asks, says, victims, ...fields }: ExpectedIncident, incident: Incident | undefined): void {
  expect(incident).toMatchObject(fields);
  if (typeof victims === 'number') expect(incident?.victimCount).toBe(victims);
  if (typeof victims === 'object') expect(incident?.victimCount).toBeGreaterThanOrEqual(victims.atLeast);
  if (asks) expect(incident?.asks.map(({ channel }) => channel)).toContain(asks);
  const words = [
    incident?.title,
    incident?.why,
    ...(incident?.because ?? []).map((reason) => reason.says),
    ...(incident?.chain ?? []).map(({ title }) => title),
  ].join('\n');
  for (const word of says ?? []) expect(words).toContain(word);
}
