import { symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import type { HostChange } from '../../model/change.ts';
import { askedBy } from './asked.ts';
import type { HostState } from './host-state.ts';
import { parseSurvey } from './parse-survey.ts';
import { surveyScript } from './survey.ts';
import { BUSYBOX, hasBusybox, TestHost } from './testing-host.ts';

const hosts: TestHost[] = [];
afterEach(() => {
  for (const host of hosts.splice(0)) host.remove();
});

function hostWith(units: readonly string[] = ['containerd', 'kubelet']): TestHost {
  const host = new TestHost(units);
  hosts.push(host);
  return host;
}

async function survey(host: TestHost, changes: readonly HostChange[], shell?: readonly string[]): Promise<HostState> {
  return parseSurvey((await host.run(surveyScript(askedBy(changes)), [], {}, shell)).out, 'worker-1');
}

const CGROUP: HostChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true };
const CONFIG = '/etc/containerd/config.toml';

describe('the survey of a host', () => {
  it('tells what a plan needs, and writes nothing', async () => {
    const host = hostWith();
    const text = '\uFEFFversion = 2\r\n# é $(x) \u001b[31m\n';
    host.write(CONFIG, text);
    host.write('proc/sys/vm/max_map_count', '65530\n');
    host.write('proc/uptime', '1000.00 1\n');
    host.write('fake/packages/lvm2', '');
    const before = host.list('.').filter((path) => path !== 'fake/calls');
    const state = await survey(host, [
      CGROUP,
      { do: 'sysctl', key: 'vm.max_map_count', value: '262144' },
      { do: 'package', names: { debian: 'lvm2', rhel: 'other' }, command: 'iscsiadm' },
    ]);
    expect(state).toMatchObject({
      complete: true,
      node: 'worker-1',
      family: 'debian',
      os: 'Debian 12',
      manager: 'apt-get',
      hasSystemd: true,
      etcWritable: true,
    });
    expect(state.files.get(CONFIG)).toMatchObject({ text, mode: '644', real: CONFIG, modified: expect.any(Number) });
    expect(Object.fromEntries(state.units)).toEqual({ containerd: 'active', kubelet: 'active' });
    expect(state.since.get('containerd')).toBeCloseTo(Date.now() / 1000 - 1000, -2);
    expect(state.versions.get('containerd')).toBe('1.7.2');
    expect(state.sysctls.get('vm.max_map_count')).toBe('65530');
    expect([...state.packages]).toEqual(['lvm2']);
    expect(state.modules.has('overlay')).toBe(true);
    expect(state.commands.has('iscsiadm')).toBe(false);
    expect(state.freeBytes).toBeGreaterThan(0);
    expect(state.journal).toEqual([]);
    expect(host.list('.').filter((path) => path !== 'fake/calls')).toEqual(before);
    expect(host.calls()).toEqual([]);
  });

  it.runIf(hasBusybox())('tells the same in the shell of busybox', async () => {
    const host = hostWith();
    host.write(CONFIG, 'version = 2\n');
    const told = async (shell?: readonly string[]) => {
      const { files, units, os, complete, configs, versions } = await survey(host, [CGROUP], shell);
      return { files, units, os, complete, configs, versions };
    };
    const here = await told();
    expect(here.complete).toBe(true);
    expect(await told(BUSYBOX)).toEqual(here);
  });

  it('believes the process that systemd started, not one that bears its name', async () => {
    const host = hostWith();
    host.write('proc/50/comm', 'containerd\n');
    host.write('proc/50/cmdline', 'containerd\0--config\0/etc/evil.toml\0');
    expect((await survey(host, [CGROUP])).configs.containerd).toBe(CONFIG);
    host.write('proc/100/cmdline', '/usr/bin/containerd\0--config=/etc/other/c.toml\0--address\0/run/x.sock\0');
    const state = await survey(host, [CGROUP]);
    expect(state).toMatchObject({ configs: { containerd: '/etc/other/c.toml' }, containerdSocket: '/run/x.sock' });
  });

  it('takes the arguments of a daemon that does not run from its unit', async () => {
    const host = hostWith([]);
    host.write(
      'etc/systemd/system/kubelet.service.d/10-own.conf',
      '[Service]\n# --config=/etc/no.yaml\nExecStart=/usr/bin/kubelet --config=/etc/kubelet/own.yaml\n',
    );
    expect((await survey(host, [CGROUP])).configs.kubelet).toBe('/etc/kubelet/own.yaml');
  });

  it('follows links, and says what it could not read', async () => {
    const host = hostWith();
    host.write('opt/real.toml', 'version = 2\n');
    host.folder('etc/containerd');
    symlinkSync('../../opt/real.toml', host.path(CONFIG));
    expect((await survey(host, [CGROUP])).files.get(CONFIG)).toMatchObject({ real: '/opt/real.toml' });
    host.folder('etc/docker/daemon.json');
    const docker: HostChange = { do: 'docker-set', option: 'debug', value: true };
    expect((await survey(host, [docker])).unread.get('/etc/docker/daemon.json')).toBe('not a file');
    writeFileSync(host.path('opt/real.toml'), Buffer.from([0x61, 0xff, 0xfe]));
    expect((await survey(host, [CGROUP])).unread.get(CONFIG)).toBe('not UTF-8');
  });

  it('finds containers that docker calls Up although they are gone', async () => {
    const host = hostWith(['containerd', 'docker']);
    host.write('fake/docker-ids', 'abc\n');
    expect(await survey(host, [])).toMatchObject({ ghosts: ['lost'], dockerSilent: false });
    host.program('docker', '#!/bin/sh\nexit 1\n');
    expect(await survey(host, [])).toMatchObject({ ghosts: [], dockerSilent: true });
  });

  it('tells of fixes that were cut off', async () => {
    const host = hostWith();
    host.write('var/lib/podcause/fixes/f1/state', 'run\nbegin 1\n');
    host.write('var/lib/podcause/fixes/f1/about', 'title A title\nat 2026-01-02T03:04:05Z\n');
    host.write('var/lib/podcause/fixes/f2/state', 'run\nend done\nundo\nend undone\n');
    host.write('var/lib/podcause/fixes/f3/state', 'run\nrollback\n');
    host.write('var/lib/podcause/fixes/Not ours/state', 'run\n');
    expect((await survey(host, [])).journal).toEqual([
      { id: 'f1', state: 'begun', title: 'A title', at: '2026-01-02T03:04:05Z' },
      { id: 'f2', state: 'undone', title: '', at: '' },
      { id: 'f3', state: 'begun', title: '', at: '' },
    ]);
  });

  it('asks for nothing that is not soundly named', () => {
    const evil = "x'; touch /tmp/pwned; '";
    const asked = askedBy([
      { do: 'units', action: 'start', units: [evil] },
      { do: 'sysctl', key: evil, value: '1' },
      { do: 'remove-file', path: `/etc/${evil}` },
      { do: 'package', names: { debian: evil }, command: evil },
      { do: 'apparmor-unload', profile: evil },
    ]);
    expect(surveyScript(asked)).not.toContain('pwned');
  });
});

