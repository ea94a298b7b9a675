import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               9m                 default-scheduler  Successfully assigned safe/vault-0 to ash-4
  Warning  FailedCreatePodSandBox  9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'StatefulSet safe/vault',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const kubelet =
  "Failed to create pod sandbox: user namespaces: can't set `spec.hostUsers: false`, runtime does not support user namespaces";

testCause(cause, {
  finds: {
    'the kubelet asks the runtime': found(kubelet),
    'a handler without it': found('Failed to create pod sandbox: RuntimeClass handler "gvisor" does not support user namespaces'),
    'a file system without idmapped mounts': found(
      "Failed to create pod sandbox: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: failed to set MOUNT_ATTR_IDMAP on /var/lib/kubelet/pods/1/volumes/nfs: invalid argument (maybe the filesystem used doesn't support idmap mounts on this kernel?): unknown",
    ),
    'CRI-O': found(
      'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to mount container: create mapped mount for "/var/lib/containers/storage/overlay" on "/var/lib/containers/storage/overlay/3f11/mapped/0": invalid argument',
    ),
    'an ID outside': found(
      'Failed to create pod sandbox: mount callback failed on /var/lib/containerd/tmpmounts/containerd-mount3984: container ID 6553600 cannot be mapped to a host ID',
    ),
    'the pod and the node are shown': {
      evidence: {
        'events.txt': events(kubelet),
        'pod.yaml': `apiVersion: v1
kind: Pod
metadata:
  name: vault-0
  namespace: safe
spec:
  nodeName: ash-4
  hostUsers: false
  containers:
  - name: vault
    image: registry.example.net/safe/vault:3
`,
        'nodes.txt': `NAME    STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE             KERNEL-VERSION     CONTAINER-RUNTIME
ash-4   Ready    <none>   90d   v1.30.2   10.0.0.5      <none>        Ubuntu 22.04.4 LTS   5.15.0-91-generic  containerd://1.7.13
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a limit of the host': {
      evidence: {
        'events.txt': `${events(kubelet)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: fork/exec /proc/self/exe: no space left on device, see /proc/sys/user/max_user_namespaces\n`,
      },
      by: 'limit',
    },
  },
  asks: { 'the versions of the node': { evidence: { 'events.txt': events(kubelet) }, for: 'node.info' } },
});
