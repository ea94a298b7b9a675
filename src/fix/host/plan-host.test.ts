import { describe, expect, it } from 'vitest';
import type { HostChange } from '../../model/change.ts';
import { applySplices } from '../edit/index.ts';
import type { HostStep } from './host-step.ts';
import { planHost } from './plan-host.ts';
import { fileOf, stateOf } from './testing-state.ts';

const CONFIG = '/etc/containerd/config.toml';
const CGROUP: HostChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true };
const RESTART: HostChange = { do: 'units', action: 'restart', units: ['kubelet', 'containerd.service'] };
const SYSTEMD = `version = 2
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
SystemdCgroup = true
`;

function kinds(steps: readonly HostStep[]): readonly string[] {
  return steps.map((step) =>
    step.kind === 'units' ? `${step.action} ${step.units.join(' ')}` : 'path' in step ? `${step.kind} ${step.path}` : step.kind,
  );
}

describe('the plan for a host', () => {
  it('edits one file once for all its changes, and restarts each unit once, after it, in order', () => {
    const changes: HostChange[] = [RESTART, CGROUP, { do: 'containerd-set', setting: 'sandbox_image', value: 'a/pause:3.9' }, RESTART];
    const { steps, refused } = planHost(changes, stateOf({ texts: { [CONFIG]: 'version = 2\n' } }));
    expect(refused).toEqual([]);
    expect(kinds(steps)).toEqual([`edit ${CONFIG}`, 'restart containerd kubelet']);
    const [edit] = steps;
    if (edit?.kind !== 'edit') throw new Error('no edit');
    const after = applySplices('version = 2\n', edit.splices);
    expect(after).toContain('SystemdCgroup = true');
    expect(after).toContain('sandbox_image = "a/pause:3.9"');
    expect(edit.shaAfter).toBe(fileOf('', after).sha256);
    expect(edit.check).toBe(`dump=$(containerd_dump) && dump_cgroup 'true' && dump_sandbox 'a/pause:3.9'`);
  });

  it('writes a file that is not there, in the version that this containerd reads', () => {
    const [old] = planHost([CGROUP], stateOf()).steps;
    const [young] = planHost([CGROUP], stateOf({ versions: new Map([['containerd', '2.0.1']]) })).steps;
    expect(old).toMatchObject({ kind: 'create', path: CONFIG, text: expect.stringMatching(/^version = 2\n/) });
    expect(young).toMatchObject({ kind: 'create', text: expect.stringMatching(/^version = 3\n.*cri\.v1\.runtime/s) });
    expect(planHost([CGROUP], stateOf({ versions: new Map() })).refused).toEqual([expect.stringContaining('does not say its release')]);
  });

  it('edits the file a link leads to', () => {
    const files = new Map([[CONFIG, { ...fileOf(CONFIG, 'version = 2\n'), real: '/opt/containerd/real.toml' }]]);
    expect(kinds(planHost([CGROUP], stateOf({ files })).steps)).toEqual(['edit /opt/containerd/real.toml']);
    const away = new Map([[CONFIG, { ...fileOf(CONFIG, 'version = 2\n'), real: '/home/user/x.toml' }]]);
    expect(planHost([CGROUP], stateOf({ files: away }))).toMatchObject({ steps: [], refused: [expect.stringContaining('no place')] });
  });

  it('has no step for what is in place, unless the daemon began before it was', () => {
    const texts = { [CONFIG]: SYSTEMD };
    const fresh = new Map([
      ['containerd', 2000],
      ['kubelet', 2000],
    ]);
    expect(planHost([CGROUP, RESTART], stateOf({ texts, since: fresh })).steps).toEqual([]);
    expect(kinds(planHost([CGROUP, RESTART], stateOf({ texts, since: new Map([...fresh, ['containerd', 999]]) })).steps)).toEqual([
      'restart containerd',
    ]);
    expect(kinds(planHost([CGROUP, RESTART], stateOf({ texts })).steps)).toEqual(['restart containerd kubelet']);
  });

  it('restarts for its own sake where nothing else is asked', () => {
    const since = new Map([['containerd', 5000]]);
    expect(kinds(planHost([{ do: 'units', action: 'restart', units: ['containerd'] }], stateOf({ since })).steps)).toEqual([
      'restart containerd',
    ]);
  });

  it('starts and enables only what is not', () => {
    const changes: HostChange[] = [
      { do: 'units', action: 'enable', units: ['containerd', 'kubelet'] },
      { do: 'units', action: 'start', units: ['kubelet', 'containerd'] },
    ];
    const state = stateOf({
      enabled: new Set(['kubelet']),
      units: new Map([
        ['containerd', 'inactive'],
        ['kubelet', 'active'],
      ]),
    });
    expect(kinds(planHost(changes, state).steps)).toEqual(['enable containerd', 'start containerd']);
  });

  it('restarts docker after containerd, and names the containers that are Up only in its list', () => {
    const units = new Map([
      ['containerd', 'active'],
      ['docker', 'active'],
      ['kubelet', 'active'],
    ]);
    const plan = planHost([RESTART], stateOf({ units, ghosts: ['shop-db', 'e\u001b[31mvil'] }));
    expect(kinds(plan.steps)).toEqual(['restart containerd docker kubelet']);
    expect(plan.warnings).toEqual([expect.stringContaining('restarting containerd alone'), expect.stringContaining('shop-db, e?[31mvil')]);
    const quiet = planHost([RESTART], stateOf({ units }));
    expect(quiet.warnings).toEqual([expect.stringContaining('restarting containerd alone')]);
    const silent = planHost([RESTART], stateOf({ units, dockerSilent: true }));
    expect(silent.warnings).toContainEqual(expect.stringContaining('docker did not answer'));
    expect(planHost([RESTART], stateOf()).warnings).toEqual([]);
  });

  it('loads a module before the setting it brings, and keeps both for the next start', () => {
    const changes: HostChange[] = [
      { do: 'module', name: 'br-netfilter' },
      { do: 'sysctl', key: 'net.bridge.bridge-nf-call-iptables', value: '1' },
    ];
    expect(kinds(planHost(changes, stateOf()).steps)).toEqual([
      'module',
      'create /etc/modules-load.d/podcause.conf',
      'sysctl',
      'create /etc/sysctl.d/zz-podcause.conf',
    ]);
    const there = stateOf({ modules: new Set(['br_netfilter']), sysctls: new Map([['net.bridge.bridge-nf-call-iptables', '1']]) });
    expect(planHost(changes, there).steps).toEqual([]);
    expect(planHost(changes.slice(1), stateOf()).refused).toEqual([expect.stringContaining('no setting net.bridge')]);
  });

  it('leaves a higher value where that is as good', () => {
    const change: HostChange = { do: 'sysctl', key: 'vm.max_map_count', value: '262144', atLeast: true };
    expect(planHost([change], stateOf({ sysctls: new Map([['vm.max_map_count', '1048576']]) })).steps).toEqual([]);
    expect(planHost([change], stateOf()).steps[0]).toMatchObject({ kind: 'sysctl', before: '65530', value: '262144' });
  });

  it('adds to a drop-in of an earlier fix', () => {
    const path = '/etc/systemd/system/containerd.service.d/50-podcause.conf';
    const change: HostChange = { do: 'drop-in', unit: 'containerd', lines: ['[Service]', 'LimitNOFILE=1048576'] };
    expect(planHost([change], stateOf()).steps[0]).toMatchObject({ kind: 'create', path, text: '[Service]\nLimitNOFILE=1048576\n' });
    const [added] = planHost([change], stateOf({ texts: { [path]: '[Service]\nTasksMax=infinity' } })).steps;
    expect(added).toMatchObject({ kind: 'edit', splices: [{ from: 27, to: 27, text: '\n[Service]\nLimitNOFILE=1048576\n' }] });
    expect(planHost([change], stateOf({ texts: { [path]: '[Service]\nLimitNOFILE=1048576\n' } })).steps).toEqual([]);
  });

  it('installs by the family of the host', () => {
    const change: HostChange = { do: 'package', names: { debian: 'open-iscsi', rhel: 'iscsi-initiator-utils' }, command: 'iscsiadm' };
    const start: HostChange = { do: 'units', action: 'start', units: ['iscsid'] };
    expect(planHost([change, start], stateOf()).steps).toEqual([
      { kind: 'package', name: 'open-iscsi', manager: 'apt-get', command: 'iscsiadm' },
      { kind: 'units', action: 'start', units: ['iscsid'] },
    ]);
    expect(planHost([change], stateOf({ commands: new Set(['iscsiadm']) })).steps).toEqual([]);
    expect(planHost([change], stateOf({ packages: new Set(['open-iscsi']) })).steps).toEqual([]);
    expect(planHost([change], stateOf({ family: 'suse', manager: 'zypper' })).refused).toEqual([expect.stringContaining('SUSE')]);
    expect(planHost([change], stateOf({ family: undefined, manager: undefined, os: 'Talos' })).refused).toEqual([
      expect.stringContaining('Talos'),
    ]);
  });

  it('says that kubeadm writes the file of the kubelet anew', () => {
    const texts = { '/var/lib/kubelet/config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n' };
    const change: HostChange = { do: 'kubelet-set', key: 'maxPods', value: 200 };
    expect(planHost([change], stateOf({ texts })).warnings).toEqual([expect.stringContaining('kubelet-config')]);
    expect(planHost([change], stateOf({ texts, commands: new Set() })).warnings).toEqual([]);
  });

  it('checks daemon.json by docker itself where that can, else as JSON', () => {
    const change: HostChange = {
      do: 'docker-set',
      option: 'exec-opts',
      value: 'native.cgroupdriver=systemd',
      prefix: 'native.cgroupdriver=',
    };
    const checkWith = (version: string, commands: readonly string[]) =>
      planHost([change], stateOf({ versions: new Map([['docker', version]]), commands: new Set(commands) })).steps[0];
    expect(checkWith('24.0.7', ['dockerd', 'python3'])).toMatchObject({ kind: 'create', check: 'docker_takes' });
    expect(checkWith('20.10.24', ['dockerd', 'python3'])).toMatchObject({ check: 'is_json' });
    expect(checkWith('20.10.24', ['dockerd'])).not.toHaveProperty('check');
  });

  it('removes a file, not what a link leads to', () => {
    const path = '/var/lib/kubelet/cpu_manager_state';
    const change: HostChange = { do: 'remove-file', path };
    expect(planHost([change], stateOf({ texts: { [path]: '{}' } })).steps).toEqual([
      { kind: 'remove', path, shaBefore: fileOf('', '{}').sha256 },
    ]);
    expect(planHost([change], stateOf()).steps).toEqual([]);
    const linked = new Map([[path, { ...fileOf(path, '{}'), real: '/var/lib/kubelet/other' }]]);
    expect(planHost([change], stateOf({ files: linked })).refused).toEqual([expect.stringContaining('link')]);
  });
});

