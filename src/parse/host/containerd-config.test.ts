import { describe, expect, it } from 'vitest';
import { hear, linesOf, told } from './testing.ts';

const CRI_2 = 'plugins."io.containerd.grpc.v1.cri"';
const RUNTIME_3 = "plugins.'io.containerd.cri.v1.runtime'";

function drivers(text: string, context = {}) {
  return told(hear(text, context), 'runtime.cgroup-driver');
}

function settings(text: string, context = {}) {
  return Object.fromEntries(told(hear(text, context), 'runtime.setting').map(({ key, value }) => [key, value]));
}

const DUMP_2 = `disabled_plugins = []
imports = ["/etc/containerd/config.toml"]
oom_score = 0
root = "/var/lib/containerd"
state = "/run/containerd"
version = 2

[cgroup]
  path = ""

[grpc]
  address = "/run/containerd/containerd.sock"

[plugins]

  [${CRI_2}]
    sandbox_image = "registry.k8s.io/pause:3.8"
    systemd_cgroup = false

    [${CRI_2}.cni]
      bin_dir = "/opt/cni/bin"
      conf_dir = "/etc/cni/net.d"

    [${CRI_2}.containerd]
      default_runtime_name = "runc"
      snapshotter = "overlayfs"

      [${CRI_2}.containerd.default_runtime]
        runtime_type = ""

        [${CRI_2}.containerd.default_runtime.options]

      [${CRI_2}.containerd.runtimes]

        [${CRI_2}.containerd.runtimes.runc]
          runtime_type = "io.containerd.runc.v2"

          [${CRI_2}.containerd.runtimes.runc.options]
            BinaryName = ""
            SystemdCgroup = true

    [${CRI_2}.registry]
      config_path = "/etc/containerd/certs.d"

[timeouts]
  "io.containerd.timeout.shim.cleanup" = "5s"
`;

describe('containerd config dump', () => {
  const heard = hear(DUMP_2, { command: 'containerd config dump', node: 'Node/oak-3' });

  it('is one whole block, and effective', () => {
    expect(heard.taken).toEqual([{ what: 'containerd config.toml', lines: [1, 46] }]);
    expect(heard.coverage).toEqual([
      { channel: 'containerd-config', about: 'Node/oak-3', extent: 'whole', doc: 'paste.txt', lines: [1, 46] },
    ]);
    expect(told(heard, 'runtime.cgroup-driver')).toEqual([
      {
        about: 'Node/oak-3',
        runtime: 'containerd',
        driver: 'systemd',
        explicit: true,
        source: 'effective',
        handler: 'runc',
        configVersion: 2,
      },
    ]);
    expect(linesOf(heard.facts.find(({ kind }) => kind === 'runtime.cgroup-driver'))).toEqual([40, 40]);
  });

  it('tells the settings', () => {
    expect(settings(DUMP_2)).toMatchObject({
      root: '/var/lib/containerd',
      state: '/run/containerd',
      sandbox_image: 'registry.k8s.io/pause:3.8',
      systemd_cgroup: 'false',
      bin_dir: '/opt/cni/bin',
      conf_dir: '/etc/cni/net.d',
      default_runtime_name: 'runc',
      snapshotter: 'overlayfs',
      config_path: '/etc/containerd/certs.d',
      imports: '/etc/containerd/config.toml',
      'runtimes.runc.runtime_type': 'io.containerd.runc.v2',
      'grpc.address': '/run/containerd/containerd.sock',
    });
  });

  it('is told apart from the defaults, which say nothing about the node', () => {
    const defaults = hear(DUMP_2, { command: 'containerd config default' });
    expect(defaults.facts).toEqual([]);
    expect(defaults.coverage).toEqual([]);
    expect(defaults.taken).toHaveLength(1);
    const written = drivers(DUMP_2, { command: 'containerd config default | sudo tee /etc/containerd/config.toml' });
    expect(written).toMatchObject([{ source: 'file' }]);
  });

  it('knows a dump by a heading above it', () => {
    expect(drivers(`Output of containerd config dump:\n\n${DUMP_2}`)).toMatchObject([{ source: 'effective' }]);
  });
});

