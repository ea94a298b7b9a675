import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age               From               Message
  ----     ------     ----              ----               -------
  Normal   Scheduled  70s               default-scheduler  Successfully assigned stores/disk-csi-node-x2vkq to plover-1
  Warning  Failed     6s (x8 over 70s)  kubelet            Error: ${message}
`;
const containerd =
  'failed to generate container "1f2e" spec: failed to generate spec: path "/var/lib/kubelet/pods" is mounted on "/" but it is not a shared mount';
const spec = `apiVersion: v1
kind: Pod
metadata:
  name: disk-csi-node-x2vkq
  namespace: stores
spec:
  nodeName: plover-1
  containers:
  - name: driver
    image: disk-csi:1
    volumeMounts:
    - name: pods
      mountPath: /var/lib/kubelet/pods
      mountPropagation: Bidirectional
  volumes:
  - name: pods
    hostPath:
      path: /var/lib/kubelet/pods
`;

testCause(cause, {
  finds: {
    'containerd refuses': {
      evidence: { 'describe.txt': events(containerd) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'Docker refuses': {
      evidence: { 'describe.txt': events('Error response from daemon: path / is mounted on / but it is not a shared or slave mount') },
      confidence: 'certain',
    },
    'one line': {
      evidence: { 'note.log': 'Error: path "/run" is mounted on "/run" but it is not a shared mount.\n' },
      confidence: 'certain',
    },
    'with the pod': { evidence: { 'describe.txt': events(containerd), 'pod.yaml': spec }, confidence: 'certain' },
  },
  rulesOut: {
    'shared by now': {
      evidence: {
        'describe.txt': events(containerd),
        'host.txt': '[root@plover-1 ~]# findmnt -no TARGET,PROPAGATION /\nTARGET PROPAGATION /      shared\n',
      },
      by: 'shared',
    },
  },
  asks: {
    'the pod': { evidence: { 'note.log': 'Error: path "/run" is mounted on "/run" but it is not a shared mount.\n' }, for: 'pod-spec' },
  },
});
