import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kmsg =
  'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: failed to create kubelet: open /dev/kmsg: no such file or directory"\n';

testCause(cause, {
  finds: {
    'cgroups it may not make': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet.go:1359] Failed to start ContainerManager mkdir /sys/fs/cgroup/cpuacct,cpu: read-only file system\n',
      },
      confidence: 'certain',
    },
    'no kernel log': { evidence: { 'kubelet.log': kmsg }, confidence: 'certain', place: 'node birch', cites: ['kubelet.log:1'] },
    'no kernel parameters, and the environment tells': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet.go:1431] "Failed to start ContainerManager" err="[open /proc/sys/vm/overcommit_memory: permission denied, open /proc/sys/kernel/panic: permission denied]"\n',
        'env.txt': 'Mar 04 08:00:00 birch init[1]: container=lxc\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it registered since': {
      evidence: {
        'kubelet.log': `${kmsg}Mar 04 08:20:58 birch kubelet[2107]: I0304 08:20:58.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="birch"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'what the host is': { evidence: { 'kubelet.log': kmsg }, for: 'host-os' } },
});
