import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: ${message}
`;
const containerd =
  'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="flannel" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory';
const newer = `rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="flannel" failed (add): failed to load flannel 'subnet.env' file: open /run/flannel/subnet.env: no such file or directory. Check the flannel pod log for this node.`;
const docker =
  '[failed to set up sandbox container "0d1f2e3a4b5c" network for pod "cart-5d9c7b6f8-q2w4z": networkPlugin cni failed to set up pod "cart-5d9c7b6f8-q2w4z_shop" network: open /run/flannel/subnet.env: no such file or directory]';
const pods = `NAMESPACE      NAME                     READY   STATUS              RESTARTS      AGE   IP          NODE
kube-flannel   kube-flannel-ds-x7k2p    0/1     CrashLoopBackOff    6 (61s ago)   9m    10.4.0.11   plover-1
shop           cart-5d9c7b6f8-q2w4z     0/1     ContainerCreating   0             3m    <none>      plover-1
shop           shelf-0                  0/1     ContainerCreating   0             3m    <none>      plover-1
`;

testCause(cause, {
  finds: {
    'containerd, with the listing': {
      evidence: { 'describe.txt': events(containerd), 'pods.txt': pods },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'pods.txt:2'],
      victims: 2,
    },
    'a newer plugin': { evidence: { 'describe.txt': events(newer) }, confidence: 'certain', place: 'node plover-1', victims: 1 },
    dockershim: { evidence: { 'describe.txt': events(docker) }, confidence: 'certain' },
  },
  rulesOut: {
    'the file came, the bridge has an old address': {
      evidence: {
        'describe.txt': `${events(containerd)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="flannel" failed (add): failed to delegate add: failed to set bridge addr: "cni0" already has an IP address different from 10.244.3.1/24\n`,
      },
      by: 'bridge',
    },
  },
  asks: {
    'the events, after a bare line of containerd': {
      evidence: {
        'containerd.log': `Mar 04 08:10:57 plover-1 containerd[688]: time="2025-03-04T08:10:57.331207Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:cart-5d9c7b6f8-q2w4z,Uid:5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11,Namespace:shop,Attempt:0,} failed, error" error="failed to setup network for sandbox \\"0d1f2e3a\\": plugin type=\\"flannel\\" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory"\n`,
      },
      for: 'pod-events',
    },
  },
});
