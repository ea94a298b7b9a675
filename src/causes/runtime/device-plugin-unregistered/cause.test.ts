import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe_ = (message: string) => `Name:             train-0
Namespace:        ml
Node:             gpu-2/10.0.0.5
Status:           Failed
Reason:           UnexpectedAdmissionError
Message:          Pod was rejected: ${message}
Controlled By:    StatefulSet/train
Containers:
  train:
    Image:          registry.example.net/ml/train:3
`;
const found = (message: string) =>
  ({
    evidence: { 'describe.txt': describe_(message) },
    confidence: 'certain',
    place: 'node gpu-2',
    cites: ['describe.txt:6'],
    victims: 1,
  }) as const;
const unhealthy =
  'Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected';

testCause(cause, {
  finds: {
    'a list of devices that is too long': {
      evidence: {
        'kubelet.log':
          'Jun 05 07:21:03 oak-2 kubelet[804]: E0605 07:21:03.110204     804 endpoint.go:106] listAndWatch ended unexpectedly for device plugin example.com/gpu-mem with error rpc error: code = ResourceExhausted desc = grpc: received message larger than max (5210044 vs. 4194304)\n',
      },
      confidence: 'certain',
    },
    'all are unhealthy': found(unhealthy),
    'none is left': found(
      'Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected',
    ),
    'never registered': found("Allocate failed due to can't allocate unregistered device example.net/fpga, which is unexpected"),
    'a lost GPU': found(
      'Allocate failed due to device plugin GetPreferredAllocation rpc failed with err: rpc error: code = Unknown desc = Unable to retrieve list of available devices: error creating nvml.Device 5: nvml: GPU is lost, which is unexpected',
    ),
    'an event': {
      evidence: {
        'events.txt': `Events:
  Type     Reason                    Age   From     Message
  ----     ------                    ----  ----     -------
  Normal   Scheduled                 84s   default-scheduler  Successfully assigned ml/train-0 to gpu-2
  Warning  UnexpectedAdmissionError  84s   kubelet  ${unhealthy}
`,
        'pods.txt': `NAMESPACE   NAME      READY   STATUS                     RESTARTS   AGE   IP       NODE
ml          train-0   0/1     UnexpectedAdmissionError   0          84s   <none>   gpu-2
`,
        'node.txt': `Name:               gpu-2
Events:
  Type     Reason    Age   From     Message
  ----     ------    ----  ----     -------
  Normal   Starting  2m    kubelet  Starting kubelet.
`,
      },
      confidence: 'certain',
      place: 'node gpu-2',
    },
    'a damaged card': {
      evidence: {
        'log.txt':
          '$ kubectl logs -n gpu-operator nvidia-operator-validator-x7x2v -c driver-validation\nWARNING: infoROM is corrupted at gpu 0000:3B:00.0\n14\n',
      },
      confidence: 'certain',
    },
    'the plugin cannot start': {
      evidence: {
        'log.txt':
          '$ kubectl logs -n kube-system nvidia-device-plugin-x7x2v\nI0603 10:11:12.000000       1 main.go:154] Starting FS watcher.\nE0603 10:11:12.000000       1 factory.go:77] Failed to initialize NVML: could not load NVML library.\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no driver': {
      evidence: {
        'describe.txt': `${describe_(unhealthy)}Events:
  Type     Reason  Age   From     Message
  ----     ------  ----  ----     -------
  Warning  Failed  84s   kubelet  Error: failed to create containerd task: OCI runtime create failed: stderr: nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown
`,
      },
      by: 'driverMissing',
    },
  },
  asks: { 'what happened to the node': { evidence: { 'describe.txt': describe_(unhealthy) }, for: 'node-events' } },
});
