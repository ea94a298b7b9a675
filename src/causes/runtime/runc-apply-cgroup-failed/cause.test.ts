import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node pine-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const apply = (error: string) =>
  `Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unable to apply cgroup configuration: ${error}: unknown`;
const bus = apply(
  'unable to start unit "cri-containerd-77aa10b4.scope" (properties [{Name:Description Value:"libcontainer container 77aa10b4"} {Name:Slice Value:"kubepods-burstable.slice"}]): Message recipient disconnected from message bus without replying',
);

testCause(cause, {
  finds: {
    'a CPU limit larger than that of the pod': found(
      'Error: failed to start container "app": Error response from daemon: OCI runtime create failed: container_linux.go:348: starting container process caused "process_linux.go:402: container init caused \\"process_linux.go:367: setting cgroup config for procHooks process caused \\\\\\"failed to write 7300 to cpu.cfs_quota_us: write /sys/fs/cgroup/cpu,cpuacct/kubepods.slice/kubepods-pod1f2e.slice/docker-9a8b.scope/cpu.cfs_quota_us: invalid argument\\\\\\"\\"": unknown',
    ),
    'the bus goes away': found(bus),
    'the unit is there already': found(
      apply(
        'unable to start unit "cri-containerd-77aa10b4.scope" (properties [{Name:Slice Value:"kubepods.slice"}]): Unit cri-containerd-77aa10b4.scope already exists.',
      ),
    ),
    'an older runc': found(
      'Error: failed to start container "front": Error response from daemon: OCI runtime create failed: container_linux.go:380: starting container process caused: process_linux.go:385: applying cgroup configuration for process caused: error creating systemd unit `docker-77aa.scope`: got `failed`: unknown',
    ),
    'leaked cgroups of an old kernel': found(
      'Error: failed to start container "front": Error response from daemon: OCI runtime create failed: container_linux.go:348: starting container process caused "process_linux.go:301: applying cgroup configuration for process caused \\"mkdir /sys/fs/cgroup/memory/kubepods/burstable/pod0d9b/77aa: cannot allocate memory\\"": unknown',
    ),
    'crun, the bus does not answer': found('Error: container create failed: sd-bus call: Connection timed out'),
    'systemd complains too': {
      evidence: {
        'events.txt': events(bus),
        'status.txt': `[root@pine-2 ~]# systemctl status dbus
● dbus.service - D-Bus System Message Bus
     Loaded: loaded (/lib/systemd/system/dbus.service; static)
     Active: failed (Result: exit-code) since Mon 2024-06-03 10:11:12 UTC; 3min ago
`,
      },
      confidence: 'certain',
      place: 'node pine-2',
    },
  },
  rulesOut: {
    'two drivers': {
      evidence: { 'events.txt': events(apply('expected cgroupsPath to be of format "slice:prefix:name" for systemd cgroups')) },
      by: 'driverMismatch',
    },
    'a tiny memory limit': {
      evidence: {
        'events.txt': events(
          'Error: failed to create containerd task: OCI runtime create failed: container init caused: setting cgroup config for procHooks process caused: failed to write "4096": write /sys/fs/cgroup/memory/kubepods/x/memory.limit_in_bytes: device or resource busy: unknown',
        ),
      },
      by: 'memoryTooLow',
    },
    'an old runtime on cgroup v2': {
      evidence: { 'events.txt': events(apply('cgroups: cgroup mountpoint does not exist')) },
      by: 'oldRuntime',
    },
  },
  asks: { 'the state of dbus': { evidence: { 'events.txt': events(bus) }, for: 'unit.state' } },
});
