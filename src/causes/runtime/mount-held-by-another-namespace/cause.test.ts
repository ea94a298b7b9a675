import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const BUSY =
  'Nov 02 08:01:12 fir-2 containerd[911]: time="2026-11-02T08:01:12.004Z" level=error msg="StopPodSandbox for \\"8c1f\\" failed" error="failed to remove network namespace for sandbox: unlinkat /var/run/netns/cni-0f4c2d1e-aa12-4d5b-9a77-51e0c9c4b8aa: device or resource busy"\n';
const pods = `$ kubectl get pods -A -o wide
NAMESPACE   NAME                   READY   STATUS        RESTARTS   AGE   IP          NODE    NOMINATED NODE   READINESS GATES
shop        web-5d9c7b6f4c-9vbnm   0/1     Terminating   0          3h    10.4.2.9    fir-2   <none>           <none>
tools       scanner-4xk2p          1/1     Running       0          9d    10.4.2.3    fir-2   <none>           <none>
`;
const scanner = `apiVersion: v1
kind: Pod
metadata:
  name: scanner-4xk2p
  namespace: tools
spec:
  nodeName: fir-2
  containers:
  - name: scanner
    image: reg.test/scanner:1
    volumeMounts:
    - mountPath: /host
      name: host
  volumes:
  - name: host
    hostPath:
      path: /
`;

testCause(cause, {
  finds: {
    'the root of a container that has ended': {
      evidence: {
        'containerd.log':
          'Nov 02 08:01:12 fir-2 containerd[911]: time="2026-11-02T08:01:12.004Z" level=error msg="failed to delete" error="failed rootfs umount: failed to unmount target /run/containerd/io.containerd.runtime.v2.task/k8s.io/0b1c/rootfs: device or resource busy"\n',
      },
      confidence: 'certain',
    },
    'a network namespace that a scanner of the whole host holds': {
      evidence: { 'containerd.log': BUSY, 'pods.txt': pods, 'scanner.yaml': scanner },
      confidence: 'certain',
      place: 'node fir-2',
      cites: ['containerd.log:1'],
      victims: 1,
    },
    'the line alone': {
      evidence: { 'error.txt': 'unlinkat /var/run/netns/cni-0f4c2d1e-aa12-4d5b-9a77-51e0c9c4b8aa: device or resource busy\n' },
      confidence: 'probable',
    },
    'the folder of a container, as Docker says it': {
      evidence: {
        'event.txt':
          'Error response from daemon: Driver overlay2 failed to remove root filesystem: unlinkat /var/lib/docker/overlay2/3f1c/merged: device or resource busy\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a cgroup is busy': {
      evidence: {
        'containerd.log': `${BUSY}Nov 02 08:01:13 fir-2 containerd[911]: time="2026-11-02T08:01:13.004Z" level=error msg="failed to delete cgroup" error="unlinkat /sys/fs/cgroup/kubepods/pod1: device or resource busy"\n`,
      },
      by: 'cgroup',
    },
  },
  asks: {
    'only the line': { evidence: { 'error.txt': 'unlinkat /var/run/netns/cni-0f4c2d1e: device or resource busy\n' }, for: 'pod-events' },
  },
});
