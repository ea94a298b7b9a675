import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (stamp: string, reason: string) =>
  `Apr 20 16:${stamp} aspen kubelet[911]: E0420 16:${stamp}.118822     911 kubelet.go:1466] "Failed to start ContainerManager" err="failed to initialize top level QOS containers: ${reason}"\n`;
const older = "root container [kubepods] doesn't exist";
const newer = 'error validating root container [kubepods] : cgroup [\\"kubepods\\"] has some missing controllers: cpuset';
const events = (reason: string) => `Name:         api-0
Namespace:    bank
Node:         aspen/10.1.1.1
Status:       Pending
Events:
  Type     Reason                    Age               From     Message
  ----     ------                    ----              ----     -------
  Warning  FailedCreatePodContainer  3s (x9 over 2m)   kubelet  unable to ensure pod container exists: failed to create container for [kubepods burstable podd0e1f2a3-b4c5-4d6e-8f70-8192a3b4c5d6] : ${reason}
`;
const procCgroups = `[root@aspen ~]# cat /proc/cgroups
#subsys_name	hierarchy	num_cgroups	enabled
cpuset	0	60	1
cpu	0	60	1
memory	0	60	0
pids	0	60	1
`;

testCause(cause, {
  finds: {
    'no folder for pods below a controller': {
      evidence: {
        'paste.txt':
          '"command failed" err="failed to run Kubelet: invalid configuration: cgroup [\\"kubepods\\"] has some missing paths: /sys/fs/cgroup/cpu/kubepods"\n',
      },
      confidence: 'certain',
    },
    'a slice that systemd still has': {
      evidence: {
        'kubelet.log': journal('00:01', 'failed to create top level Burstable QOS cgroup : Unit kubepods-burstable.slice already exists.'),
      },
      confidence: 'certain',
    },
    'a controller that is not mounted': {
      evidence: {
        'kubelet.log': journal(
          '00:01',
          'failed to update top level Burstable QOS cgroup : failed to set supported cgroup subsystems for cgroup /kubepods/burstable: Failed to find subsystem mount for subsystem: hugetlb',
        ),
      },
      confidence: 'certain',
    },
    'the inspection of MicroK8s': {
      evidence: {
        'paste.txt':
          'WARNING:  The memory cgroup is not enabled. \nThe cluster may not be functioning properly. Please ensure cgroups are enabled \n',
      },
      confidence: 'possible',
    },
    'a systemd that is too old': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 aspen kubelet[911]: F0304 08:10:57.770412     911 kubelet.go:1359] Failed to start ContainerManager Cannot set property TasksAccounting, or unknown property.\n',
      },
      confidence: 'certain',
    },
    'a slice that is there already, in the words of 1.6': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 aspen kubelet[911]: I0304 08:10:57.855708     911 kubelet.go:1752] skipping pod synchronization - [Failed to start ContainerManager failed to initialise top level QOS containers: failed to create top level Burstable QOS cgroup : Unit kubepods-burstable.slice already exists.]\n',
      },
      confidence: 'certain',
      place: 'node aspen',
    },
    'k3s finds no memory controller': {
      evidence: {
        'journal.txt':
          'Mar 04 06:34:05 birch k3s[943]: time="2025-03-04T06:34:05Z" level=fatal msg="failed to find memory cgroup, you may need to add \\"cgroup_memory=1 cgroup_enable=memory\\" to your linux cmdline (/boot/cmdline.txt on a Raspberry Pi)"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'an older kubelet finds no kubepods, at every start': {
      evidence: { 'kubelet.log': journal('00:01', older) + journal('00:12', older) },
      confidence: 'certain',
      place: 'node aspen',
      cites: ['kubelet.log:1'],
    },
    'one such line, and systemd counts the restarts': {
      evidence: {
        'kubelet.log': `${journal('00:01', older)}Apr 20 16:00:11 aspen systemd[1]: kubelet.service: Scheduled restart job, restart counter is at 9.\n`,
      },
      confidence: 'probable',
      place: 'node aspen',
    },
    'pids is not there, as very old kubelets say it': {
      evidence: {
        'kubelet.log': journal(
          '00:01',
          'failed to update top level Burstable QOS cgroup : failed to set supported cgroup subsystems for cgroup [kubepods burstable]: Failed to find subsystem mount for required subsystem: pids',
        ),
      },
      confidence: 'certain',
      place: 'node aspen',
    },
    'systemd has no room for the slice': {
      evidence: {
        'describe.txt': events(
          'unable to start unit "kubepods-burstable-podd0e1f2a3_b4c5_4d6e_8f70_8192a3b4c5d6.slice" (properties [{Name:Description Value:"libcontainer container"} {Name:Wants Value:["kubepods-burstable.slice"]} {Name:MemoryAccounting Value:true}]): No space left on device',
        ),
      },
      confidence: 'certain',
      place: 'node aspen',
    },
    'a newer kubelet misses cpuset, again and again': {
      evidence: { 'kubelet.log': journal('00:01', newer) + journal('00:12', newer) + journal('00:23', newer) },
      confidence: 'certain',
      place: 'node aspen',
    },
    'once only, which may be the race at the start': {
      evidence: { 'kubelet.log': journal('00:01', newer) },
      confidence: 'possible',
      place: 'node aspen',
    },
    'no room for the cgroup of a pod': {
      evidence: {
        'describe.txt': events(
          'mkdir /sys/fs/cgroup/memory/kubepods/burstable/podd0e1f2a3-b4c5-4d6e-8f70-8192a3b4c5d6: no space left on device',
        ),
      },
      confidence: 'certain',
      place: 'node aspen',
      cites: ['describe.txt:8'],
      victims: 1,
    },
    'a board with the memory controller off': {
      evidence: {
        'kubelet.log':
          'Apr 20 16:00:01 aspen kubelet[911]: F0420 16:00:01.118822     911 kubelet.go:1383] Failed to start ContainerManager system validation failed - Following Cgroup subsystem not mounted: [memory]\n',
        'host.txt': procCgroups,
      },
      confidence: 'certain',
      place: 'node aspen',
      cites: ['kubelet.log:1', 'host.txt:5'],
    },
  },
  rulesOut: {
    'the bus of systemd is gone': { evidence: { 'describe.txt': events('dbus: connection closed by user') }, by: 'busFails' },
  },
  asks: { 'the controllers of the host': { evidence: { 'kubelet.log': journal('00:01', older) }, for: 'host-tools' } },
});
