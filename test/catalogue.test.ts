import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { catalogue } from '../src/causes/catalogue.ts';
import type { Cause } from '../src/model/cause.ts';

const root = fileURLToPath(new URL('../src/causes/', import.meta.url));
const folders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap((area) => readdirSync(join(root, area.name)).map((id) => `${area.name}/${id}`));

/** The contract of every cause, whoever wrote it. */
describe('the catalogue', () => {
  it('holds every folder, and at least 45 causes', () => {
    expect(catalogue.map(({ area, id }) => `${area}/${id}`).sort()).toEqual(folders.sort());
    expect(catalogue.length).toBeGreaterThanOrEqual(45);
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

    it('can be woken, found and refuted', () => {
      const clues = Object.values(cause.clues);
      const roles = new Set(clues.map(({ role }) => role));
      expect(roles.has('proves') || roles.has('supports')).toBe(true);
      expect((cause.wakesOn?.length ?? 0) > 0 || clues.some(({ line, role }) => line && role !== 'excludes')).toBe(true);
      expect(cause.explains.length).toBeGreaterThan(0);
    });

    it('speaks short and plain', () => {
      expect(cause.text.name.length, cause.text.name).toBeLessThanOrEqual(60);
      expect(cause.text.title.length, cause.text.title).toBeLessThanOrEqual(140);
      expect(cause.text.why.length).toBeGreaterThan(40);
      for (const [clue, says] of Object.entries(cause.says)) expect(says.length, `${clue}: ${says}`).toBeLessThanOrEqual(120);
    });

    it('offers a fix with steps, the least risky first where risks differ in kind', () => {
      expect(cause.fixes.length).toBeGreaterThan(0);
      for (const { steps, say } of cause.fixes) {
        expect(say.length).toBeGreaterThan(5);
        expect(steps.length).toBeGreaterThan(0);
      }
      const last = cause.fixes.findIndex(({ risk }) => risk === 'may-lose-data');
      if (last >= 0) expect(cause.fixes.slice(last).every(({ risk }) => risk === 'may-lose-data')).toBe(true);
    });

    it('leaves no slot unfilled when nothing was seen', () => {
      const wanted = new Set(
        [
          cause.text.title,
          cause.text.why,
          ...Object.values(cause.says),
          ...cause.fixes.flatMap(({ say, steps }) => [say, ...steps.map((step) => step.say)]),
        ].flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')),
      );
      let slots: Readonly<Record<string, unknown>>;
      try {
        slots = cause.slots({ id: 'Node/x', kind: 'Node', name: 'x' }, {});
      } catch {
        // A needed clue is read without a fallback: then the text is used only when it was seen.
        expect(Object.values(cause.clues).some(({ role }) => role === 'needs')).toBe(true);
        return;
      }
      for (const slot of wanted) expect(slots[slot], slot).toBeDefined();
    });
  });
});