describe('what a survey printed', () => {
  it('is not complete without its end, and nothing before its beginning counts', () => {
    expect(parseSurvey('podcause-survey 1\nsystemd yes\n', 'n')).toMatchObject({ complete: false, hasSystemd: true });
    expect(parseSurvey('systemd yes\npodcause-survey 1\nend\nsystemd yes\n', 'n')).toMatchObject({ complete: true, hasSystemd: false });
    expect(parseSurvey('', 'n')).toMatchObject({ complete: false, freeBytes: 0 });
  });

  it('is taken only where it is sound', () => {
    const word = (text: string) => `b:${Buffer.from(text).toString('base64')}`;
    const state = parseSurvey(
      [
        'podcause-survey 1',
        `file ${word('/etc/a')} ${word('/etc/a')} 644 0:0 1 ${'0'.repeat(64)} ${word('text')}`,
        `file ${word('/etc/b')} ${word('/etc/b')} rw 0:0 1 x ${word('text')}`,
        'manager rm',
        'version docker $(x)',
        'free -5',
        'end',
      ].join('\n'),
      'n',
    );
    expect([...state.unread.keys()]).toEqual(['/etc/a', '/etc/b']);
    expect(state).toMatchObject({ manager: undefined, freeBytes: 0, files: new Map(), versions: new Map() });
  });
});
