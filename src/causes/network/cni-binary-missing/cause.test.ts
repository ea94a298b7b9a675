import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age               From               Message
  ----     ------                  ----              ----               -------
  Normal   Scheduled               70s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  9s (x5 over 68s)  kubelet            Failed to create pod sandbox: ${message}
`;
const missing =
  'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6": plugin type="loopback" failed (add): failed to find plugin "loopback" in path [/opt/cni/bin]';
const docker =
  '[failed to set up sandbox container "0d1f2e3a4b5c" network for pod "cart-5d9c7b6f8-q2w4z": networkPlugin cni failed to set up pod "cart-5d9c7b6f8-q2w4z_shop" network: failed to find plugin "portmap" in path [/opt/cni/bin]]';

testCause(cause, {
  finds: {
    'containerd, the loopback plugin': {
      evidence: { 'describe.txt': events(missing) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'dockershim, portmap': { evidence: { 'describe.txt': events(docker) }, confidence: 'certain', place: 'node plover-1' },
    'older containerd, and the plugins of the distribution elsewhere': {
      evidence: {
        'describe.txt': events(
          'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a": failed to find plugin "bridge" in path [/opt/cni/bin]',
        ),
        'host.txt': '[root@plover-1 ~]# ls -d /usr/libexec/cni\n/usr/libexec/cni\n',
      },
      confidence: 'certain',
    },
    'the journal of the kubelet': {
      evidence: {
        'kubelet.log': `Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"CreatePodSandbox\\" for \\"cart-5d9c7b6f8-q2w4z_shop(5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11)\\" with CreatePodSandboxError: \\"Failed to create sandbox for pod: rpc error: code = Unknown desc = failed to setup network for sandbox \\\\\\"0d1f2e3a\\\\\\": plugin type=\\\\\\"portmap\\\\\\" failed (add): failed to find plugin \\\\\\"portmap\\\\\\" in path [/opt/cni/bin]\\"" pod="shop/cart-5d9c7b6f8-q2w4z" podUID="5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11"\n`,
        'describe.txt': events(missing.replaceAll('loopback', 'portmap')),
      },
      confidence: 'certain',
      cites: ['kubelet.log:1'],
    },
  },
  rulesOut: {
    'the plugin is there by now and fails itself': {
      evidence: {
        'describe.txt': `${events(missing)}  Warning  FailedCreatePodSandBox  2s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f2e3a": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized\n`,
      },
      by: 'pluginFails',
    },
  },
  asks: {
    'the events of the pod, after a line of containerd': {
      evidence: {
        'containerd.log': `Mar 04 08:10:57 plover-1 containerd[688]: time="2025-03-04T08:10:57.331207Z" level=error msg="RunPodSandbox for &PodSandboxMetadata{Name:cart-5d9c7b6f8-q2w4z,Uid:5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11,Namespace:shop,Attempt:0,} failed, error" error="failed to setup network for sandbox \\"0d1f2e3a\\": plugin type=\\"loopback\\" failed (add): failed to find plugin \\"loopback\\" in path [/opt/cni/bin]"\n`,
      },
      for: 'pod-events',
    },
  },
});
