import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collectPaths } from '../src/collect/files.ts';
import { diagnose } from '../src/diagnose.ts';

interface ExpectedIncident {
  readonly cause: string;
  readonly place?: string;
  readonly confidence?: string;
  readonly victims?: number;
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

/** Whole incidents, end to end, with everything the catalogue knows: the answer must come first. */
describe('cases', () => {
  for (const name of readdirSync(root)) {
    it(name, async () => {
      const expected = JSON.parse(readFileSync(new URL(`${name}/case.json`, root), 'utf8')) as Case;
      const { documents, unread } = collectPaths([new URL(`${name}/evidence`, root).pathname]);
      const report = await diagnose(documents, { unread });
      const said = report.incidents.map(({ cause, place, confidence, victimCount }) => ({
        cause,
        place,
        confidence,
        victims: victimCount,
      }));
      expect(report.verdict, JSON.stringify(said)).toBe(expected.verdict);
      expect(report.failures).toEqual([]);
      if (!expected.more) expect(said.map(({ cause }) => cause)).toEqual(expected.incidents.map(({ cause }) => cause));
      for (const [index, wanted] of expected.incidents.entries()) {
        const { asks, says, ...fields } = wanted;
        const incident = report.incidents[index];
        expect(said[index]).toMatchObject(fields);
        if (asks) expect(incident?.asks.map(({ channel }) => channel)).toContain(asks);
        const words = [
          incident?.title,
          incident?.why,
          ...(incident?.because ?? []).map((reason) => reason.says),
          ...(incident?.chain ?? []).map(({ title }) => title),
        ].join('\n');
        for (const word of says ?? []) expect(words).toContain(word);
      }
      for (const cause of expected.never ?? []) expect(said.map((one) => one.cause)).not.toContain(cause);
    });
  }
});
