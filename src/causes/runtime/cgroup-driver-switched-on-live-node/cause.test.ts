import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const oldPath =
  '/sys/fs/cgroup/memory/kubepods/burstable/podc1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n';
const newPath =
  '/sys/fs/cgroup/memory/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod6f7e8d9c_0b1a_4293_8475_66574839201a.slice/cri-containerd-fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210.scope\n';
const colonPath =
  '/sys/fs/cgroup/memory/kubepods-besteffort-pod11223344_5566_4778_899a_abbccddeeff0.slice:cri-containerd:aaaabbbbccccddddeeeeffff0000111122223333444455556666777788889999\n';
const find = (...paths: string[]) => `[root@yew-1 ~]# find /sys/fs/cgroup/memory -name '*'\n${paths.join('')}`;
const kubelet = `Nov 11 15:00:00 yew-1 kubelet[612]: W1111 15:00:00.004410     612 pod_container_manager_linux.go:200] "Failed to delete cgroup paths" cgroupName=[kubepods burstable podc1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f] err="unable to destroy cgroup paths for cgroup [kubepods burstable podc1d2e3f4-a5b6-4c7d-8e9f-0a1b2c3d4e5f] : Timed out while waiting for systemd to remove kubepods-burstable-podc1d2e3f4.slice"
`;

testCause(cause, {
  finds: {
    'containers in both trees': {
      evidence: { 'find.txt': find(oldPath, newPath) },
      confidence: 'certain',
      cites: ['find.txt:2', 'find.txt:3'],
    },
    'and cgroups that cannot be removed': {
      evidence: { 'find.txt': find(newPath, oldPath), 'kubelet.log': kubelet },
      confidence: 'certain',
      cites: ['find.txt:3'],
    },
  },
  rulesOut: {
    'drivers that disagree at this moment': { evidence: { 'find.txt': find(oldPath, newPath, colonPath) }, by: 'colon' },
  },
  asks: { 'whether the kubelet complains': { evidence: { 'find.txt': find(oldPath) }, for: 'log.error' } },
});

it.each([
  ['find.txt', find(newPath)],
  ['find.txt', find(newPath, newPath)],
  ['kubelet.log', kubelet],
])('sees no second tree in %s', async (name, text) => {
  const { incidents } = await diagnose(
    [
      { name, text },
      { name: 'more.txt', text: find(newPath) },
    ],
    { causes: [cause] },
  );
  expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
});
