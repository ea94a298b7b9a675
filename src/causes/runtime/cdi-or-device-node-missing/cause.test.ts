import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned ml/train-0 to gpu-2
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'node gpu-2',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const cdi =
  'Error: failed to create containerd container: CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=0, nvidia.com/gpu=1';

testCause(cause, {
  finds: {
    containerd: found('Error: failed to create containerd container: failed to generate spec: lstat /dev/fuse: no such file or directory'),
    'no specification': found(cdi),
    'the toolkit says it': found(
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: could not apply required modification to OCI specification: error modifying OCI spec: failed to inject CDI devices: unresolvable CDI devices management.nvidia.com/gpu=all: unknown',
    ),
    'a device file is gone': found(
      'Error: failed to create containerd container: CDI device injection failed: failed to inject devices: failed to stat CDI host device "/dev/nvidia-modeset": no such file or directory',
    ),
    Docker: found(
      'Error: Error response from daemon: error gathering device information while adding custom device "/dev/ttyUSB0": no such file or directory',
    ),
    'the runtime complained before': {
      evidence: {
        'events.txt': events(cdi),
        'containerd.log':
          'Jun 03 10:11:12 gpu-2 containerd[880]: time="2024-06-03T10:11:12Z" level=warning msg="failed to refresh CDI registry: failed to parse CDI Spec /etc/cdi/nvidia.yaml"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a hostPath volume': {
      evidence: {
        'events.txt': `${events(cdi)}  Warning  FailedMount  3s  kubelet  MountVolume.SetUp failed for volume "tty" : hostPath type check failed: /dev/ttyUSB0 is not a character device\n`,
      },
      by: 'hostPath',
    },
    'the DRA driver': {
      evidence: {
        'events.txt': `${events(cdi)}  Warning  FailedPrepareDynamicResources  3s  kubelet  Failed to prepare dynamic resources: NodePrepareResources failed for claim x: plugin error\n`,
      },
      by: 'dra',
    },
  },
  asks: { 'the log of the runtime': { evidence: { 'events.txt': events(cdi) }, for: 'containerd-log' } },
});
