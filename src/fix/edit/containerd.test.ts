import { describe, expect, it } from 'vitest';
import type { ContainerdChange } from './containerd.ts';
import { editContainerd } from './containerd.ts';
import { DEFAULT_1, DEFAULT_2, OF_DOCKER, OF_K3S, OF_NVIDIA } from './testing-containerd-files.ts';
import { expectSound } from './testing-edits.ts';

const cgroup: ContainerdChange = { do: 'containerd-set', setting: 'SystemdCgroup', value: true };
const sandbox: ContainerdChange = { do: 'containerd-set', setting: 'sandbox_image', value: 'mirror.example/pause:3.10' };
const registry: ContainerdChange = { do: 'containerd-set', setting: 'registry_config_path', value: '/etc/containerd/certs.d' };
const enable: ContainerdChange = { do: 'containerd-enable', plugin: 'cri' };
const V2 = 'plugins."io.containerd.grpc.v1.cri"';
const RUNC = `${V2}.containerd.runtimes.runc`;

function edit(text: string, change: ContainerdChange, release?: string): string {
  return expectSound(text, (before) => editContainerd(before, change, release), JSON.stringify(change)).after;
}

function whyNot(text: string, change: ContainerdChange = cgroup, release?: string): string {
  const edited = editContainerd(text, change, release);
  return edited.ok ? 'it was edited' : edited.why;
}

function notesOf(text: string, change: ContainerdChange, release?: string): string {
  const edited = editContainerd(text, change, release);
  return edited.ok ? (edited.notes ?? []).join('\n') : `refused: ${edited.why}`;
}

describe('the defaults printed by containerd', () => {
  it.each([
    ['1.x', DEFAULT_1, cgroup, 'SystemdCgroup = false', 'SystemdCgroup = true'],
    ['1.x', DEFAULT_1, sandbox, '"registry.k8s.io/pause:3.6"', '"mirror.example/pause:3.10"'],
    ['1.x', DEFAULT_1, registry, 'config_path = ""', 'config_path = "/etc/containerd/certs.d"'],
    ['2.x', DEFAULT_2, cgroup, 'SystemdCgroup = false', 'SystemdCgroup = true'],
    ['2.x', DEFAULT_2, sandbox, "'registry.k8s.io/pause:3.10'", "'mirror.example/pause:3.10'"],
    ['2.x', DEFAULT_2, registry, "config_path = ''", "config_path = '/etc/containerd/certs.d'"],
    ['version 4', DEFAULT_2.replace('version = 3', 'version = 4'), cgroup, 'SystemdCgroup = false', 'SystemdCgroup = true'],
    ['CRLF', DEFAULT_1.replaceAll('\n', '\r\n'), cgroup, 'SystemdCgroup = false', 'SystemdCgroup = true'],
  ])('%s: one value of one line', (_name, text, change, old, young) => {
    expect(edit(text, change)).toBe(text.replace(old, young));
    expect(notesOf(text, change)).toBe('');
  });
});

