import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lab } from '../lab.ts';
import type { Scenario } from '../scenario.ts';
import { type LabCare, runAll } from './run-all.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lab-all-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A cluster in which every object is made and removed at once, and podcause finds nothing wrong. */
const lab: Lab = {
  kubeconfig: '',
  kubectl: async () => ({ code: 0, stdout: '', stderr: '' }),
  node: (name) => ({
    name,
    kind: 'namespace',
    exec: async () => ({ code: 0, stdout: '', stderr: '' }),
    writeFile: async () => {},
    readFile: async () => '',
  }),
  podcause: async () => ({ code: 0, stdout: JSON.stringify({ verdict: 'healthy', incidents: [], failures: [] }), stderr: '' }),
};

function scenarioOf(story: string[], id: string, on: Scenario['on'], scheduling = false): Scenario {
  const breakIt = async (): Promise<void> => void story.push(`${id} begins`);
  const restore = async (): Promise<void> => void story.push(`${id} ends`);
  const until = { what: 'it is so', withinSeconds: 0, holds: async () => true };
  return { id, title: id, on, scheduling, breakIt, restore, until, expect: 'healthy' };
}

function careOf(story: string[], change: Partial<LabCare> = {}): LabCare {
  return {
    isHealthy: async () => true,
    loadImages: async () => {},
    heal: async () => {},
    clearUp: async () => void story.push('clears up'),
    bootVm: async () => void story.push('boots'),
    withVm: async (ours, work) => {
      story.push('joins');
      return work(ours);
    },
    ...change,
  };
}

const settings = () => ({ root: folder, record: false, keep: false, reports: join(folder, 'reports'), say: () => {} });

function all(story: string[]): readonly Scenario[] {
  return [
    scenarioOf(story, 'on-vm', 'vm-a'),
    scenarioOf(story, 'on-worker', 'worker-a'),
    scenarioOf(story, 'beside', 'cluster'),
    scenarioOf(story, 'refused', 'cluster', true),
    scenarioOf(story, 'every-node', 'worker-a', true),
  ];
}

function precedes(story: readonly string[], first: string, second: string): boolean {
  return story.includes(first) && story.indexOf(first) < story.indexOf(second);
}

describe('runAll', () => {
  it('boots the machine before the rush, and lets it join when the scheduler has had its say', async () => {
    const story: string[] = [];
    const outcomes = await runAll(lab, careOf(story), all(story), 4, settings());
    expect(outcomes.map(({ scenario, problems }) => [scenario, problems])).toEqual([
      ['every-node', []],
      ['refused', []],
      ['beside', []],
      ['on-worker', []],
      ['on-vm', []],
    ]);
    expect(story[0]).toBe('clears up');
    expect(precedes(story, 'boots', 'refused begins')).toBe(true);
    expect(precedes(story, 'every-node ends', 'refused begins')).toBe(true);
    expect(precedes(story, 'refused ends', 'beside begins')).toBe(true);
    expect(precedes(story, 'refused ends', 'joins')).toBe(true);
    expect(precedes(story, 'joins', 'on-vm begins')).toBe(true);
    expect(precedes(story, 'beside ends', 'on-worker begins')).toBe(true);
  });

  it('keeps a machine that runs where no other scenario minds it', async () => {
    const story: string[] = [];
    await runAll(lab, careOf(story), [scenarioOf(story, 'on-vm', 'vm-a')], 4, settings());
    expect(story).toEqual(['joins', 'on-vm begins', 'on-vm ends']);
  });

  it('misses every scenario of a machine that does not boot, and goes on with the rest', async () => {
    const story: string[] = [];
    const fails = async (): Promise<never> => {
      throw new Error('no kernel');
    };
    const outcomes = await runAll(lab, careOf(story, { bootVm: fails, withVm: fails }), all(story), 4, settings());
    expect(outcomes.at(-1)).toMatchObject({ scenario: 'on-vm', problems: ['the virtual machine: no kernel'] });
    expect(outcomes.slice(0, -1).every(({ problems }) => problems.length === 0)).toBe(true);
  });

  it('boots no machine that nobody has time for', async () => {
    const story: string[] = [];
    const outcomes = await runAll(lab, careOf(story), all(story), 4, { ...settings(), deadline: Date.now() - 1 });
    expect(outcomes).toHaveLength(5);
    expect(outcomes.every((one) => one.skipped)).toBe(true);
    expect(story).toEqual(['clears up']);
  });
});
