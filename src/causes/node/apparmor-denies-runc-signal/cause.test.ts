import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME                   READY   STATUS        RESTARTS   AGE     IP          NODE    NOMINATED NODE   READINESS GATES
ops         tool-6d5f8b7c9-4xk2m   1/1     Terminating   0          2d3h    10.2.3.4    blue1   <none>           <none>
`;
const denial = `Nov 02 03:11:08 blue1 kernel: audit: type=1400 audit(1730517068.912:4411): apparmor="DENIED" operation="signal" class="signal" profile="cri-containerd.apparmor.d" pid=88121 comm="runc" requested_mask="receive" denied_mask="receive" signal=term peer="runc"
`;
const killEvent = `Events:
  Type     Reason         Age                  From     Message
  ----     ------         ----                 ----     -------
  Warning  FailedKillPod  9s (x14 over 3m2s)   kubelet, blue1  error killing pod: [failed to "KillContainer" for "tool" with KillContainerError: "rpc error: code = Unknown desc = failed to kill container \\"0a1b2c3d\\": unknown error after kill: runc did not terminate successfully: exit status 1: unable to signal init: permission denied\\n: unknown"]
`;
const object = (finalizers: string) => `apiVersion: v1
kind: Pod
metadata:
  name: tool-6d5f8b7c9-4xk2m
  namespace: ops
  deletionTimestamp: "2024-11-02T03:05:00Z"
  finalizers: ${finalizers}
spec:
  nodeName: blue1
  containers:
  - name: tool
    image: example.org/tool:1
status:
  phase: Running
`;

testCause(cause, {
  finds: {
    'the denial, the pod object without finalizers': {
      evidence: {
        'pods.txt': pods,
        'pod.yaml': object('[]'),
        'kern.log': denial,
        'version.txt':
          '[root@blue1 ~]# containerd --version\ncontainerd github.com/containerd/containerd 1.7.12\n[root@blue1 ~]# cat /etc/os-release\nNAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nPRETTY_NAME="Ubuntu 24.04 LTS"\n',
      },
      confidence: 'certain',
      place: 'node blue1',
      cites: ['kern.log:1'],
      victims: 1,
    },
    'only the failed kill': {
      evidence: { 'events.txt': `$ kubectl describe pod tool-6d5f8b7c9-4xk2m -n ops\n${killEvent}` },
      confidence: 'possible',
      place: 'node blue1',
    },
  },
  rulesOut: {
    'a finalizer holds it': { evidence: { 'pod.yaml': object('[example.org/guard]'), 'kern.log': denial }, by: 'finalizer' },
    'a runtime from a snap': {
      evidence: { 'pods.txt': pods, 'kern.log': denial.replace('peer="runc"', 'peer="snap.microk8s.daemon-containerd"') },
      by: 'snap',
    },
  },
  asks: {
    'the kernel log': { evidence: { 'events.txt': `$ kubectl describe pod tool-6d5f8b7c9-4xk2m -n ops\n${killEvent}` }, for: 'kernel-log' },
  },
});
