import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lab, Ran } from '../lab.ts';
import type { Scenario } from '../scenario.ts';
import { runScenario } from './run-scenario.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lab-run-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ok = (stdout = ''): Ran => ({ code: 0, stdout, stderr: '' });

/** A cluster that knows namespaces and nothing else, and a command line that prints what it is told. */
function smallLab(report: unknown): { lab: Lab; calls: string[] } {
  const calls: string[] = [];
  const namespaces = new Set<string>();
  const lab: Lab = {
    kubeconfig: join(folder, 'kubeconfig'),
    kubectl: async (args) => {
      const [verb, kind, name = ''] = args;
      if (verb === 'create' && kind === 'namespace') namespaces.add(name);
      if (verb === 'delete' && kind === 'namespace') namespaces.delete(name);
      if (verb !== 'get') calls.push(`${verb} ${kind} ${name}`.trim());
      return ok(verb === 'get' && kind === 'namespace' && namespaces.has(name) ? `namespace/${name}` : '');
    },
    node: () => {
      throw new Error('no nodes here');
    },
    podcause: async (args) => {
      calls.push(`podcause ${args.join(' ')}`);
      return ok(JSON.stringify(report));
    },
  };
  return { lab, calls };
}

function scenarioWith(calls: string[], change: Partial<Scenario> = {}): Scenario {
  return {
    id: 'some-fault',
    title: 'Some fault',
    on: 'cluster',
    breakIt: async () => {
      calls.push('break');
    },
    restore: async () => {
      calls.push('restore');
    },
    until: { what: 'it is so', withinSeconds: 0, holds: async () => true },
    expect: 'healthy',
    ...change,
  };
}

const settings = () => ({ root: folder, record: false, keep: false, reports: join(folder, 'reports'), say: () => {} });
const healthy = { verdict: 'healthy', incidents: [], failures: [] };

describe('runScenario', () => {
  it('makes the fault, looks, and puts everything back', async () => {
    const { lab, calls } = smallLab(healthy);
    const outcome = await runScenario(lab, scenarioWith(calls), settings());
    expect(outcome).toMatchObject({ scenario: 'some-fault', expected: 'healthy', said: 'healthy', problems: [] });
    expect(calls).toEqual([
      'create namespace lab-some-fault',
      'patch serviceaccount default',
      'break',
      'podcause -n lab-some-fault -o json',
      'restore',
      'delete namespace lab-some-fault',
      'delete pods --all',
    ]);
  });

  it('tries a fault once more that never came to be, puts back each time, and fails', async () => {
    const { lab, calls } = smallLab(healthy);
    const until = { what: 'pigs fly', withinSeconds: 0, holds: async () => false };
    const outcome = await runScenario(lab, scenarioWith(calls, { until }), settings());
    expect(outcome).toMatchObject({ problems: ['never came to be: pigs fly (within 0 s)'], triedAgain: true });
    expect(calls.filter((call) => call === 'restore')).toHaveLength(2);
    expect(calls.filter((call) => call === 'delete namespace lab-some-fault')).toHaveLength(2);
    expect(calls.some((call) => call.startsWith('podcause'))).toBe(false);
  });

  it('is content with a fault that comes to be at the second try, and says so', async () => {
    const { lab, calls } = smallLab(healthy);
    const answers = [false, true];
    const until = { what: 'pigs fly', withinSeconds: 0, holds: async () => answers.shift() ?? false };
    const said: string[] = [];
    const prepare = async (): Promise<void> => void calls.push('prepare');
    const outcome = await runScenario(lab, scenarioWith(calls, { until }), { ...settings(), say: (line) => void said.push(line) }, prepare);
    expect(outcome).toMatchObject({ problems: [], triedAgain: true });
    expect(calls.filter((call) => call === 'prepare')).toHaveLength(2);
    expect(said).toEqual([
      expect.stringContaining('some-fault once more: never came to be: pigs fly'),
      expect.stringMatching(/^ok {3}some-fault \(\d+ s, tried twice\)$/),
    ]);
  });

  it('makes the fault anew for an answer that was not right, and fails when it is not right again', async () => {
    const { lab, calls } = smallLab({ ...healthy, verdict: 'undecided' });
    const outcome = await runScenario(lab, scenarioWith(calls), settings());
    expect(outcome).toMatchObject({ problems: ['should be healthy, is undecided'], triedAgain: true });
    expect(calls.filter((call) => call === 'break')).toHaveLength(2);
  });

  it('does not ask again where podcause was certain of something wrong', async () => {
    const wrong = { cause: 'other', place: 'node a', confidence: 'certain', victimCount: 1 };
    const { lab, calls } = smallLab({ verdict: 'found', incidents: [wrong], failures: [] });
    const outcome = await runScenario(lab, scenarioWith(calls), settings());
    expect(outcome.problems).toHaveLength(1);
    expect(calls.filter((call) => call.startsWith('podcause'))).toHaveLength(1);
  });

  it('leaves out what there is no time for', async () => {
    const { lab, calls } = smallLab(healthy);
    expect(await runScenario(lab, scenarioWith(calls), { ...settings(), deadline: Date.now() - 1 })).toMatchObject({ skipped: true });
    expect(calls).toEqual([]);
  });

  it('removes the namespace also when putting the node back fails, and says so', async () => {
    const { lab, calls } = smallLab(healthy);
    const restore = async (): Promise<void> => {
      throw new Error('node is gone');
    };
    const outcome = await runScenario(lab, scenarioWith(calls, { restore }), settings());
    expect(outcome.problems).toEqual(['putting back: node is gone']);
    expect(calls).toContain('delete namespace lab-some-fault');
  });

  it('leaves the fault in place where that is wanted', async () => {
    const { lab, calls } = smallLab(healthy);
    await runScenario(lab, scenarioWith(calls), { ...settings(), keep: true });
    expect(calls).not.toContain('restore');
    expect(calls).not.toContain('delete namespace lab-some-fault');
  });

  it('takes an answer that is no report for a miss', async () => {
    const { lab, calls } = smallLab('podcause: no');
    const outcome = await runScenario(lab, scenarioWith(calls), settings());
    expect(outcome.said).toBe('no report');
    expect(outcome.problems[0]).toContain('podcause ended with 0');
  });
});
