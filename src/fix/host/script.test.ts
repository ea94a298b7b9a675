import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostChange } from '../../model/change.ts';
import { launchScript } from '../launch.ts';
import type { HostPlan, HostStep } from './host-step.ts';
import { journalScript, parseJournal, storedScript } from './journal.ts';
import { sha256 } from './plan-files.ts';
import { planHost } from './plan-host.ts';
import { hostScript } from './script.ts';
import { endOf, TestHost } from './testing-host.ts';
import { stateOf } from './testing-state.ts';

const ABOUT = { id: 'fix-1', title: 'A fix', report: 'r1', who: 'someone@here', healthSeconds: 5 };
const CONFIG = '/etc/containerd/config.toml';
const OLD = 'version = 2\n# token\n[plugins."io.containerd.grpc.v1.cri".registry.configs."r".auth]\npassword = "hunter2hunter2"\n';
const CGROUP: HostChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true };
const RESTART: HostChange = { do: 'units', action: 'restart', units: ['containerd'] };
const LONG = 60_000;

const hosts: TestHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.remove();
});

function hostWith(files: Readonly<Record<string, string>> = { [CONFIG]: OLD }, units: readonly string[] = ['containerd']): TestHost {
  const host = new TestHost(units);
  for (const [path, text] of Object.entries(files)) host.write(path, text);
  hosts.push(host);
  return host;
}

function scriptFor(changes: readonly HostChange[], given: Parameters<typeof stateOf>[0] = {}): string {
  const plan = planHost(changes, stateOf({ texts: { [CONFIG]: OLD }, commands: new Set(['containerd']), ...given }));
  expect(plan.refused).toEqual([]);
  return hostScript(plan, ABOUT);
}

function scriptOf(...steps: readonly HostStep[]): string {
  const plan: HostPlan = {
    node: 'worker-1',
    steps,
    refused: [],
    warnings: [],
    health: { containerdSocket: '/run/c.sock', kubeletConfig: '/none' },
  };
  return hostScript(plan, ABOUT);
}

/** An edit that puts these bytes at the end of the file, right or wrong. */
function appending(text: string, check?: string): HostStep {
  const end = Buffer.byteLength(OLD);
  const bytes = { shaBefore: sha256(OLD), shaAfter: sha256(OLD + text), bytesBefore: end, splices: [{ from: end, to: end, text }] };
  return { kind: 'edit', path: CONFIG, diff: [], ...bytes, ...(check === undefined ? {} : { check }) };
}

const RESTARTS: HostStep = { kind: 'units', action: 'restart', units: ['containerd'] };

