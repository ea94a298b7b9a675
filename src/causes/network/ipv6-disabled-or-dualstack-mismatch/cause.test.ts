import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME                  READY   STATUS             RESTARTS      AGE   IP          NODE
shop        web-5d9c7b6f8-q2w4z   0/1     CrashLoopBackOff   6 (40s ago)   9m    10.4.0.11   plover-1
`;
const log = (words: string) => `$ kubectl -n shop logs web-5d9c7b6f8-q2w4z
${words}
`;
const nginx = '2025/03/04 08:10:57 [emerg] 1#1: socket() [::]:8080 failed (97: Address family not supported by protocol)';

testCause(cause, {
  finds: {
    'a Rust program without ::1': {
      evidence: {
        'ztunnel.log':
          '$ kubectl -n istio-system logs ztunnel-x7k2p\nerror\tinpod::workloadmanager\tfailed to start proxy: Bind([::1]:15053, Os { code: 99, kind: AddrNotAvailable, message: "Cannot assign requested address" })\n',
      },
      confidence: 'certain',
    },
    'the node has no IPv6 pod CIDR': {
      evidence: {
        'describe.txt':
          'Events:\n  Type     Reason                  Age   From     Message\n  ----     ------                  ----  ----     -------\n  Warning  FailedCreatePodSandBox  8s    kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="calico" failed (add): usePodCidrIPv6 found but there is no IPv6 CIDR configured\n',
      },
      confidence: 'probable',
    },
    'an address that is not there': {
      evidence: { 'web.log': log('listen tcp [::1]:9090: bind: cannot assign requested address') },
      confidence: 'possible',
    },
    'a server that calls itself by ::1': {
      evidence: {
        'answer.txt':
          '$ kubectl get pods\nError from server: Get "https://[::1]:6443/api/v1/namespaces/shop/resourcequotas": dial tcp [::1]:6443: connect: cannot assign requested address\n',
      },
      confidence: 'possible',
    },
    'nginx and a host without IPv6': {
      evidence: {
        'pods.txt': pods,
        'web.log': log(`nginx: ${nginx}`),
        'host.txt': '[root@plover-1 ~]# sysctl net.ipv6.conf.all.disable_ipv6\nnet.ipv6.conf.all.disable_ipv6 = 1\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['web.log:2'],
      victims: 1,
    },
    'Node.js': {
      evidence: { 'web.log': log('Error: listen EAFNOSUPPORT: address family not supported :::3000') },
      confidence: 'certain',
    },
    'the bridge plugin': {
      evidence: {
        'describe.txt': `Events:
  Type     Reason                  Age   From     Message
  ----     ------                  ----  ----     -------
  Warning  FailedCreatePodSandBox  8s    kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="bridge" failed (add): failed to set bridge addr: could not add IP address to "cni0": permission denied
`,
      },
      confidence: 'probable',
    },
    'a Service of a family the cluster has not': {
      evidence: {
        'apply.txt':
          '$ kubectl apply -f web.yaml\nThe Service "web" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the port is taken': {
      evidence: {
        'pods.txt': pods,
        'web.log': log(`${nginx}\n2025/03/04 08:11:57 [emerg] 1#1: bind() to 0.0.0.0:8080 failed (98: Address already in use)`),
      },
      by: 'taken',
    },
  },
  asks: { 'the events': { evidence: { 'web.log': log(nginx) }, for: 'pod-events' } },
});
