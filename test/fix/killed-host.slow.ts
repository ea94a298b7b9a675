import { chmodSync, chownSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { applySplices } from '../../src/fix/edit/index.ts';
import type { HostPlan } from '../../src/fix/host/host-step.ts';
import { planHost } from '../../src/fix/host/plan-host.ts';
import { hostScript } from '../../src/fix/host/script.ts';
import { BUSYBOX, endOf, hasBusybox, type Ran, TestHost } from '../../src/fix/host/testing-host.ts';
import { stateOf } from '../../src/fix/host/testing-state.ts';
import type { HostChange } from '../../src/model/change.ts';

const ABOUT = { id: 'fix-1', title: 'A fix', report: 'r1', who: 'someone@here', healthSeconds: 5 };
const CONFIG = '/etc/containerd/config.toml';
const OLD = '# kept: \u00e9\r\nversion = 2\n';
const isRoot = process.getuid?.() === 0;

interface Story {
  readonly changes: readonly HostChange[];
  readonly texts: Readonly<Record<string, string>>;
}

const EDIT: Story = {
  changes: [
    { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
    { do: 'units', action: 'restart', units: ['containerd'] },
  ],
  texts: { [CONFIG]: OLD },
};

const THINGS: Story = {
  changes: [
    { do: 'module', name: 'br_netfilter' },
    { do: 'sysctl', key: 'vm.max_map_count', value: '262144' },
    { do: 'remove-file', path: '/etc/old/stale.conf' },
  ],
  texts: { '/etc/old/stale.conf': 'stale\n' },
};

const hosts: TestHost[] = [];
afterAll(() => {
  for (const host of hosts) host.remove();
});

function kept(host: TestHost): TestHost {
  hosts.push(host);
  return host;
}

function hostOf({ texts }: Story): TestHost {
  const host = kept(new TestHost(['containerd']));
  host.write('proc/sys/vm/max_map_count', '65530\n');
  for (const [path, text] of Object.entries(texts)) {
    host.write(path, text);
    chmodSync(host.path(path), 0o640);
    if (isRoot) chownSync(host.path(path), 1234, 4321);
  }
  return host;
}

/** Everything a fix may touch, as it must be before and after. */
function look(host: TestHost): Readonly<Record<string, unknown>> {
  const files = host.list('etc').filter((path) => path.includes('.') && !path.includes('os-release') && !path.endsWith('.d'));
  return {
    files: files.map((path) => [path, host.read(`etc/${path}`), host.modeOf(`etc/${path}`)]),
    folders: host.list('etc').filter((path) => path.endsWith('.d')),
    sysctl: host.read('proc/sys/vm/max_map_count'),
    modules: host.list('sys/module'),
    containerd: host.read('fake/units/containerd/active'),
  };
}

function leftovers(host: TestHost): readonly string[] {
  return [...host.list('etc'), ...host.list('var/lib/podcause')].filter((path) => /\.podcause-|lock|\.part$|\.new$|trial/.test(path));
}

function stateAfter(host: TestHost): Readonly<Record<string, unknown>> {
  const journal = (host.read(`var/lib/podcause/fixes/${ABOUT.id}/state`) ?? '').trim().split('\n').at(-1);
  return { ...look(host), leftovers: leftovers(host), journal };
}

/** Kills a run at a place, then goes on with one copy of the host and takes back another. */
async function killAt(
  point: string,
  script: string,
  before: TestHost,
  shell: readonly string[],
): Promise<Readonly<Record<'resumed' | 'undone', { ran: Ran; host: TestHost }>>> {
  const host = kept(before.copy());
  const killed = await host.run(script, [point.startsWith('undo') ? 'undo' : 'apply'], { PODCAUSE_STOP_AT: point }, shell);
  expect({ point, signal: killed.signal }).toEqual({ point, signal: 'SIGKILL' });
  const other = kept(host.copy());
  const [resumed, undone] = await Promise.all([host.run(script, ['apply'], {}, shell), other.run(script, ['undo'], {}, shell)]);
  return { resumed: { ran: resumed, host }, undone: { ran: undone, host: other } };
}

interface Scene {
  readonly script: string;
  readonly fresh: TestHost;
  readonly applied: TestHost;
  readonly old: Readonly<Record<string, unknown>>;
  readonly young: Readonly<Record<string, unknown>>;
  readonly points: readonly string[];
}

async function sceneOf(story: Story, shell: readonly string[] = ['/bin/sh']): Promise<Scene> {
  const plan = planHost(story.changes, stateOf({ texts: story.texts, commands: new Set(['containerd']) }));
  const script = hostScript(plan, ABOUT);
  const fresh = hostOf(story);
  const applied = kept(fresh.copy());
  const ran = await applied.run(script, ['apply'], {}, shell);
  expect(endOf(ran)).toBe('done');
  const { out } = await fresh.run(script, ['boundaries'], {}, shell);
  expectNewBytes(plan, applied);
  return { script, fresh, applied, old: look(fresh), young: look(applied), points: out.trim().split('\n') };
}

function expectNewBytes({ steps }: HostPlan, host: TestHost): void {
  for (const step of steps) {
    if (step.kind === 'edit') expect(host.read(step.path)).toBe(applySplices(OLD, step.splices));
    if (step.kind === 'create') expect(host.read(step.path)).toBe(step.text);
    if (step.kind === 'remove') expect(host.read(step.path)).toBeUndefined();
  }
}

async function expectSound(point: string, scene: Scene, shell: readonly string[] = ['/bin/sh']): Promise<void> {
  const { script, fresh, applied, old, young } = scene;
  const goesBack = point.startsWith('undo');
  const { resumed, undone } = await killAt(point, script, goesBack ? applied : fresh, shell);
  // What was going back goes on going back: asked again, it is made anew.
  const forth = goesBack ? { ...old, leftovers: [], journal: 'end undone' } : { ...young, leftovers: [], journal: 'end done' };
  expect({ point, end: endOf(resumed.ran), ...stateAfter(resumed.host) }).toEqual({ point, end: goesBack ? 'undone' : 'done', ...forth });
  const neverBegan = point === 'start.locked';
  const back = { ...old, leftovers: [], journal: neverBegan ? '' : 'end undone' };
  expect({ point, end: endOf(undone.ran), ...stateAfter(undone.host) }).toEqual({ point, end: neverBegan ? 'refused' : 'undone', ...back });
}

async function expectAllSound(scene: Scene, points: readonly string[], shell?: readonly string[]): Promise<void> {
  expect(points.length).toBeGreaterThan(8);
  for (const point of points) await expectSound(point, scene, shell);
}

const LONG = 240_000;

describe('a run that is killed at any of its boundaries', () => {
  it('with an edit and a restart: goes on to the new file, or back to the old, byte for byte', { timeout: LONG }, async () => {
    const scene = await sceneOf(EDIT);
    expect(scene.points).toEqual(
      expect.arrayContaining(['1.written', '2.called', 'end.before', 'undo.1.written', 'undo.2.before', 'undo.end']),
    );
    await expectAllSound(scene, scene.points);
  });

  it('with modules, settings and removals', { timeout: LONG }, async () => {
    const scene = await sceneOf(THINGS);
    // Those around every step are those of the edit: here the ones in which a kind of step has a part of its own.
    await expectAllSound(
      scene,
      scene.points.filter((point) => /begun|written|acted|before/.test(point)),
    );
  });

  it('rolling back after a daemon that did not come up', { timeout: LONG }, async () => {
    const { script, fresh, old } = await sceneOf(EDIT);
    fresh.program('ctr', '#!/bin/sh\n! grep -q SystemdCgroup "$PODCAUSE_ROOT/etc/containerd/config.toml"\n');
    for (const point of ['rollback.noted', 'undo.1.before', 'undo.1.written', 'undo.1.done', 'undo.2.done']) {
      const host = kept(fresh.copy());
      expect((await host.run(script, ['apply'], { PODCAUSE_STOP_AT: point })).signal).toBe('SIGKILL');
      expect(endOf(await host.run(script, ['apply']))).toBe('rolled-back');
      expect({ point, ...stateAfter(host) }).toEqual({ point, ...old, leftovers: [], journal: 'end rolled-back' });
    }
  });

  it.runIf(isRoot && hasBusybox())('the same in the shell of busybox', { timeout: LONG }, async () => {
    const scene = await sceneOf(EDIT, BUSYBOX);
    await expectAllSound(
      scene,
      scene.points.filter((point) => /written|called|acted|noted|locked|before/.test(point)),
      BUSYBOX,
    );
  });
});
