import { expect, it } from 'vitest';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (rows: string) => `Name:         report-6c8f7d9b5c-z4k8q
Namespace:    office
Node:         fir-3/10.2.0.3
Status:       Pending
Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               14m                default-scheduler  Successfully assigned office/report-6c8f7d9b5c-z4k8q to fir-3
${rows}`;
const timedOut =
  '  Warning  FailedCreatePodSandBox  10m                kubelet            Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded\n';
const reserved =
  '  Warning  FailedCreatePodSandBox  4s (x30 over 9m)   kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name "report-6c8f7d9b5c-z4k8q_office_2f1e0d9c-8b7a-4695-8473-6251403f2e1d_0": name "report-6c8f7d9b5c-z4k8q_office_2f1e0d9c-8b7a-4695-8473-6251403f2e1d_0" is reserved for "9b8a7c6d5e4f30211203f4e5d6c7a8b99b8a7c6d5e4f30211203f4e5d6c7a8b9"\n';
const kubelet = `Sep 01 06:00:00 fir-3 kubelet[701]: E0901 06:00:00.220011     701 remote_runtime.go:176] "RunPodSandbox from runtime service failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"
Sep 01 06:00:05 fir-3 kubelet[701]: E0901 06:00:05.220011     701 kubelet.go:2396] "Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m7.110s ago; threshold is 3m0s"
`;
const kernel = 'Sep 01 05:58:40 fir-3 kernel: INFO: task containerd-shim:20411 blocked for more than 120 seconds.\n';

testCause(cause, {
  finds: {
    'runc does not come back to its shim': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON                   OBJECT      MESSAGE
12s         Warning   FailedCreatePodSandBox   pod/web-0   Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = failed to create containerd task: failed to create shim task: context deadline exceeded
`,
      },
      confidence: 'possible',
    },
    'CRI-O names the stage': {
      evidence: {
        'crio.log':
          'Mar 04 08:10:57 birch crio[539]: time="2026-03-04 08:10:57.835Z" level=info msg="Creation of container k8s_web_web-0_shop_0b1c_0 not yet finished. Currently at stage container storage creation. Waiting up to 5m59.9s for it to finish" id=0b1c\n',
      },
      confidence: 'possible',
    },
    'a timed out sandbox, then its reserved name, and a hung task': {
      evidence: { 'describe.txt': events(timedOut + reserved), 'kern.log': kernel },
      confidence: 'probable',
      place: 'node fir-3',
      cites: ['describe.txt:9', 'describe.txt:10', 'kern.log:1'],
      victims: 1,
    },
    'no answer on the host either': {
      evidence: {
        'host.txt': '[root@fir-3 ~]# crictl --timeout 10s pods\npodcause: no answer within 15 s\n',
        'describe.txt': events(timedOut),
      },
      confidence: 'probable',
      place: 'node fir-3',
      cites: ['host.txt:2'],
    },
    'calls and listing too late': {
      evidence: { 'kubelet.log': kubelet, 'describe.txt': events(timedOut) },
      confidence: 'probable',
      place: 'node fir-3',
    },
    'containers that are created too late, CRI-O': {
      evidence: {
        'describe.txt': events(
          `  Warning  FailedCreatePodSandBox  17m                kubelet            Failed create pod sandbox: rpc error: code = Unknown desc = error reserving pod name k8s_report-6c8f7d9b5c-z4k8q_office_2f1e0d9c-8b7a-4695-8473-6251403f2e1d_0 for id 9b8a7c6d5e4f30211203f4e5d6c7a8b9
  Warning  Failed                  3m (x3 over 8m)    kubelet            Error: context deadline exceeded
`,
        ),
        'kubelet.log':
          'Sep 01 06:00:00 fir-3 kubelet[701]: E0901 06:00:00.220011     701 kuberuntime_manager.go:1237] "CreatePodSandbox for pod failed" err="rpc error: code = Unknown desc = failed to start sandbox container for pod \\"report\\": operation timeout: context deadline exceeded" pod="office/report-6c8f7d9b5c-z4k8q"\n',
      },
      confidence: 'probable',
      place: 'node fir-3',
      cites: ['describe.txt:9', 'describe.txt:10', 'kubelet.log:1'],
    },
    'one timeout alone': { evidence: { 'describe.txt': events(timedOut) }, confidence: 'possible', place: 'node fir-3' },
  },
  rulesOut: {
    'nobody listens on the socket': {
      evidence: {
        'kubelet.log': `${kubelet}Sep 01 06:01:00 fir-3 kubelet[701]: E0901 06:01:00.220011     701 remote_runtime.go:277] "ListPodSandbox with filter from runtime service failed" err="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused\\""
`,
      },
      by: 'refused',
    },
    'the network plugin fails': {
      evidence: {
        'describe.txt': events(
          `${timedOut}  Warning  FailedCreatePodSandBox  20s                kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "ab12": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized\n`,
        ),
      },
      by: 'pluginFails',
    },
  },
  asks: { 'what the kernel says': { evidence: { 'describe.txt': events(timedOut) }, for: 'kernel-log' } },
});

it.each([
  ['an image pull', 'Failed to pull image "example.org/a:1": rpc error: code = DeadlineExceeded desc = context deadline exceeded'],
  ['a volume', 'MountVolume.SetUp failed for volume "data" : rpc error: code = DeadlineExceeded desc = context deadline exceeded'],
  ['a probe', '"ExecSync cmd from runtime service failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"'],
])('does not take for it: %s', (_name, text) => {
  expect(cause.clues.deadline.line?.pattern?.test(text)).toBe(false);
});
