import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const sandbox = (message: string) => `Name:                sandboxed-0
Namespace:           lab
Runtime Class Name:  gvisor
Node:                larch-6/10.6.0.16
Status:              Pending
Controlled By:       StatefulSet/sandboxed
Containers:
  work:
    Image:          registry.example/lab/work:1
    State:          Waiting
      Reason:       ContainerCreating
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason                  Age               From               Message
  ----     ------                  ----              ----               -------
  Normal   Scheduled               4m                default-scheduler  Successfully assigned lab/sandboxed-0 to larch-6
  Warning  FailedCreatePodSandBox  8s (x19 over 4m)  kubelet            Failed to create pod sandbox: ${message}
`;

testCause(cause, {
  finds: {
    'containerd has no such handler': {
      evidence: {
        'describe.txt': sandbox('rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "runsc" is configured'),
      },
      confidence: 'certain',
      place: 'StatefulSet lab/sandboxed',
      cites: ['describe.txt:18'],
      victims: 1,
    },
    'one line, CRI-O': {
      evidence: {
        'paste.txt':
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to find runtime handler kata from runtime list map[crun:0xc0004 runc:0xc0005]\n',
      },
      confidence: 'probable',
    },
    'the shim is missing': {
      evidence: {
        'describe.txt': sandbox(
          'rpc error: code = Unknown desc = failed to create containerd task: failed to start shim: failed to resolve runtime path: runtime "io.containerd.kata.v2" binary not installed "containerd-shim-kata-v2": file does not exist: unknown',
        ),
      },
      confidence: 'certain',
    },
    'the kubelet finds no RuntimeClass': {
      evidence: { 'describe.txt': sandbox('runtimeclass.node.k8s.io "gvisor" not found') },
      confidence: 'certain',
    },
    'the API server finds no RuntimeClass': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON         OBJECT                      MESSAGE\nlab         12s         Warning   FailedCreate   statefulset/sandboxed       create Pod sandboxed-0 in StatefulSet sandboxed failed error: pods "sandboxed-0" is forbidden: pod rejected: RuntimeClass "gvisor" not found\n',
      },
      confidence: 'probable',
    },
    'the handler of a GPU driver': {
      evidence: {
        'describe.txt': sandbox('rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "nvidia" is configured'),
      },
      confidence: 'probable',
    },
    overhead: {
      evidence: {
        'events.txt':
          "NAMESPACE   LAST SEEN   TYPE      REASON         OBJECT                  MESSAGE\nlab         12s         Warning   FailedCreate   replicaset/sb-5c8d7f6b9   Error creating: pods \"sb-5c8d7f6b9-\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead\n",
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it was configured since': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME          READY   STATUS    RESTARTS   AGE\nlab         sandboxed-0   1/1     Running   0          9m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON                   OBJECT            MESSAGE\nlab         8m          Warning   FailedCreatePodSandBox   pod/sandboxed-0   Failed to create pod sandbox: rpc error: code = Unknown desc = failed to get sandbox runtime: no runtime for "runsc" is configured\n',
      },
      by: 'well',
    },
  },
  asks: {
    'the pod': {
      evidence: { 'paste.txt': 'failed to get sandbox runtime: no runtime for "spin" is configured\n' },
      for: 'pod-spec',
    },
  },
});
