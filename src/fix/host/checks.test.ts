import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostChange } from '../../model/change.ts';
import { checksOf } from './checks.ts';
import { BASE } from './shell/base.ts';
import { CHECKS } from './shell/checks.ts';
import { stateOf } from './testing-state.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podcause-checks-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** The program itself, on a file of this text. */
function passes(change: HostChange, text: string, commands: readonly string[]): boolean {
  const file = join(folder, 'new');
  writeFileSync(file, text);
  const check = checksOf(change, stateOf({ commands: new Set(commands) })).join(' && ');
  const script = `id=x\n${BASE}\n${CHECKS}\njournal=${folder}\nnew=${file}\n${check}`;
  return spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).status === 0;
}

const CRI = 'plugins."io.containerd.grpc.v1.cri"';
const CGROUP: HostChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true };
const RUNC = `[${CRI}.containerd.runtimes.runc]\nruntime_type = "io.containerd.runc.v2"\n`;
const SANDBOX: HostChange = { do: 'containerd-set', setting: 'sandbox_image', value: 'reg.example/pause:3.9' };
const REGISTRY: HostChange = { do: 'containerd-set', setting: 'registry_config_path', value: '/etc/containerd/certs.d' };
const ENABLE: HostChange = { do: 'containerd-enable', plugin: 'cri' };

describe('what containerd itself says of a new file', () => {
  const files: readonly (readonly [string, HostChange, string, boolean])[] = [
    ['a key in its table', CGROUP, `version = 2\n${RUNC}[${CRI}.containerd.runtimes.runc.options]\nSystemdCgroup = true\n`, true],
    ['a key in another table', CGROUP, `version = 2\n${RUNC}SystemdCgroup = true\n`, false],
    ['another value', CGROUP, `version = 2\n${RUNC}[${CRI}.containerd.runtimes.runc.options]\nSystemdCgroup = false\n`, false],
    [
      'a default runtime of another name',
      CGROUP,
      `version = 2\n[${CRI}.containerd]\ndefault_runtime_name = "own"\n${RUNC}[${CRI}.containerd.runtimes.runc.options]\nSystemdCgroup = true\n[${CRI}.containerd.runtimes.own]\nruntime_type = "io.containerd.runc.v2"\n`,
      false,
    ],
    ['a file that does not parse', CGROUP, 'version = 2\n[plugins', false],
    ['a sandbox image', SANDBOX, `version = 2\n[${CRI}]\nsandbox_image = "reg.example/pause:3.9"\n`, true],
    ['a sandbox image one table too deep', SANDBOX, `version = 2\n[${CRI}.containerd]\nsandbox_image = "reg.example/pause:3.9"\n`, false],
    ['a folder for registries', REGISTRY, `version = 2\n[${CRI}.registry]\nconfig_path = "/etc/containerd/certs.d"\n`, true],
    ['a folder for registries elsewhere', REGISTRY, `version = 2\n[${CRI}]\nconfig_path = "/etc/containerd/certs.d"\n`, false],
    ['a plugin that is on', ENABLE, 'version = 2\ndisabled_plugins = []\n', true],
    ['a plugin that is off by its long name', ENABLE, 'version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n', false],
  ];

  it.runIf(has('containerd')).each(files)('%s', (_name, change, text, good) => {
    expect(passes(change, text, ['containerd'])).toBe(good);
  });

  it('is not asked where there is no containerd to ask', () => {
    expect(checksOf(CGROUP, stateOf({ commands: new Set() }))).toEqual([]);
  });
});

describe('what other programs say', () => {
  const json: HostChange = { do: 'docker-set', option: 'debug', value: true };
  it.runIf(has('python3'))('JSON is told from what is not', () => {
    expect(passes(json, '{"debug": true}', ['python3'])).toBe(true);
    expect(passes(json, '{"debug": true', ['python3'])).toBe(false);
  });

  it.runIf(has('systemd-analyze'))('a drop-in with a setting that systemd does not know is not taken', () => {
    const change: HostChange = { do: 'drop-in', unit: 'systemd-journald', lines: ['LimitNOFILE=100'] };
    expect(passes(change, '[Service]\nLimitNOFILE=100\n', ['systemd-analyze'])).toBe(true);
    expect(passes(change, '[Service]\nLimitNOFILES=100\n', ['systemd-analyze'])).toBe(false);
  });
});
