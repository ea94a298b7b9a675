import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ContainerdChange } from './containerd.ts';
import { editContainerd } from './containerd.ts';
import { editInTurn } from './splices.ts';
import { DEFAULT_1, DEFAULT_2, OF_DOCKER, OF_NVIDIA } from './testing-containerd-files.ts';
import { valueAt } from './toml-same.ts';

const said = spawnSync('containerd', ['--version'], { encoding: 'utf8', timeout: 10_000 });
const release = /\b(?<release>\d+\.\d+\.\d+)/.exec(said.error === undefined ? said.stdout : '')?.groups?.['release'];
const isFirst = release?.startsWith('1.') ?? false;

const RUNTIME = ['plugins', isFirst ? 'io.containerd.grpc.v1.cri' : 'io.containerd.cri.v1.runtime'];
const IMAGES = ['plugins', isFirst ? 'io.containerd.grpc.v1.cri' : 'io.containerd.cri.v1.images'];
const SANDBOX = [...IMAGES, ...(isFirst ? ['sandbox_image'] : ['pinned_images', 'sandbox'])];

const CHANGES: readonly ContainerdChange[] = [
  { do: 'containerd-enable', plugin: 'cri' },
  { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
  { do: 'containerd-set', setting: 'sandbox_image', value: 'mirror.example/pause:3.10' },
  { do: 'containerd-set', setting: 'registry_config_path', value: '/etc/containerd/certs.d' },
];

const V2 = 'plugins."io.containerd.grpc.v1.cri"';

/** What containerd itself makes of the files: a key in a table that it passes over looks right to every parser. */
describe.skipIf(release === undefined)('the containerd that is installed', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'podcause-edit-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function dumped(text: string): unknown {
    const file = join(folder, 'config.toml');
    writeFileSync(file, text);
    const { status, stdout, stderr } = spawnSync('containerd', ['--config', file, 'config', 'dump'], { encoding: 'utf8', timeout: 10_000 });
    expect(status, stderr).toBe(0);
    return parse(stdout);
  }

  it.each([
    ['an empty file', '', 'runc'],
    ['only a version', 'version = 2\n', 'runc'],
    ['its defaults', DEFAULT_1, 'runc'],
    ['its defaults with CRLF', DEFAULT_1.replaceAll('\n', '\r\n'), 'runc'],
    ['the file of Docker', OF_DOCKER, 'runc'],
    ['the file of nvidia', OF_NVIDIA, 'nvidia'],
    ['long names without a version', `[${V2}.containerd.runtimes.runc.options]\nBinaryName = ""\n`, 'runc'],
    ['dotted keys', `version = 2\n${V2}.containerd.default_runtime_name = "runc"\n`, 'runc'],
    ['inline tables', `version = 2\n[plugins]\n"io.containerd.grpc.v1.cri" = { containerd = { default_runtime_name = "runc" } }\n`, 'runc'],
    ...(isFirst ? [] : [['its defaults of version 3', DEFAULT_2, 'runc']]),
  ])('takes all that was set from %s', (_name, text, runtime) => {
    const edited = editInTurn(
      text,
      CHANGES.map((change) => (before: string) => editContainerd(before, change, release)),
    );
    if (!edited.ok) throw new Error(edited.why);
    const dump = dumped(edited.after);
    const table = [...RUNTIME, 'containerd', 'runtimes', runtime];
    expect(valueAt(dump, [...table, 'options', 'SystemdCgroup'])).toBe(true);
    expect(valueAt(dump, [...table, 'runtime_type'])).toBe('io.containerd.runc.v2');
    expect(valueAt(dump, SANDBOX)).toBe('mirror.example/pause:3.10');
    expect(valueAt(dump, [...IMAGES, 'registry', 'config_path'])).toBe('/etc/containerd/certs.d');
    expect(valueAt(dump, ['disabled_plugins'])).toEqual([]);
  });
});