describe('a setting that is not there', () => {
  it('goes to a file of version 1 by its short name', () => {
    const after = `[plugins.cri.containerd.runtimes.runc]\n  runtime_type = "io.containerd.runc.v2"\n\n  [plugins.cri.containerd.runtimes.runc.options]\n    SystemdCgroup = true\n`;
    expect(edit('', cgroup).replace(/^ +/gm, '')).toBe(after.replace(/^ +/gm, ''));
  });

  it('goes into the table of the file’s version', () => {
    expect(edit('version = 2\n', sandbox)).toBe(`version = 2\n\n[${V2}]\n  sandbox_image = "mirror.example/pause:3.10"\n`);
    expect(edit('version = 3\n', registry)).toBe(
      'version = 3\n\n[plugins."io.containerd.cri.v1.images".registry]\n  config_path = "/etc/containerd/certs.d"\n',
    );
    expect(edit('version = 3\n', sandbox)).toContain('[plugins."io.containerd.cri.v1.images".pinned_images]\n  sandbox = "mirror');
    expect(edit('version = 1\n', sandbox)).toContain('[plugins.cri]\n  sandbox_image = "mirror');
  });

  it('brings the type of the runtime where containerd 1.x would forget its own', () => {
    expect(edit('version = 2\n', cgroup)).toContain(`[${RUNC}]\n  runtime_type = "io.containerd.runc.v2"`);
    expect(edit('version = 3\n', cgroup)).not.toContain('runtime_type');
  });

  it('makes a file without a version one of version 2 where its tables are', () => {
    const text = `[${RUNC}.options]\n  SystemdCgroup = true\n`;
    expect(edit(text, cgroup)).toMatch(/^version = 2\n\[/);
    expect(notesOf(text, cgroup)).toContain('version = 2 is added');
  });
});

describe('which runtime', () => {
  it('is the default one, under whatever name, and others are told', () => {
    const added = '"/usr/bin/nvidia-container-runtime"\n            SystemdCgroup = true\n';
    expect(edit(OF_NVIDIA, cgroup)).toBe(OF_NVIDIA.replace('"/usr/bin/nvidia-container-runtime"\n', added));
    expect(notesOf(OF_NVIDIA, cgroup)).toContain('keep another SystemdCgroup than the default one: runc.');
  });

  it('is the old default_runtime where that is given', () => {
    const text = `version = 2\n[${V2}.containerd.default_runtime]\n  runtime_type = "io.containerd.runc.v1"\n`;
    expect(edit(text, cgroup)).toContain(`[${V2}.containerd.default_runtime.options]`);
  });

  it('is switched by the plugin’s own key where it is of the first kind', () => {
    const text = `version = 2\n[${RUNC}]\nruntime_type = "io.containerd.runtime.v1.linux"\n`;
    expect(edit(text, cgroup)).toBe(`${text}\n[${V2}]\nsystemd_cgroup = true\n`);
  });

  it('does not stand beside the plugin’s old key', () => {
    const text = `version = 2\n[${V2}]\n  systemd_cgroup = true # old\n`;
    expect(edit(text, cgroup)).toContain('  systemd_cgroup = false # old\n');
    expect(notesOf(text, cgroup)).toContain('systemd_cgroup = true is switched off');
  });

  it.each([
    ['has no table', `version = 2\n[${V2}.containerd]\ndefault_runtime_name = "crun"\n`, /^The default runtime crun has no table/],
    ['is no runc', `version = 2\n[${RUNC}]\nruntime_type = "io.containerd.kata.v2"\n`, /of type io\.containerd\.kata\.v2/],
    ['has an empty name', `version = 2\n[${V2}.containerd]\ndefault_runtime_name = ""\n`, /holds no name/],
  ])('is refused when it %s', (_name, text, why) => {
    expect(whyNot(text)).toMatch(why);
  });
});

describe('disabled plugins', () => {
  it('are enabled in the file of Docker’s package, and can be set up after that', () => {
    const enabled = edit(OF_DOCKER, enable);
    expect(enabled).toBe(OF_DOCKER.replace('["cri"]', '[]'));
    expect(edit(enabled, cgroup)).toContain('[plugins.cri.containerd.runtimes.runc.options]\n  SystemdCgroup = true');
  });

  it.each([
    ['disabled_plugins = ["io.containerd.grpc.v1.cri", "a.b"]\nversion = 2\n', 'disabled_plugins = ["a.b"]\nversion = 2\n'],
    [
      "disabled_plugins = [\n  'io.containerd.cri.v1.images', # one\n  'a.b',\n  'io.containerd.cri.v1.runtime'\n]\n",
      "disabled_plugins = [\n  # one\n  'a.b',\n]\n",
    ],
    ['disabled_plugins = ["restart"]\n', 'disabled_plugins = ["restart"]\n'],
    ['version = 2\n', 'version = 2\n'],
  ])('%j', (text, after) => {
    expect(edit(text, enable)).toBe(after);
  });

  it('are known by their long and their short names', () => {
    const change: ContainerdChange = { do: 'containerd-enable', plugin: 'io.containerd.snapshotter.v1.zfs' };
    expect(edit('disabled_plugins = ["zfs", "aufs"]\n', change)).toBe('disabled_plugins = ["aufs"]\n');
  });
});

describe('a file that releases read differently', () => {
  const tables3 = "[plugins.'io.containerd.cri.v1.runtime']\nx = 1\n";

  it('follows the release where it is known', () => {
    expect(whyNot(`version = 2\n${tables3}`)).toContain('depends on the release');
    expect(edit(`version = 2\n${tables3}`, cgroup, '1.7.13')).toContain(`[${RUNC}.options]`);
    expect(edit(`version = 2\n${tables3}`, cgroup, '2.0.1')).toContain(
      "[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]",
    );
    expect(notesOf(`version = 2\n${tables3}`, cgroup, '1.7.13')).toContain('count for nothing');
  });

  it.each([
    ['both kinds of tables', `version = 2\n[${V2}]\n${tables3}`, undefined, /of containerd 1\.x and of 2\.x/],
    ['version 3 under 1.x', 'version = 3\n', '1.7.13', /containerd 1\.7\.13 reads files up to version 2/],
    ['version 5', 'version = 5\n', undefined, /version .* is not known/],
    ['a version that is no number', 'version = "2"\n', undefined, /version .* is not known/],
    ['version 1 with long names', `version = 1\n[${V2}]\n`, undefined, /says version = 1/],
    ['no version and a mix of names', `disabled_plugins = ["cri"]\n[${V2}]\n`, undefined, /mixes names of version 1 \(cri\)/],
  ])('is refused: %s', (_name, text, release, why) => {
    expect(whyNot(text, cgroup, release)).toMatch(why);
  });

  it('warns of settings under the old name in a file of version 3', () => {
    const text = `version = 3\n[${RUNC}.options]\nSystemdCgroup = true\n`;
    expect(edit(text, cgroup)).toContain('[plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]');
    expect(notesOf(text, cgroup)).toContain('containerd 2.0 to 2.2 pass over them');
  });
});

describe('a file that is not the place', () => {
  it.each([
    ['made by k3s', OF_K3S, /config\.toml\.tmpl beside it/],
    ['made by k0s', '# k0s_managed=true\nversion = 2\n', /k0s writes this file anew/],
    ['made by others', '#\n# Generated by acme\n# do not modify\n\nversion = 2\n', /change what it is made from/],
    ['a template', `version = 2\n{{ range $k, $v := .Registries }}\n[${V2}]\n{{ end }}\n`, /is a template/],
    ['broken', 'version = 2\nx = = 1\n', /not valid TOML \(line 2\)/],
    ['with a key twice', `version = 2\n[${V2}]\nsandbox_image = "a"\nsandbox_image = "b"\n`, /not valid TOML \(line 4\)/],
    ['with a table twice', `version = 2\n[${V2}]\n[${V2}]\n`, /not valid TOML/],
  ])('%s', (_name, text, why) => {
    expect(whyNot(text)).toMatch(why);
  });

  it('is told where a tool manages it or other files come after it', () => {
    expect(notesOf('# This file is managed by Puppet\nversion = 2\n', sandbox)).toContain('Puppet manages it');
    expect(notesOf('# Ansible managed\nversion = 2\n', sandbox)).toContain('Ansible manages it');
    expect(notesOf('version = 2\nimports = ["/etc/containerd/conf.d/*.toml"]\n', sandbox)).toContain('/etc/containerd/conf.d/*.toml');
  });

  it('speaks no escape codes in notes and reasons', () => {
    expect(notesOf('imports = ["\\u001b[2J\\n"]\n', sandbox)).toContain('\\x1b[2J\\x0a');
    const why = whyNot(`version = 2\n[${V2}.containerd]\ndefault_runtime_name = "\\u001b]0;${'x'.repeat(5000)}"\n`);
    expect(why).toMatch(/^The default runtime \\x1b\]0;x+…$/);
    expect(why.length).toBeLessThan(400);
  });
});

describe('what is refused', () => {
  it.each([
    ['a registry with mirrors', `version = 2\n[${V2}.registry.mirrors."a"]\nendpoint = []\n`, registry, /registry\.mirrors cannot stand/],
    ['a registry with TLS', `version = 2\n[${V2}.registry.configs."a".tls]\nca_file = "x"\n`, registry, /with tls cannot stand/],
    ['no truth value', '', { ...cgroup, value: 'maybe' } as const, /true or false/],
    ['no image', '', { ...sandbox, value: '' } as const, /is a text/],
    ['a table where the value belongs', `version = 2\n[${V2}.sandbox_image]\n`, sandbox, /is a table/],
    ['a list of plugins', 'version = 2\n[[plugins]]\na = 1\n', sandbox, /plugins is a list of tables/],
    ['a list that holds more than names', 'disabled_plugins = ["cri", 1]\n', enable, /holds more than names/],
  ])('%s', (_name, text, change, why) => {
    expect(whyNot(text, change)).toMatch(why);
  });
});
