import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const format =
  'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="flannel" failed (add): fork/exec /opt/cni/bin/flannel: exec format error';

testCause(cause, {
  finds: {
    'its state is locked': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="azure-vnet" failed (add): Failed to initialize key-value store of network plugin: timed out locking store
`,
      },
      confidence: 'certain',
    },
    'another architecture': {
      evidence: { 'describe.txt': events(format) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'somebody kills it': {
      evidence: {
        'describe.txt': events(
          'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="azure-vnet" failed (add): netplugin failed with no error message: signal: killed',
        ),
        'kern.log':
          'Mar  4 08:10:57 plover-1 kernel: audit: type=1400 audit(1741075857.331:88): apparmor="DENIED" operation="exec" profile="agent" name="/opt/cni/bin/azure-vnet" pid=2201 comm="azure-vnet-cni" requested_mask="x" denied_mask="x"\n',
      },
      confidence: 'certain',
    },
    'it writes to its error output': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.331207    1204 remote_runtime.go:176] "RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to setup network for sandbox \\"0d1f\\": plugin type=\\"bridge\\" failed (add): netplugin failed: \\"/opt/cni/bin/bridge: line 1: syntax error\\""\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
  },
  rulesOut: {
    'it is not there': {
      evidence: {
        'describe.txt': `${events(format)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="flannel" failed (add): failed to find plugin "flannel" in path [/opt/cni/bin]\n`,
      },
      by: 'missing',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': events(format) }, for: 'kernel-log' } },
});
