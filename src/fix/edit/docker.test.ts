import { describe, expect, it } from 'vitest';
import type { DockerChange } from './docker.ts';
import { editDocker } from './docker.ts';
import { applySplices } from './splices.ts';

const systemd: DockerChange = {
  do: 'docker-set',
  option: 'exec-opts',
  value: 'native.cgroupdriver=systemd',
  prefix: 'native.cgroupdriver=',
};

const COMMENTS = 'The file has comments, which dockerd does not read: it takes plain JSON only.';

function edit(text: string | undefined, change: DockerChange = systemd): string {
  const edited = editDocker(text, change);
  if (!edited.ok) return `refused: ${edited.why}`;
  expect(applySplices(text ?? '', edited.splices)).toBe(edited.after);
  expect(editDocker(edited.after, change)).toEqual({ ok: true, after: edited.after, splices: [] });
  return edited.after;
}

describe('a list of daemon.json', () => {
  it.each([
    [undefined, '{\n  "exec-opts": [\n    "native.cgroupdriver=systemd"\n  ]\n}\n'],
    [' \n', '{\n  "exec-opts": [\n    "native.cgroupdriver=systemd"\n  ]\n}\n'],
    ['{}', '{\n  "exec-opts": [\n    "native.cgroupdriver=systemd"\n  ]\n}'],
    ['{"a":1}\n', '{"a":1, "exec-opts":["native.cgroupdriver=systemd"]}\n'],
    ['{\r\n\t"a": [1]\r\n}\r\n', '{\r\n\t"a": [1],\r\n\t"exec-opts": [\r\n\t\t"native.cgroupdriver=systemd"\r\n\t]\r\n}\r\n'],
    ['\uFEFF{"exec-opts": ["native.cgroupdriver=cgroupfs", "x=1"]}', '\uFEFF{"exec-opts": ["native.cgroupdriver=systemd", "x=1"]}'],
    ['{"exec-opts": [ "x=é" ]}', '{"exec-opts": [ "x=é", "native.cgroupdriver=systemd" ]}'],
    ['{"exec-opts": []}', '{"exec-opts": ["native.cgroupdriver=systemd"]}'],
  ])('%j', (text, after) => {
    expect(edit(text)).toBe(after);
  });
});

describe('a single option of daemon.json', () => {
  it.each([
    ['{ "live-restore" : false }', 'live-restore', true, '{ "live-restore" : true }'],
    ['{ "live-restore" : false }', 'live-restore', 'true', '{ "live-restore" : true }'],
    ['{"max-concurrent-downloads": 3}', 'max-concurrent-downloads', '10', '{"max-concurrent-downloads": 10}'],
    [
      '{\n    "log-opts": {\n        "max-size": "1m"\n    }\n}\n',
      'log-opts.max-size',
      '10m',
      '{\n    "log-opts": {\n        "max-size": "10m"\n    }\n}\n',
    ],
    ['{\n    "log-opts": {}\n}\n', 'log-opts.max-file', '3', '{\n    "log-opts": {\n        "max-file": "3"\n    }\n}\n'],
    ['{\n    "a": 1\n}\n', 'log-opts.max-file', '3', '{\n    "a": 1,\n    "log-opts": {\n        "max-file": "3"\n    }\n}\n'],
    ['{"a\\"b}": "]\\\\", "mtu": 1}', 'mtu', 1400, '{"a\\"b}": "]\\\\", "mtu": 1400}'],
  ] as const)('%j', (text, option, value, after) => {
    expect(edit(text, { do: 'docker-set', option, value })).toBe(after);
  });
});

it('adds to a file as people have it', () => {
  const text = `{
  "registry-mirrors": ["https://mirror.example"],
  "log-driver": "json-file",
  "log-opts": { "max-size": "100m" },
  "storage-driver": "overlay2"
}
`;
  const added = '"overlay2",\n  "exec-opts": [\n    "native.cgroupdriver=systemd"\n  ]\n';
  expect(edit(text)).toBe(text.replace('"overlay2"\n', added));
});

describe('refuses', () => {
  it.each([
    ['// hi\n{}', COMMENTS],
    ['{\n  /* "a": 1 */ "b": "//c" # d\n}', COMMENTS],
    ['{"a": 1,}', 'The file has a comma after the last member of a list or an object, which dockerd does not read.'],
    ['{"a": [",]", 1, ] }', 'The file has a comma after the last member of a list or an object, which dockerd does not read.'],
    ['{"a": 1\n,"b": }', 'The file is not valid JSON.'],
    [`{"a": ${'/*'.repeat(200_000)}`, 'The file is not valid JSON.'],
    ['{"Exec-Opts": []}', 'Exec-Opts differs from exec-opts in capital letters only.'],
    ['{"exec-opts": [], "EXEC-OPTS": []}', 'EXEC-OPTS differs from exec-opts in capital letters only.'],
    ['[]', 'The file holds no object.'],
    ['{"exec-opts": [], "exec-opts": []}', 'exec-opts is there twice.'],
    ['{"exec-opts": "x"}', 'exec-opts is not a list.'],
    ['{"exec-opts": ["native.cgroupdriver=a", "native.cgroupdriver=b"]}', 'exec-opts has more than one native.cgroupdriver=.'],
    [`{"a": ${'['.repeat(5000)}${']'.repeat(5000)}}`, 'The file is nested too deeply.'],
  ])('%#', (text, why) => {
    expect(editDocker(text, systemd)).toEqual({ ok: false, why });
  });

  it('a member without its prefix', () => {
    expect(edit('{}', { do: 'docker-set', option: 'exec-opts', value: 'systemd', prefix: 'native.cgroupdriver=' })).toMatch(/^refused: /);
  });

  it('a list where a single value is wanted', () => {
    expect(edit('{"mtu": [1]}', { do: 'docker-set', option: 'mtu', value: 1 })).toMatch(/^refused: /);
  });
});
