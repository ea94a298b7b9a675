import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lab, Ran } from '../lab.ts';
import type { LabCare } from '../runner/run-all.ts';
import type { Scenario } from '../scenario.ts';
import type { FixRow } from './fix-table.ts';
import { runFixes } from './run-fixes.ts';
import type { Trial } from './trial.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lab-fixes-'));
  mkdirSync(join(folder, 'lab/scenarios/some-fault'), { recursive: true });
  writeFileSync(join(folder, 'lab/scenarios/some-fault/manifest.yaml'), 'sleep 120\n');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ok = (stdout = ''): Ran => ({ code: 0, stdout, stderr: '' });

const scenario: Scenario = {
  id: 'some-fault',
  title: 'Some fault',
  on: 'cluster',
  manifest: true,
  until: { what: 'it is so', withinSeconds: 0, holds: async () => true },
  expect: 'healthy',
};

/** A cluster that knows one namespace at most, and a podcause that finds nothing wrong in it. */
function smallLab(calls: string[]): Lab {
  let isThere = false;
  return {
    kubeconfig: join(folder, 'kubeconfig'),
    kubectl: async (args) => {
      const [verb, kind] = args;
      if (kind === 'namespace' && verb !== 'get') isThere = verb === 'create';
      if (verb === 'apply') calls.push(`apply ${args.at(-1)?.startsWith(folder) ? 'the original' : 'a copy'}`);
      return ok(verb === 'get' && kind === 'namespace' && isThere ? 'namespace/lab-some-fault' : '');
    },
    node: () => {
      throw new Error('no nodes here');
    },
    podcause: async () => ok(JSON.stringify({ verdict: 'healthy', incidents: [], failures: [] })),
  };
}

const care: LabCare = {
  isHealthy: async () => true,
  loadImages: async () => {},
  heal: async () => {},
  clearUp: async () => {},
  bootVm: async () => {},
  withVm: (lab, work) => work(lab),
};

async function ran(trial: Trial, calls: string[]): Promise<readonly FixRow[]> {
  const paths = { root: folder, cache: folder, state: folder, kubeconfig: join(folder, 'kubeconfig') };
  return runFixes(smallLab(calls), care, [trial], { paths, program: '/nowhere', jobs: 1, say: () => {} });
}

describe('runFixes', () => {
  it('tries where the fault is there, and puts everything back', async () => {
    const calls: string[] = [];
    const trial: Trial = {
      scenario: { ...scenario, restore: async () => void calls.push('restore') },
      manifest: (text) => text.replace('120', '12'),
      act: async ({ namespace, report, note }) => {
        calls.push(`act in ${namespace} on ${report.slice(folder.length)}`);
        note('plan', '1 step');
      },
    };
    const [row] = await ran(trial, calls);
    expect(calls).toEqual(['apply a copy', 'act in lab-some-fault on /fix-reports/some-fault.json', 'restore']);
    expect(row?.problems).toEqual([]);
    expect(row?.notes.get('plan')).toBe('1 step');
  });

  it('puts back what a trial that failed left, and tells why it failed', async () => {
    const calls: string[] = [];
    const restored: Scenario = { ...scenario, restore: async () => void calls.push('restore') };
    const [row] = await ran({ scenario: restored, act: () => Promise.reject(new Error('it ended not-fixed')) }, calls);
    expect(calls).toContain('restore');
    expect(row?.problems.join()).toContain('it ended not-fixed');
  });

  it('tries nothing on a fault that was not made', async () => {
    const calls: string[] = [];
    const never: Scenario = { ...scenario, until: { what: 'it is so', withinSeconds: 0, holds: async () => false } };
    const [row] = await ran({ scenario: never, act: async () => void calls.push('act') }, calls);
    expect(calls).not.toContain('act');
    expect(row?.problems.join()).toContain('nothing was tried');
  });
});