describe('no plan', () => {
  const refusals: readonly (readonly [string, readonly HostChange[], Parameters<typeof stateOf>[0], string])[] = [
    ['half a survey', [RESTART], { complete: false }, 'did not tell all'],
    ['a fix that was cut off', [RESTART], { journal: [{ id: 'f1', state: 'begun', title: 'T', at: '' }] }, 'podcause fix --resume f1'],
    ['a file that was not read', [CGROUP], { unread: new Map([[CONFIG, 'not UTF-8']]) }, 'not UTF-8'],
    ['a file that is not what it should be', [CGROUP], { texts: { [CONFIG]: 'version = [' } }, 'TOML'],
    [
      'a file made by k3s',
      [CGROUP],
      { configs: { ...stateOf().configs, containerd: '/var/lib/rancher/k3s/agent/etc/containerd/config.toml' } },
      'template',
    ],
    ['a kubelet without a file', [{ do: 'kubelet-set', key: 'maxPods', value: 200 }], {}, 'no configuration file'],
    ['no systemd', [RESTART], { hasSystemd: false }, 'no systemd'],
    ['a unit that is not there', [{ do: 'units', action: 'start', units: ['iscsid'] }], {}, 'no unit iscsid'],
    ['an /etc that cannot be written', [CGROUP], { etcWritable: false }, '/etc cannot be written'],
    ['a full disk', [RESTART], { freeBytes: 1_000_000 }, 'are free'],
    ['no kubeadm', [{ do: 'kubeadm-renew', names: ['all'] }], { commands: new Set() }, 'kubeadm'],
    ['a unit with a command in it', [{ do: 'units', action: 'restart', units: ['x; reboot'] }], {}, 'is not something'],
    ['a unit that stops the host', [{ do: 'units', action: 'start', units: ['reboot.target'] }], {}, 'is not something'],
    ['a module with an option', [{ do: 'module', name: '-r' }], {}, 'is not something'],
    ['a package with a space', [{ do: 'package', names: { debian: 'a b' } }], {}, 'is not something'],
    ['a slot that was never filled', [{ do: 'package', names: { debian: '{{package}}' } }], {}, 'is not something'],
    ['a sysctl that runs programs', [{ do: 'sysctl', key: 'kernel.core_pattern', value: '|/bin/sh' }], {}, 'is not something'],
    ['a drop-in that runs programs', [{ do: 'drop-in', unit: 'kubelet', lines: ['ExecStartPre=/bin/sh'] }], {}, 'is not something'],
    ['a value of two lines', [{ do: 'containerd-set', setting: 'sandbox_image', value: 'a\nb' }], {}, 'is not something'],
    ['a removal of accounts', [{ do: 'remove-file', path: '/etc/shadow' }], {}, 'is not something'],
    ['a removal by dots', [{ do: 'remove-file', path: '/etc/x/../shadow' }], {}, 'is not something'],
    ['a kubelet open to all', [{ do: 'kubelet-set', key: 'authentication.anonymous.enabled', value: true }], {}, 'is not something'],
  ];

  it.each(refusals)('with %s', (_name, changes, given, words) => {
    const { steps, refused } = planHost(changes, stateOf(given));
    expect(steps).toEqual([]);
    expect(refused.join('\n')).toContain(words);
  });

  it('of a part: with one change refused the others are not made either', () => {
    const plan = planHost([{ do: 'module', name: 'nbd' }, CGROUP, RESTART], stateOf({ texts: { [CONFIG]: 'version = [' } }));
    expect(plan).toMatchObject({ steps: [], refused: [expect.any(String)] });
  });

  it('says words from a report without what steers a terminal', () => {
    const { refused } = planHost([{ do: 'module', name: '\u001b[2Jx\nnode: fine' }], stateOf());
    expect(refused.join('')).not.toMatch(/\p{Cc}/u);
  });
});