describe('a key that is not written', () => {
  const handler = (options: string) =>
    `version = 3\n[${RUNTIME_3}]\n[${RUNTIME_3}.containerd.runtimes.runc]\nruntime_type = 'io.containerd.runc.v2'\n${options}`;

  it('means cgroupfs in a whole file', () => {
    const text = handler(`[${RUNTIME_3}.containerd.runtimes.runc.options]\nBinaryName = ''\n`);
    expect(drivers(text)).toEqual([
      { about: 'Node/?', runtime: 'containerd', driver: 'cgroupfs', handler: 'runc', explicit: false, source: 'file', configVersion: 3 },
    ]);
    expect(drivers(handler(''))).toMatchObject([{ driver: 'cgroupfs', explicit: false }]);
    expect(drivers(`version = 2\n[${CRI_2}]\nsandbox_image = "pause"`)).toMatchObject([
      { handler: 'runc', driver: 'cgroupfs', explicit: false },
    ]);
  });

  it('means nothing in a fragment, with imports, or with CRI switched off', () => {
    expect(drivers(`...\n[${CRI_2}.containerd.runtimes.runc.options]\nBinaryName = ""\n...`)).toEqual([]);
    expect(drivers(`imports = ["/etc/containerd/conf.d/*.toml"]\n${handler('')}`)).toEqual([]);
    expect(drivers(handler(''), { command: 'head -4 /etc/containerd/config.toml' })).toEqual([]);
    expect(drivers(handler(''), { command: 'cat /etc/containerd/conf.d/10-runc.toml' })).toEqual([]);
    expect(drivers(`version = 2\ndisabled_plugins = ["io.containerd.grpc.v1.cri"]\n[${CRI_2}]\nsandbox_image = "pause"`)).toEqual([]);
  });

  it('counts for runc handlers only, each by itself', () => {
    const text = `version = 2
[${CRI_2}.containerd]
default_runtime_name = "nvidia"
[${CRI_2}.containerd.runtimes.nvidia]
runtime_type = "io.containerd.runc.v2"
[${CRI_2}.containerd.runtimes.nvidia.options]
BinaryName = "/usr/bin/nvidia-container-runtime"
[${CRI_2}.containerd.runtimes.kata]
runtime_type = "io.containerd.kata.v2"
[${CRI_2}.containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[${CRI_2}.containerd.runtimes.runc.options]
SystemdCgroup = true`;
    expect(drivers(text).map(({ handler, driver, explicit }) => [handler, driver, explicit])).toEqual([
      ['runc', 'systemd', true],
      ['nvidia', 'cgroupfs', false],
    ]);
  });
});

describe('fragments', () => {
  it('reads one table with omissions around, indented as it stood', () => {
    const text = `...\n        [${CRI_2}.containerd.runtimes.runc.options]\n          ShimCgroup = ""\n          SystemdCgroup = false\n...`;
    const heard = hear(text);
    expect(told(heard, 'runtime.cgroup-driver')).toEqual([
      { about: 'Node/?', runtime: 'containerd', driver: 'cgroupfs', explicit: true, source: 'file', handler: 'runc' },
    ]);
    expect(heard.coverage).toMatchObject([{ extent: 'excerpt' }]);
    expect(linesOf(heard.facts[0])).toEqual([4, 4]);
  });

  it.each([
    ['a line alone', 'SystemdCgroup = false', 'cgroupfs', undefined],
    ['grep -n', '139:            SystemdCgroup = true', 'systemd', undefined],
    ['grep of a path', '/etc/containerd/config.toml:            SystemdCgroup = true', 'systemd', undefined],
    ['a table cut in front', 'ShimCgroup = ""\nSystemdCgroup = false', 'cgroupfs', undefined],
    ['eaten quotes', '[plugins.io.containerd.grpc.v1.cri.containerd.runtimes.runc.options]\nSystemdCgroup = true', 'systemd', 'runc'],
    ['typeset quotes', '[plugins.“io.containerd.grpc.v1.cri”.containerd.runtimes.crun.options]\nSystemdCgroup = true', 'systemd', 'crun'],
    ['version 1', '[plugins.cri.containerd.runtimes.runc.options]\n  SystemdCgroup = true', 'systemd', 'runc'],
    ['version 3', `[${RUNTIME_3}.containerd.runtimes.runc.options]\n  SystemdCgroup = true`, 'systemd', 'runc'],
    ['a comment behind', 'SystemdCgroup = true # was false', 'systemd', undefined],
  ])('%s', (_name, text, driver, handler) => {
    const [fact, ...more] = drivers(text);
    expect(fact).toEqual({
      about: 'Node/?',
      runtime: 'containerd',
      driver,
      explicit: true,
      source: 'file',
      ...(handler ? { handler } : {}),
    });
    expect(more).toEqual([]);
  });

  it('is effective when filtered out of a dump, and covers an excerpt', () => {
    const heard = hear('            SystemdCgroup = false', { command: 'sudo containerd config dump | grep SystemdCgroup' });
    expect(told(heard, 'runtime.cgroup-driver')).toMatchObject([{ source: 'effective', driver: 'cgroupfs' }]);
    expect(heard.coverage).toMatchObject([{ extent: 'excerpt' }]);
  });

  it.each([
    'You have to set SystemdCgroup = true in the file.',
    "sudo sed -i 's/SystemdCgroup = false/SystemdCgroup = true/' /etc/containerd/config.toml",
    '# SystemdCgroup = true',
    'SystemdCgroup',
    'SystemdCgroup = "true"',
    'SystemdCgroup: true',
    '[plugins]\nfoo = 1',
    '[debug]\nlevel = "info"',
    'version = 2',
    'version = "3.8"\nservices:\n  web:',
    '[Service]\nEnvironment=A=b',
  ])('takes no driver from %j', (text) => {
    expect(drivers(text)).toEqual([]);
  });

  it('does not count comments', () => {
    const text = `version = 2\n[${CRI_2}.containerd.runtimes.runc.options]\n  # SystemdCgroup = true\n  SystemdCgroup = false\n  #SystemdCgroup = true`;
    expect(drivers(text).map(({ driver }) => driver)).toEqual(['cgroupfs']);
  });
});
