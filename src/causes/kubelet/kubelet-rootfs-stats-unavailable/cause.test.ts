import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const fatal = (error: string) =>
  `Mar 04 08:10:57 birch kubelet[2041]: F0304 08:10:57.118402    2041 kubelet.go:1380] Failed to start ContainerManager failed to get rootfs info: ${error}\n`;

testCause(cause, {
  finds: {
    'a kernel with a format of its own': {
      evidence: {
        'kubelet.log':
          'Jun 05 07:21:03 cedar kubelet[804]: W0605 07:21:03.110204     804 container.go:507] Failed to update stats for container "/docker": failure - /sys/fs/cgroup/cpuacct/docker/cpuacct.stat is expected to have 4 fields, continuing to push stats\nJun 05 07:21:04 cedar kubelet[804]: F0605 07:21:04.220301     804 kubelet.go:1384] Failed to start ContainerManager failed to get rootfs info: unable to find data in memory cache\n',
      },
      confidence: 'certain',
    },
    'a kubelet that does not know cgroup v2': {
      evidence: {
        'kubelet.log': fatal('unable to find data in memory cache'),
        'host.txt': '[root@birch ~]# stat -fc %T /sys/fs/cgroup/\ncgroup2fs\n[root@birch ~]# kubelet --version\nKubernetes v1.18.20\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'no data': {
      evidence: { 'kubelet.log': fatal('unable to find data in memory cache') },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:1'],
    },
    'a device that is not listed, and no capacity': {
      evidence: {
        'kubelet.log': fatal(
          'failed to get device for dir "/var/lib/kubelet": could not find device with major: 0, minor: 38 in cached partitions map',
        ),
        'node.txt':
          'Conditions:\n  Type    Status  LastHeartbeatTime                 LastTransitionTime                Reason            Message\n  ----    ------  -----------------                 ------------------                ------            -------\n  Ready   False   Tue, 04 Mar 2025 08:10:57 +0000   Tue, 04 Mar 2025 08:10:57 +0000   KubeletNotReady   container runtime status check may not have completed yet, missing node capacity for resources: ephemeral-storage\n',
      },
      confidence: 'certain',
    },
    'an old kubelet goes on': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet.go:2132] Failed to check if disk space is available on the root partition: failed to get fs info for "root": error trying to get filesystem Device for dir /var/lib/kubelet: err: could not find device with major: 0, minor: 37 in cached partitions map\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it registered since': {
      evidence: {
        'kubelet.log': `${fatal('unable to find data in memory cache')}Mar 04 08:20:58 birch kubelet[2107]: I0304 08:20:58.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="birch"\n`,
      },
      by: 'started',
    },
  },
  asks: { 'the state of the node': { evidence: { 'kubelet.log': fatal('unable to find data in memory cache') }, for: 'node-status' } },
});
