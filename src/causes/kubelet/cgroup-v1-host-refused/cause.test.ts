import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet135 = `Jan 12 08:00:01 larch kubelet[1900]: E0112 08:00:01.330021    1900 run.go:72] "command failed" err="failed to validate kubelet configuration, error: kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is unsupported and will be removed in a future release, path: &TypeMeta{Kind:,APIVersion:,}"
Jan 12 08:00:01 larch systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
`;
const kubelet132 = `Jan 12 08:00:01 larch kubelet[1900]: E0112 08:00:01.330021    1900 run.go:72] "command failed" err="failed to validate kubelet configuration, error: kubelet is configured to not run on a host using cgroup v1. cgroup v1 support is in maintenance mode, path: &TypeMeta{Kind:,APIVersion:,}"
`;
const stat = (type: string) => `[root@larch ~]# stat -fc %T /sys/fs/cgroup\n${type}\n`;

testCause(cause, {
  finds: {
    'kubelet 1.35 on a v1 host': {
      evidence: { 'kubelet.log': kubelet135, 'host.txt': `${stat('tmpfs')}[root@larch ~]# kubelet --version\nKubernetes v1.35.0\n` },
      confidence: 'certain',
      place: 'node larch',
      cites: ['kubelet.log:1', 'host.txt:2', 'host.txt:4'],
    },
    'kubelet 1.32 told to refuse': {
      evidence: {
        'kubelet.log': kubelet132,
        'kubelet.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nfailCgroupV1: true\n',
        'events.txt': `LAST SEEN   TYPE      REASON     OBJECT       MESSAGE
20m         Warning   CgroupV1   node/larch   Cgroup v1 support is in maintenance mode, please migrate to Cgroup v2.
`,
      },
      confidence: 'probable',
      place: 'node larch',
      cites: ['kubelet.yaml:3', 'events.txt:2'],
    },
    'only its last words': {
      evidence: { 'kubelet.log': kubelet135 },
      confidence: 'probable',
      place: 'node larch',
      cites: ['kubelet.log:1'],
    },
  },
  rulesOut: { 'the host has moved to v2 since': { evidence: { 'kubelet.log': kubelet135, 'host.txt': stat('cgroup2fs') }, by: 'v2' } },
  asks: { 'which hierarchy the host has': { evidence: { 'kubelet.log': kubelet135 }, for: 'host.cgroup-version' } },
});