describe('the script of a fix', { timeout: LONG }, () => {
  it('says how it ended, may be run twice, and keeps an account', async () => {
    const host = hostWith();
    const script = scriptFor([CGROUP, RESTART]);
    expect(endOf(await host.run(script, []))).toBe('done');
    const after = host.read(CONFIG);
    expect(endOf(await host.run(script, ['apply']))).toBe('already');
    expect(host.read(CONFIG)).toBe(after);
    expect(host.calls()).toEqual(['restart containerd']);
    expect(host.read('var/lib/podcause/audit.log')).toMatch(/fix=fix-1 report=r1 who=someone@here host=\S+ outcome=done what=A fix\n/);
    expect(host.modeOf('var/lib/podcause')).toMatch(/^700 /);
    expect(parseJournal((await host.run(journalScript(), [])).out)).toEqual([
      { id: 'fix-1', state: 'done', title: 'A fix', at: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  it('tells its steps and boundaries without writing anything', async () => {
    const host = hostWith();
    const before = host.list('.');
    const script = scriptFor([CGROUP, RESTART]);
    expect((await host.run(script, ['status'])).out).toContain('step 1/2 pending edit /etc/containerd/config.toml');
    expect((await host.run(script, ['boundaries'])).out).toContain('1.written\n');
    expect((await host.run(script, ['help'])).code).toBe(64);
    expect(host.list('.')).toEqual(before);
  });

  it('puts the old bytes back and restarts again when the daemon does not come back', async () => {
    const host = hostWith();
    const ran = await host.run(scriptOf(appending('broken = true\n'), RESTARTS), ['apply']);
    expect(endOf(ran)).toBe('rolled-back');
    expect(ran.out).toContain('containerd was not well after systemctl restart; everything is as it was before');
    expect(host.read(CONFIG)).toBe(OLD);
    expect(host.calls()).toEqual(['restart containerd', 'restart containerd']);
    expect(host.read('fake/units/containerd/active')).toBe('active\n');
  });

  it('takes back a fix that a kubelet cannot start without, and says that it is undone', async () => {
    const disabled = 'version = 2\ndisabled_plugins = ["cri"]\n';
    const host = hostWith({ [CONFIG]: disabled }, ['containerd', 'kubelet']);
    host.write('fake/cri', 'none\n');
    const changes: readonly HostChange[] = [
      { do: 'containerd-enable', plugin: 'cri' },
      { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] },
    ];
    const script = scriptFor(changes, { texts: { [CONFIG]: disabled } });
    expect(endOf(await host.run(script, ['apply']))).toBe('done');
    expect(host.read('fake/units/kubelet/active')).toBe('active\n');
    const undone = await host.run(script, ['undo']);
    expect([endOf(undone), host.read(CONFIG)]).toEqual(['undone', disabled]);
    expect(host.read('fake/units/kubelet/active')).toBe('failed\n');
  });

  it('holds the kubelet while its runtime is restarted, forth and back', async () => {
    const host = hostWith(undefined, ['containerd', 'kubelet']);
    const script = scriptFor([CGROUP, { do: 'units', action: 'restart', units: ['containerd', 'kubelet'] }]);
    const course = ['stop kubelet', 'restart containerd', 'restart kubelet'];
    expect(endOf(await host.run(script, ['apply']))).toBe('done');
    expect(host.calls()).toEqual(course);
    expect(endOf(await host.run(script, ['undo']))).toBe('undone');
    expect(host.calls()).toEqual([...course, ...course]);
  });

  it('changes nothing when the new file does not pass its check, and lets nobody speak in its name', async () => {
    const host = hostWith();
    const ran = await host.run(scriptOf(appending('# unparsable\n', 'dump=$(containerd_dump)'), RESTARTS), ['apply']);
    expect(endOf(ran)).toBe('refused');
    expect(ran.out.match(/^@podcause end/gm)).toHaveLength(1);
    expect(ran.out).not.toContain('\u001b');
    expect(host.read(CONFIG)).toBe(OLD);
    expect(host.calls()).toEqual([]);
    expect([...host.list('etc/containerd'), ...host.list('var/lib/podcause/fixes')]).toEqual(['config.toml']);
  });

  it('changes nothing when a key stands where containerd passes over it', async () => {
    const host = hostWith();
    const wrong = appending(
      '[plugins."io.containerd.grpc.v1.cri".options]\nSystemdCgroup = true\n',
      "dump=$(containerd_dump) && dump_cgroup 'true'",
    );
    const ran = await host.run(scriptOf(wrong, RESTARTS), ['apply']);
    expect(endOf(ran)).toBe('refused');
    expect(ran.out).toContain('SystemdCgroup would be false');
    expect(host.read(CONFIG)).toBe(OLD);
  });

  it('leaves alone a file that somebody changed since it was planned', async () => {
    const host = hostWith({ [CONFIG]: `${OLD}# mine\n` });
    const ran = await host.run(scriptFor([CGROUP, RESTART]), ['apply']);
    expect(endOf(ran)).toBe('refused');
    expect(ran.out).toContain('is not what it was when this was planned');
    expect(host.read(CONFIG)).toBe(`${OLD}# mine\n`);
  });

  it('undoes a file that somebody changed since only by force, and keeps their version', async () => {
    const host = hostWith();
    const script = scriptFor([CGROUP, RESTART]);
    await host.run(script, ['apply']);
    const theirs = `${host.read(CONFIG)}# theirs\n`;
    host.write(CONFIG, theirs);
    expect(endOf(await host.run(script, ['undo']))).toBe('refused');
    expect(host.read(CONFIG)).toBe(theirs);
    expect(endOf(await host.run(storedScript('fix-1', true), ['undo']))).toBe('undone');
    expect(host.read(CONFIG)).toBe(OLD);
    expect(host.read('var/lib/podcause/fixes/fix-1/1.replaced')).toBe(theirs);
  });

  it('is refused while another run is under way, and not by one that is dead', async () => {
    const host = hostWith();
    const script = scriptFor([CGROUP, RESTART]);
    const started = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')[19];
    // Known by its start, or where that cannot be told by its number alone.
    for (const known of [started, 0]) {
      host.write('var/lib/podcause/lock', `${process.pid} ${known} other-fix\n`);
      const refused = await host.run(script, ['apply']);
      expect(refused.out).toContain(`end refused another run is under way: fix other-fix, process ${process.pid}`);
      expect(host.read(CONFIG)).toBe(OLD);
    }
    host.write('var/lib/podcause/lock', `${process.pid} 1 other-fix\n`);
    expect(endOf(await host.run(script, ['apply']))).toBe('done');
    expect(host.list('var/lib/podcause').filter((name) => name.includes('lock'))).toEqual([]);
  });

  it('lets one of two that begin together through, whatever a power cut left behind', async () => {
    const host = hostWith();
    host.write('var/lib/podcause/lock', '');
    const script = scriptFor([CGROUP, RESTART]);
    const ends = (await Promise.all([host.run(script, ['apply']), host.run(script, ['apply'])])).map(endOf).sort();
    expect([
      ['already', 'done'],
      ['done', 'refused'],
    ]).toContainEqual(ends);
    expect(host.calls()).toEqual(['restart containerd']);
  });

  it('ends a daemon that does not stop', async () => {
    const host = hostWith();
    host.write('fake/hangs', '');
    const ran = await host.run(scriptFor([RESTART]), ['apply']);
    expect(endOf(ran)).toBe('done');
    expect(host.calls()).toEqual(['restart containerd', 'kill --kill-who=main --signal=KILL containerd', 'restart containerd']);
  });

  it('takes a torn last line of its journal for one that was never written', async () => {
    const host = hostWith();
    const script = scriptFor([CGROUP, RESTART]);
    await host.run(script, ['apply'], { PODCAUSE_STOP_AT: 'end.before' });
    const state = host.read('var/lib/podcause/fixes/fix-1/state') ?? '';
    host.write('var/lib/podcause/fixes/fix-1/state', `${state}end do`);
    expect(parseJournal((await host.run(journalScript(), [])).out)).toMatchObject([{ state: 'begun' }]);
    expect(endOf(await host.run(script, ['undo']))).toBe('undone');
    expect(host.read(CONFIG)).toBe(OLD);
  });

  it('goes on from the journal through the launcher', async () => {
    const host = hostWith();
    await host.run(scriptFor([CGROUP, RESTART]), ['apply'], { PODCAUSE_STOP_AT: '1.written' });
    expect(endOf(await host.run(launchScript(storedScript('fix-1', false), 'fix-1', 'apply', 60), []))).toBe('done');
    expect(endOf(await host.run(launchScript(storedScript('fix-1', false), 'fix-1', 'undo', 60), []))).toBe('undone');
    expect(host.read(CONFIG)).toBe(OLD);
    expect(endOf(await host.run(storedScript('fix-2', false), ['undo']))).toBe('refused');
  });

  it('runs nothing that stands in names, titles or values, and shows no secret', async () => {
    const host = hostWith();
    const evil = "x'\"`touch $PODCAUSE_ROOT/pwned`$(touch $PODCAUSE_ROOT/pwned)\\';touch $PODCAUSE_ROOT/pwned\n\u001b[2J%s\\n";
    const text = `# ${evil}\n`;
    const about = { ...ABOUT, title: evil, who: evil, report: evil };
    const plan = planHost([CGROUP], stateOf({ texts: { [CONFIG]: OLD } }));
    const steps = [appending(text), ...planHost([RESTART], stateOf()).steps];
    const script = hostScript({ ...plan, steps, node: evil, warnings: [evil] }, about);
    expect(script).not.toContain('\u001b');
    const ran = await host.run(script, ['apply']);
    expect(endOf(ran)).toBe('done');
    expect(host.read(CONFIG)).toBe(OLD + text);
    expect(host.read('pwned')).toBeUndefined();
    const shown = hostScript(plan, ABOUT);
    expect(shown).toContain('redacted');
    expect(shown).not.toContain('hunter2');
    expect(
      host
        .list('var/lib/podcause')
        .filter((name) => /state|about|run\.sh|audit/.test(name))
        .map((name) => host.read(`var/lib/podcause/${name}`))
        .join(''),
    ).not.toContain('hunter2');
  });

  it('does nothing at all when only a part of it arrives', async () => {
    const script = scriptFor([CGROUP, RESTART]);
    for (const share of [0.1, 0.5, 0.9, 0.999]) {
      const host = hostWith();
      await host.run(script.slice(0, Math.floor(script.length * share)), ['apply']);
      expect(host.read(CONFIG)).toBe(OLD);
      expect(host.list('var/lib/podcause')).toEqual([]);
    }
  });

  it('takes only plain names for a fix', () => {
    for (const id of ['../x', 'a b', '', 'A', '-a', "a'b"]) {
      expect(() => hostScript(planHost([], stateOf()), { ...ABOUT, id })).toThrow(RangeError);
      expect(() => storedScript(id, false)).toThrow(RangeError);
    }
  });
});
