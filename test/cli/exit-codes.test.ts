import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import schema from '../../schema/report.schema.json' with { type: 'json' };
import { collectPaths } from '../../src/collect/files.ts';
import { diagnose } from '../../src/diagnose.ts';
import { render } from '../../src/render/index.ts';
import { inBash, looksCrashed, podcause, root } from './built-cli.ts';
import { caseNames, evidenceOf, verdictOf } from './cases.ts';

const CODES: Readonly<Record<string, number>> = { healthy: 0, found: 1, undecided: 2 };
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(schema);

function problems(report: unknown): string[] {
  validate(report);
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

/** Starting the program costs more than a diagnosis, so a spread of the cases goes through it and all go past it. */
const STARTED = 4;
const step = Math.max(1, Math.ceil(caseNames.length / STARTED));
const started = caseNames.filter((_, index) => index % step === 0);

describe.concurrent('exit codes', () => {
  it.each(started)('tell the verdict, and json holds it: %s', async (name) => {
    const { code, stdout, stderr } = await podcause(['-o', 'json', evidenceOf(name)]);
    const report = JSON.parse(stdout);
    expect(problems(report)).toEqual([]);
    expect(report.verdict).toBe(verdictOf(name));
    expect(code).toBe(CODES[verdictOf(name)]);
    expect(stderr).toBe('');
  });

  it('are 2 when the evidence does not decide', async () => {
    const input = 'NAME     READY   STATUS             RESTARTS      AGE\ncart-0   0/1     CrashLoopBackOff   12 (40s ago)  38m\n';
    const { code, stdout } = await podcause(['-'], { input });
    expect(code).toBe(2);
    expect(stdout).toContain('kubectl describe pod cart-0');
  });

  it('are 2 when there is nothing to read', async () => {
    const { code, stdout } = await podcause(['-'], { input: '' });
    expect(code).toBe(2);
    expect(stdout).toContain('stdin, empty');
  });

  it('are 3 when the report cannot be written', async () => {
    const ran = await inBash('podcause demo > /dev/full');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('podcause: cannot write the output');
    expect(looksCrashed(ran)).toBe(false);
  });
});

describe('every case, in every format', () => {
  it.each(caseNames)('%s', async (name) => {
    const { documents, unread } = collectPaths([`${root}${evidenceOf(name)}`]);
    const report = await diagnose(documents, { unread });
    const json: unknown = JSON.parse(render(report, 'json'));
    expect(problems(json)).toEqual([]);
    expect(parse(render(report, 'yaml'))).toEqual(json);
    expect(render(report, 'markdown')).toMatch(/^## \S/);
    expect(render(report, 'html')).toMatch(/^<!doctype html>/i);
  });
});
