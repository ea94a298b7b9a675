import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kernel = (...lines: string[]) =>
  lines.map((line, index) => `Mar 04 08:10:5${index} alder kernel: [91234.11840${index}] ${line}\n`).join('');
const stuck = 'INFO: task jbd2/vda1-8:412 blocked for more than 120 seconds.';

testCause(cause, {
  finds: {
    'no further memory cgroup': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON   OBJECT      MESSAGE
12s         Warning   Failed   pod/web-0   Error: failed to start container "web": Error response from daemon: OCI runtime create failed: container_linux.go:344: starting container process caused "process_linux.go:275: applying cgroup configuration for process caused \\"mkdir /sys/fs/cgroup/memory/kubepods/burstable/podf84be3b0/1d2c3b4a: cannot allocate memory\\"": unknown
`,
      },
      confidence: 'certain',
    },
    'a hung task': { evidence: { 'kern.log': kernel(stuck) }, confidence: 'certain', place: 'node alder', cites: ['kern.log:1'] },
    'a CPU that is stuck': {
      evidence: { 'kern.log': kernel('watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [kworker/3:1:8123]') },
      confidence: 'certain',
    },
    'no memory for the kernel itself': {
      evidence: { 'kern.log': kernel('SLUB: Unable to allocate memory on node -1 (gfp=0x20)') },
      confidence: 'certain',
    },
    'no room for what tracks connections': {
      evidence: { 'kern.log': kernel('Unable to create nf_conn slab cache') },
      confidence: 'certain',
    },
    'a panic': { evidence: { 'kern.log': kernel('Kernel panic - not syncing: Fatal exception in interrupt') }, confidence: 'certain' },
    'dmesg alone, and a network device': {
      evidence: {
        'dmesg.txt': '[root@alder ~]# dmesg\n[91234.118402] unregister_netdevice: waiting for lo to become free. Usage count = 1\n',
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'the node problem detector': {
      evidence: {
        'node.txt':
          '$ kubectl describe node alder\nName:               alder\nConditions:\n  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason              Message\n  ----             ------  -----------------                 ------------------                ------              -------\n  KernelDeadlock   True    Wed, 04 Mar 2026 08:10:11 +0000   Wed, 04 Mar 2026 08:00:11 +0000   DockerHung          task docker:1 blocked\nEvents:\n  Type     Reason    Age   From            Message\n  ----     ------    ----  ----            -------\n  Warning  TaskHung  4m    kernel-monitor  TaskHung: task dockerd is blocked\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'out of memory': { evidence: { 'kern.log': kernel(stuck, 'Out of memory: Killed process 8123 (java) total-vm:1kB') }, by: 'memory' },
    'the disk fails': { evidence: { 'kern.log': kernel(stuck, 'I/O error, dev vda, sector 8112') }, by: 'diskErrors' },
  },
  asks: { 'what the node reports': { evidence: { 'kern.log': kernel(stuck) }, for: 'node-status' } },
});
