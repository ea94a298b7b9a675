import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (inner: string) =>
  `Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 remote_runtime.go:205] "StopPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to destroy network for sandbox \\"ab12cd34\\": ${inner}" podSandboxID="ab12cd34"\n`;
const damaged = 'failed to get network \\"cbr0\\" cached result: decoding version from network config: unexpected end of JSON input';

testCause(cause, {
  finds: {
    'the kubelet journal': {
      evidence: { 'kubelet.log': journal(damaged) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['kubelet.log:1'],
    },
    'the event of a pod, and the file': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason         Age                From     Message
  ----     ------         ----               ----     -------
  Warning  FailedKillPod  8s (x30 over 10m)  kubelet  error killing pod: failed to "KillPodSandbox" for "0b54d0d8-3c1e-4b54-9a52-6f64a1b2f7aa" with KillPodSandboxError: "rpc error: code = Unknown desc = failed to destroy network for sandbox \\"ab12\\": failed to get network \\"k8s-pod-network\\" cached result: decoding version from network config: unexpected end of JSON input"
`,
        'host.txt': '[root@plover-1 ~]# find /var/lib/cni -size 0\n/var/lib/cni/results/cbr0-ab12cd34-eth0\n',
      },
      confidence: 'certain',
      cites: ['describe.txt:4'],
    },
  },
  rulesOut: {
    'the plugin fails': {
      evidence: {
        'kubelet.log': `${journal(damaged)}${journal('plugin type=\\"calico\\" failed (delete): error getting ClusterInformation: connection is unauthorized: Unauthorized')}`,
      },
      by: 'plugin',
    },
  },
  asks: { 'the files': { evidence: { 'kubelet.log': journal(damaged) }, for: 'host-tools' } },
});
