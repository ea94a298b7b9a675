import { describe, expect, it } from 'vitest';
import { hear, linesOf, told } from './testing.ts';

const FILE = `{
  "exec-opts": ["native.cgroupdriver=systemd"],
  "log-driver": "json-file",
  "log-opts": {
    "max-size": "100m"
  },
  "live-restore": true,
  "data-root": "/data/docker",
  "registry-mirrors": ["https://mirror.example.test", "https://second.example.test"],
  "storage-driver": "overlay2"
}`;

describe('daemon.json', () => {
  it('tells the driver and the settings', () => {
    const heard = hear(FILE);
    expect(told(heard, 'runtime.cgroup-driver')).toEqual([
      { about: 'Node/?', runtime: 'docker', driver: 'systemd', explicit: true, source: 'file' },
    ]);
    expect(Object.fromEntries(told(heard, 'runtime.setting').map(({ key, value }) => [key, value]))).toEqual({
      'exec-opts': 'native.cgroupdriver=systemd',
      'log-driver': 'json-file',
      'live-restore': 'true',
      'data-root': '/data/docker',
      'registry-mirrors': 'https://mirror.example.test, https://second.example.test',
      'storage-driver': 'overlay2',
    });
    expect(told(heard, 'runtime.config-file')).toEqual([]);
    expect(heard.taken).toEqual([{ what: 'docker daemon.json', lines: [1, 11] }]);
  });

  it.each([
    ['on one line', '{"exec-opts":["native.cgroupdriver=cgroupfs"]}', [1, 1]],
    ['one member alone', '  "exec-opts": ["native.cgroupdriver=cgroupfs"],', [1, 1]],
    ['over lines', '{\n"exec-opts": [\n"native.cgroupdriver=cgroupfs"\n]\n}', [2, 4]],
    ['cut at the end', '{\n"exec-opts": ["native.cgroupdriver=cgroupfs"],\n"log-opts": {', [2, 2]],
  ])('%s', (_name, text, lines) => {
    const heard = hear(text);
    const fact = heard.facts.find(({ kind }) => kind === 'runtime.cgroup-driver');
    expect(fact).toMatchObject({ driver: 'cgroupfs' });
    expect(linesOf(fact)).toEqual(lines);
  });

  it('finds what dockerd would refuse', () => {
    const broken = hear('{\n  "exec-opts": ["native.cgroupdriver=systemd"]\n  "live-restore": true\n}');
    expect(told(broken, 'runtime.config-file')).toEqual([
      { about: 'Node/?', runtime: 'docker', problem: 'not valid JSON: a comma is missing' },
    ]);
    expect(linesOf(broken.facts.at(-1))).toEqual([3, 3]);
    expect(told(broken, 'runtime.cgroup-driver')).toHaveLength(1);
    const cut = '{\n  "exec-opts": ["native.cgroupdriver=systemd"]\n';
    expect(told(hear(cut), 'runtime.config-file')).toEqual([]);
    expect(told(hear(cut, { command: 'cat /etc/docker/daemon.json' }), 'runtime.config-file')).toHaveLength(1);
  });

  it('knows the file by its name', () => {
    expect(told(hear('{\n  "bip": "10.9.0.1/16"\n}', { command: 'cat /etc/docker/daemon.json' }), 'runtime.setting')).toHaveLength(1);
    expect(hear('{\n  "bip": "10.9.0.1/16"\n}').taken).toEqual([]);
  });

  it('leaves other JSON alone', () => {
    for (const text of ['{"level":"info","msg":"exec-opts"}', '{}', '{\n}', '[]', '{"kind":"Pod"}']) expect(hear(text).taken).toEqual([]);
  });
});
