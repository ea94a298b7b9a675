import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/causes/catalogue.ts';
import { contractProblems } from '../src/causes/contract.ts';
import type { Cause } from '../src/model/cause.ts';

const root = fileURLToPath(new URL('../src/causes/', import.meta.url));
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap((area) => readdirSync(join(root, area.name)).map((id) => `${area.name}/${id}`));

/** The contract of every cause, whoever wrote it. */
describe('the catalogue', () => {
  it('holds every folder, and at least 220 causes', () => {
    expect(catalogue.map(({ area, id }) => `${area}/${id}`).sort()).toEqual(folders.sort());
    expect(catalogue.length).toBeGreaterThanOrEqual(220);
  });

  it('has no circle of effects', () => {
    const byId = new Map(catalogue.map((cause) => [cause.id, cause]));
    function visit(cause: Cause, path: readonly string[]): void {
      expect(path, `circle: ${[...path, cause.id].join(' <- ')}`).not.toContain(cause.id);
      for (const id of cause.effectOf ?? []) {
        const upstream = byId.get(id);
        if (upstream) visit(upstream, [...path, cause.id]);
      }
    }
    for (const cause of catalogue) visit(cause, []);
  });

  describe.each(catalogue.map((cause) => [cause.id, cause] as const))('%s', (id, cause) => {
    const folder = join(root, cause.area, id);

    it('has its files, and a readme that tells how it happens, how to tell it apart, and from where', () => {
      for (const file of ['cause.ts', 'cause.test.ts', 'readme.md']) expect(existsSync(join(folder, file)), file).toBe(true);
      const readme = readFileSync(join(folder, 'readme.md'), 'utf8');
      expect(readme).toMatch(/^# \S/);
      for (const heading of ['## How it happens', '## How to tell it apart', '## Sources']) expect(readme).toContain(heading);
      expect(readFileSync(join(folder, 'cause.test.ts'), 'utf8')).toContain('testCause(cause,');
    });

    it('keeps the contract', () => {
      expect(contractProblems(cause)).toEqual([]);
    });
  });
});
