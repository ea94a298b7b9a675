import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                  From               Message
  ----     ------                  ----                 ----               -------
  Normal   Scheduled               3m10s                default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)   kubelet            Failed to create pod sandbox: ${message}
`;
const containerd =
  'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/';
const docker =
  '[failed to set up sandbox container "0d1f2e3a4b5c" network for pod "cart-5d9c7b6f8-q2w4z": networkPlugin cni failed to set up pod "cart-5d9c7b6f8-q2w4z_shop" network: stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/]';
const pods = `NAMESPACE     NAME                    READY   STATUS              RESTARTS   AGE   IP          NODE
kube-system   calico-node-x7k2p       0/1     Init:ImagePullBackOff   0      9m    10.4.0.11   plover-1
shop          cart-5d9c7b6f8-q2w4z    0/1     ContainerCreating       0      3m    <none>      plover-1
`;

testCause(cause, {
  finds: {
    'containerd, with the listing': {
      evidence: { 'describe.txt': events(containerd), 'pods.txt': pods },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'pods.txt:2'],
      victims: 1,
    },
    dockershim: { evidence: { 'describe.txt': events(docker) }, confidence: 'certain', place: 'node plover-1' },
    'a pod that cannot end': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason         Age                 From     Message
  ----     ------         ----                ----     -------
  Normal   Scheduled      43m                 default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Normal   Killing        30m                 kubelet  Stopping container cart
  Warning  FailedKillPod  9s (x99 over 30m)   kubelet  error killing pod: failed to "KillPodSandbox" for "5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11" with KillPodSandboxError: "rpc error: code = Unknown desc = failed to destroy network for sandbox \\"0d1f\\": plugin type=\\"calico\\" failed (delete): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/"
`,
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'calico is up, its token is refused': {
      evidence: {
        'describe.txt': `${events(containerd)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized\n`,
      },
      by: 'unauthorized',
    },
  },
  asks: {
    'the events, after a bare line of containerd': {
      evidence: {
        'containerd.log': `Mar 04 08:10:57 plover-1 containerd[688]: time="2025-03-04T08:10:57.331207Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:cart-5d9c7b6f8-q2w4z,Uid:5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11,Namespace:shop,Attempt:0,} failed, error" error="failed to setup network for sandbox \\"0d1f2e3a\\": plugin type=\\"calico\\" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/"\n`,
      },
      for: 'pod-events',
    },
  },
});
