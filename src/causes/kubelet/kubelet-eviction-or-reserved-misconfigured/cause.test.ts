import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const start = (error: string) =>
  `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 kubelet.go:1542] "Failed to start ContainerManager" err="${error}"\n`;
const missing = start('Failed to enforce Kube Reserved Cgroup Limits on \\"/podruntime.slice\\": [\\"podruntime\\"] cgroup does not exist');
const busy = (reason: string) => `$ kubectl describe node alder
Name:               alder
Events:
  Type     Reason                            Age                From     Message
  ----     ------                            ----               ----     -------
  Warning  FailedNodeAllocatableEnforcement  4m (x12 over 16m)  kubelet  Failed to update Node Allocatable Limits ["kubepods"]: ${reason}
`;

testCause(cause, {
  finds: {
    'a cgroup that does not exist': {
      evidence: {
        'kubelet.log': missing,
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nkubeReservedCgroup: /podruntime.slice\n',
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['kubelet.log:1'],
    },
    'more reserved than there is': {
      evidence: {
        'kubelet.log': start(
          'invalid Node Allocatable configuration. Resource \\"memory\\" has a reservation of {{9663676416 0} {<nil>}  BinarySI} but capacity of {{8201437184 0} {<nil>}  BinarySI}. Expected capacity >= reservation.',
        ),
      },
      confidence: 'certain',
    },
    'a threshold nobody knows': {
      evidence: {
        'paste.txt':
          'E0304 08:10:57.118402     901 run.go:74] "command failed" err="failed to run Kubelet: unsupported eviction signal memory.free"\n',
      },
      confidence: 'certain',
    },
    'CPUs that are not there': {
      evidence: {
        'paste.txt':
          'E0304 08:10:57.118402     901 run.go:74] "command failed" err="failed to run Kubelet: reserved-cpus: 0-3 is not a subset of online-cpus: 0-1"\n',
      },
      confidence: 'certain',
    },
    'the limit of the pods cannot be set': {
      evidence: {
        'node.txt': busy(
          'failed to set supported cgroup subsystems for cgroup [kubepods]: write memory.limit_in_bytes: device or resource busy',
        ),
      },
      confidence: 'certain',
      place: 'node alder',
    },
  },
  rulesOut: {
    'systemd does not answer': { evidence: { 'node.txt': busy('dbus: connection closed by user') }, by: 'bus' },
    'it worked in the end': {
      evidence: {
        'node.txt': `${busy('write memory.limit_in_bytes: device or resource busy')}  Normal   NodeAllocatableEnforced           1m                 kubelet  Updated Node Allocatable limit across pods\n`,
      },
      by: 'cameUp',
    },
  },
  asks: { 'the settings': { evidence: { 'kubelet.log': missing }, for: 'kubelet-config' } },
});
