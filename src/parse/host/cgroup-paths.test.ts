import { describe, expect, it } from 'vitest';
import { parseCgroupPath } from './cgroup-paths.ts';
import { hear, told } from './testing.ts';

const ID = 'fa11ed'.padEnd(64, '7');
const UID = '3d2c1b0a-9f8e-4d7c-8b6a-5f4e3d2c1b0a';
const UNDER = UID.replaceAll('-', '_');
const SLICE = `kubepods-burstable-pod${UNDER}.slice`;

describe('parseCgroupPath', () => {
  it.each([
    ['colon', `/system.slice/${SLICE}:cri-containerd:${ID}`],
    ['colon', `/system.slice/containerd.service/kubepods-pod${UNDER}.slice:cri-containerd:${ID}`],
    ['colon', `/kubepods-besteffort-pod${UNDER}.slice:cri-containerd:${ID}`],
    ['scope', `/kubepods.slice/kubepods-burstable.slice/${SLICE}/cri-containerd-${ID}.scope`],
    ['scope', `/kubepods.slice/kubepods-pod${UNDER}.slice/crio-${ID}.scope/container`],
    [
      'scope',
      `/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod${UNDER}.slice/cri-containerd-${ID}.scope`,
    ],
    ['scope', `/kubepods.slice/kubepods-burstable.slice/${SLICE}/docker-${ID}.scope`],
    ['cgroupfs', `/kubepods/burstable/pod${UID}/${ID}`],
    ['cgroupfs', `/kubepods/pod${UID}/crio-${ID}`],
  ])('%s: %s', (shape, path) => {
    expect(parseCgroupPath(path)).toEqual({ path, shape, container: ID, podUid: UID });
  });

  it('knows static pods, whose id has no dashes', () => {
    expect(parseCgroupPath(`/kubepods/burstable/pod${'0a'.repeat(16)}/${ID}`)?.podUid).toBe('0a'.repeat(16));
  });

  it.each(['/user.slice/user-0.slice', '/kubepods.slice', `/kubepods.slice/${SLICE}`, `/docker/${ID}`, `/kubepods/podcast/${ID}`])(
    'knows nothing of %s',
    (path) => {
      expect(parseCgroupPath(path)).toBeUndefined();
    },
  );
});

describe('/proc/PID/cgroup', () => {
  it('tells the path and cgroup v2', () => {
    const heard = hear(`0::/system.slice/${SLICE}:cri-containerd:${ID}`, { node: 'Node/elm-1' });
    expect(told(heard, 'container.cgroup-path')).toEqual([
      { about: `cid:${ID}`, path: `/system.slice/${SLICE}:cri-containerd:${ID}`, shape: 'colon', cgroupVersion: 2 },
    ]);
    expect(told(heard, 'host.cgroup-version')).toEqual([{ about: 'Node/elm-1', version: 2 }]);
    expect(heard.edges).toEqual([
      { type: 'alias', alias: `cid:${ID}`, entity: `Container/uid:${UID}/?` },
      { type: 'runs-on', pod: `uid:${UID}`, node: 'Node/elm-1' },
    ]);
  });

  it('tells cgroup v1 once for all its lines, also in hybrid mode', () => {
    const path = `/kubepods/burstable/pod${UID}/${ID}`;
    const heard = hear(
      `12:pids:${path}\n11:cpu,cpuacct:${path}\n5:memory:${path}\n1:name=systemd:${path}\n0::/system.slice/containerd.service`,
    );
    expect(told(heard, 'container.cgroup-path')).toMatchObject([{ shape: 'cgroupfs', cgroupVersion: 1 }]);
    expect(told(heard, 'host.cgroup-version')).toMatchObject([{ version: 1 }]);
    expect(heard.taken).toEqual([{ what: '/proc/PID/cgroup', lines: [1, 5] }]);
  });

  it('takes no clock for a cgroup', () => {
    for (const text of ['12:30:/a', '1::/x', '10:42:17 /kubepods', 'a:b:/c']) expect(hear(text).facts).toEqual([]);
  });
});

describe('listings of /sys/fs/cgroup', () => {
  it('reads find', () => {
    const text = `/sys/fs/cgroup/system.slice/${SLICE}:cri-containerd:${ID}\n/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/${SLICE}\nend`;
    const heard = hear(text);
    expect(told(heard, 'container.cgroup-path')).toMatchObject([{ shape: 'colon' }]);
    expect(heard.taken).toEqual([{ what: 'cgroup directories', lines: [1, 2] }]);
  });

  it('reads systemd-cgls', () => {
    const text = `Control group /:
-.slice
├─kubepods.slice
│ ├─kubepods-burstable.slice
│ │ ├─${SLICE}
│ │ │ ├─cri-containerd-${ID}.scope …
│ │ │ │ └─4711 /pause
│ └─kubepods-besteffort.slice
└─system.slice
  └─kubepods-besteffort-pod${UNDER}.slice:cri-containerd:${'b'.repeat(64)}
    └─4712 sleep 1d`;
    expect(told(hear(text), 'container.cgroup-path')).toEqual([
      { about: `cid:${ID}`, path: `/kubepods.slice/kubepods-burstable.slice/${SLICE}/cri-containerd-${ID}.scope`, shape: 'scope' },
      {
        about: `cid:${'b'.repeat(64)}`,
        path: `/system.slice/kubepods-besteffort-pod${UNDER}.slice:cri-containerd:${'b'.repeat(64)}`,
        shape: 'colon',
      },
    ]);
  });

  it('takes no sentence', () => {
    expect(hear('The path /kubepods.slice is missing here').taken).toEqual([]);
  });
});
