import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = `Jun 03 10:11:12 oak-1 kubelet[4711]: E0603 10:11:12.000000    4711 run.go:74] "command failed" err="failed to run Kubelet: validate service connection: CRI v1 runtime API is not implemented for endpoint \\"unix:///run/containerd/containerd.sock\\": rpc error: code = Unimplemented desc = unknown service runtime.v1.RuntimeService"
`;
const alpha = `Jun 03 10:11:12 oak-1 kubelet[4711]: E0603 10:11:12.000000    4711 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: failed to create kubelet: get remote runtime typed version failed: rpc error: code = Unimplemented desc = unknown service runtime.v1alpha2.RuntimeService"
`;
const containerd = (version: string) =>
  `[root@oak-1 ~]# containerd --version\ncontainerd github.com/containerd/containerd ${version} 05f951a3781f4f2c1911b05e61c160e9c30eaa8e\n`;
const nodes = `NAME    STATUS     ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                KERNEL-VERSION     CONTAINER-RUNTIME
oak-1   NotReady   <none>   90d   v1.25.2   10.0.0.5      <none>        CentOS Linux 7 (Core)   5.4.0-1.el7        containerd://1.4.13
`;

testCause(cause, {
  finds: {
    'an old cri-dockerd, as Docker Desktop logs it': {
      evidence: {
        'init.log':
          '{"component":"cri-dockerd","level":"info","msg":"time=\\"2026-06-05T07:21:03Z\\" level=fatal msg=\\"failed to get docker version from dockerd: Error response from daemon: client version 1.43 is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version\\"","time":"2026-06-05T07:21:03.11Z"}\n',
      },
      confidence: 'certain',
    },
    'cri-dockerd that Docker finds too old, as a bare line': {
      evidence: {
        'paste.txt':
          'time="2025-03-04T08:10:57Z" level=fatal msg="failed to get docker version from dockerd: Error response from daemon: client version 1.43 is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version"\n',
      },
      confidence: 'certain',
    },
    'containerd is too old': {
      evidence: { 'kubelet.log': kubelet, 'oak-1.txt': containerd('v1.4.3') },
      confidence: 'certain',
      place: 'node oak-1',
      cites: ['kubelet.log:1', 'oak-1.txt:2'],
    },
    'the node says how old': { evidence: { 'kubelet.log': kubelet, 'nodes.txt': nodes }, confidence: 'certain', place: 'node oak-1' },
    'the line alone': { evidence: { 'kubelet.log': kubelet }, confidence: 'possible', place: 'node oak-1' },
    'with a kubelet that wants v1': {
      evidence: { 'kubelet.log': kubelet, 'oak-1.txt': '[root@oak-1 ~]# kubelet --version\nKubernetes v1.26.3\n' },
      confidence: 'probable',
      place: 'node oak-1',
    },
    'containerd is too new': {
      evidence: {
        'kubelet.log': `${alpha}Jun 03 10:11:11 oak-1 kubelet[4711]: I0603 10:11:11.000000    4711 remote_runtime.go:1] "Using CRI v1alpha2 API"\n`,
        'oak-1.txt': containerd('v2.0.1'),
      },
      confidence: 'probable',
    },
    'Docker wants a newer client': {
      evidence: {
        'kubelet.log':
          'Jun 03 10:11:12 oak-1 kubelet[4711]: E0603 10:11:12.000000    4711 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: failed to get docker version: Error response from daemon: client version 1.24 is too old. Minimum supported API version is 1.44, please upgrade your client to a newer version"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the plugin is switched off': {
      evidence: {
        'kubelet.log': kubelet,
        'containerd.log':
          'Jun 03 10:11:12 oak-1 containerd[880]: time="2024-06-03T10:11:12Z" level=info msg="skip loading plugin \\"io.containerd.grpc.v1.cri\\"..." type=io.containerd.grpc.v1\n',
      },
      by: 'switchedOff',
    },
    'the plugin fails': {
      evidence: {
        'kubelet.log': kubelet,
        'containerd.log':
          'Jun 03 10:11:12 oak-1 containerd[880]: time="2024-06-03T10:11:12Z" level=warning msg="failed to load plugin io.containerd.grpc.v1.cri" error="invalid plugin config"\n',
      },
      by: 'pluginFailed',
    },
  },
  asks: { 'the version of containerd': { evidence: { 'kubelet.log': kubelet }, for: 'host.version' } },
});
