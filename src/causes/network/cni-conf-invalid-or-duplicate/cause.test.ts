import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to heron-2
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: ${message}
`;
const containerd =
  'Mar 04 07:58:31 heron-2 containerd[688]: time="2025-03-04T07:58:31.201884Z" level=error msg="failed to reload cni configuration after receiving fs change event(WRITE \\"/etc/cni/net.d/10-tern.conflist\\")" error="cni config load failed: failed to load CNI config list file /etc/cni/net.d/10-tern.conflist: error parsing configuration list: unexpected end of JSON input: invalid cni config: failed to load cni config"\n';

testCause(cause, {
  finds: {
    'containerd cannot read the list': {
      evidence: { 'containerd.log': containerd },
      confidence: 'certain',
      place: 'node heron-2',
      cites: ['containerd.log:1'],
    },
    'the kubelet of a Docker node': {
      evidence: {
        'kubelet.log': `Mar 04 08:10:57 heron-2 kubelet[1204]: W0304 08:10:57.331207    1204 cni.go:202] Error validating CNI config list {"name":"cbr0"}: [plugin flannel does not support config version ""]
Mar 04 08:10:57 heron-2 kubelet[1204]: W0304 08:10:57.331257    1204 cni.go:237] Unable to update cni config: no valid networks found in /etc/cni/net.d
`,
      },
      confidence: 'certain',
      place: 'node heron-2',
    },
    'versions do not meet': {
      evidence: {
        'describe.txt': events(
          'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="bridge" failed (add): incompatible CNI versions; config is "1.0.0", plugin supports ["0.1.0" "0.2.0" "0.3.0" "0.3.1" "0.4.0"]',
        ),
        'host.txt': '[root@heron-2 ~]# ls /etc/cni/net.d\n100-crio-bridge.conflist\n10-tern.conflist\n',
      },
      confidence: 'certain',
      place: 'node heron-2',
      cites: ['host.txt:2'],
      victims: 1,
    },
    'no version in the file, seen when a pod ends': {
      evidence: {
        'containerd.log':
          'Mar 04 07:58:31 heron-2 containerd[688]: time="2025-03-04T07:58:31.201884Z" level=error msg="StopPodSandbox for \\"0d1f\\" failed" error="failed to destroy network for sandbox \\"0d1f\\": invalid version \\"\\": the version is empty"\n',
      },
      confidence: 'certain',
      place: 'node heron-2',
    },
    'a plugin cannot read its part': {
      evidence: {
        'describe.txt': events(
          'rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="bridge" failed (add): failed to load netconf: json: cannot unmarshal string into Go struct field NetConf.mtu of type int',
        ),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'no file at all': {
      evidence: {
        'kubelet.log': `${containerd}Mar 04 08:10:57 heron-2 containerd[688]: time="2025-03-04T08:10:57.201884Z" level=error msg="failed to load cni during init" error="cni config load failed: no network config found in /etc/cni/net.d: cni plugin not initialized"\n`,
      },
      by: 'noFile',
    },
  },
  asks: {
    'the files': { evidence: { 'containerd.log': containerd }, for: 'host-tools' },
  },
});
