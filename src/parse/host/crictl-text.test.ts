import { describe, expect, it } from 'vitest';
import { hear, told } from './testing.ts';

describe('crictl version', () => {
  it('tells the runtime by its name', () => {
    const heard = hear('Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  v1.6.33\nRuntimeApiVersion:  v1');
    expect(told(heard, 'host.version')).toEqual([{ about: 'Node/?', component: 'containerd', version: '1.6.33' }]);
    expect(told(hear('RuntimeName:  cri-o\nRuntimeVersion:  1.28.4'), 'host.version')).toMatchObject([{ component: 'crio' }]);
    expect(hear('Version: 3\nbooks').taken).toEqual([]);
  });
});

describe('crictl runtime-config', () => {
  it('tells what the runtime answers', () => {
    expect(told(hear('cgroup driver: SYSTEMD'), 'runtime.cgroup-driver')).toMatchObject([
      { runtime: 'containerd', driver: 'systemd', source: 'effective' },
    ]);
    expect(
      told(
        hear('cgroup driver: CGROUPFS', { command: 'crictl -r unix:///var/run/crio/crio.sock runtime-config' }),
        'runtime.cgroup-driver',
      ),
    ).toMatchObject([{ runtime: 'crio', driver: 'cgroupfs' }]);
    expect(hear('cgroup driver: systemd is best').facts).toEqual([]);
    const json = hear('{\n  "linux": {\n    "cgroupDriver": "CGROUPFS"\n  }\n}', { command: 'crictl runtime-config' });
    expect(told(json, 'runtime.cgroup-driver')).toMatchObject([{ driver: 'cgroupfs', source: 'effective' }]);
    expect(json.taken).toEqual([{ what: 'crictl runtime-config', lines: [1, 5] }]);
  });
});

describe('ctr plugins ls', () => {
  it('tells the CRI plugins and those that failed', () => {
    const text = `TYPE                                  ID                       PLATFORMS      STATUS
io.containerd.content.v1              content                  -              ok
io.containerd.snapshotter.v1          zfs                      linux/amd64    error
io.containerd.snapshotter.v1          aufs                     linux/amd64    skip
io.containerd.grpc.v1                 cri                      linux/amd64    error
io.containerd.cri.v1                  runtime                  linux/amd64    ok`;
    expect(told(hear(text), 'runtime.setting').map(({ key, value }) => `${key} ${value}`)).toEqual([
      'plugin io.containerd.snapshotter.v1.zfs error',
      'plugin io.containerd.grpc.v1.cri error',
      'plugin io.containerd.cri.v1.runtime ok',
    ]);
  });
});
