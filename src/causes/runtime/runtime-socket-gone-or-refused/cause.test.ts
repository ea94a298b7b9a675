import { expect, it } from 'vitest';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = `Aug 09 03:10:44 pine-6 kubelet[880]: E0809 03:10:44.120312     880 remote_runtime.go:277] "ListPodSandbox with filter from runtime service failed" err="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused\\"" filter="nil"
Aug 09 03:10:44 pine-6 kubelet[880]: E0809 03:10:44.120399     880 generic.go:238] "GenericPLEG: Unable to retrieve pods" err="rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /run/containerd/containerd.sock: connect: connection refused\\""
`;
const atStart = `Aug 09 03:20:02 pine-6 kubelet[2204]: E0809 03:20:02.903311    2204 run.go:74] "command failed" err="failed to run Kubelet: validate service connection: validate CRI v1 runtime API for endpoint \\"unix:///var/run/crio/crio.sock\\": rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /var/run/crio/crio.sock: connect: no such file or directory\\""
`;
const oldKubelet = `E0809 03:10:44.120312     880 remote_runtime.go:332] ListContainers with filter &ContainerFilter{Id:,State:nil,PodSandboxId:,LabelSelector:map[string]string{},} from runtime service failed: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix /run/containerd/containerd.sock: connect: no such file or directory"
`;
const nodes = (status: string) => `NAME     STATUS     ROLES           AGE   VERSION
pine-5   Ready      control-plane   90d   v1.28.4
pine-6   ${status.padEnd(8)}   <none>          90d   v1.28.4
`;
const dead = `[root@pine-6 ~]# systemctl status containerd
○ containerd.service - containerd container runtime
     Loaded: loaded (/lib/systemd/system/containerd.service; disabled; vendor preset: enabled)
     Active: inactive (dead)
       Docs: https://containerd.io
`;
const condition = (status: string, reason: string, message: string) => `Name:               pine-6
Roles:              <none>
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason                       Message
  ----             ------  -----------------                 ------------------                ------                       -------
  MemoryPressure   False   Fri, 09 Aug 2024 03:12:00 +0000   Fri, 09 Aug 2024 01:00:00 +0000   KubeletHasSufficientMemory   kubelet has sufficient memory available
  Ready            ${status.padEnd(5)}   Fri, 09 Aug 2024 03:12:00 +0000   Fri, 09 Aug 2024 03:11:20 +0000   ${reason}              ${message}
`;

testCause(cause, {
  finds: {
    'microk8s waits for the socket': {
      evidence: {
        'journal.txt': [0, 1, 2, 3]
          .map(
            (attempt) =>
              `Jun 05 07:21:0${attempt} cedar microk8s.daemon-kubelet[804]: Waiting for containerd socket /var/snap/microk8s/common/run/containerd.sock to appear. (attempt ${attempt})\n`,
          )
          .join(''),
      },
      confidence: 'possible',
    },
    'nobody listens, the node is not ready': {
      evidence: { 'kubelet.log': kubelet, 'nodes.txt': nodes('NotReady') },
      confidence: 'certain',
      place: 'node pine-6',
      cites: ['kubelet.log:1', 'kubelet.log:2'],
      victims: 1,
    },
    'the kubelet does not even start, CRI-O': {
      evidence: { 'kubelet.log': atStart },
      confidence: 'probable',
      place: 'node pine-6',
      cites: ['kubelet.log:1'],
    },
    'an old kubelet, without a colon after dialing': { evidence: { 'kubelet.log': oldKubelet }, confidence: 'probable' },
    'the unit is dead and the node says so': {
      evidence: {
        'host.txt': dead,
        'node.txt': condition(
          'False',
          'KubeletNotReady',
          '[container runtime is down, PLEG is not healthy: pleg was last seen active 5m12s ago; threshold is 3m0s]',
        ),
      },
      confidence: 'probable',
      place: 'node pine-6',
    },
  },
  rulesOut: {
    'a restart of the runtime, over by now': { evidence: { 'kubelet.log': kubelet, 'nodes.txt': nodes('Ready') }, by: 'ready' },
    'the same, as the node describes itself': {
      evidence: { 'kubelet.log': kubelet, 'node.txt': condition('True', 'KubeletReady', 'kubelet is posting ready status') },
      by: 'ready',
    },
  },
  asks: { 'the state of the node': { evidence: { 'kubelet.log': kubelet }, for: 'node-status' } },
});

it.each([
  [
    'a kubelet starts, and tells which runtimes it does not use',
    'I0303 08:00:01.000000    812 factory.go:219] Registration of the crio container factory failed: Get "http://%2Fvar%2Frun%2Fcrio%2Fcrio.sock/info": dial unix /var/run/crio/crio.sock: connect: no such file or directory\n',
  ],
  [
    'k3s waits for its own containerd',
    'Waiting for containerd startup: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /run/k3s/containerd/containerd.sock: connect: no such file or directory"',
  ],
  [
    'the socket of a storage driver',
    'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix /var/lib/kubelet/plugins/example.csi/csi.sock: connect: connection refused"',
  ],
  ['not root', 'dial unix /run/containerd/containerd.sock: connect: permission denied'],
])('does not take for it: %s', (_name, text) => {
  expect(cause.clues.cannotDial.line?.pattern?.test(text)).toBe(false);
});
