import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason                  Age                 From               Message
  ----     ------                  ----                ----               -------
  Normal   Scheduled               3m10s               default-scheduler  Successfully assigned shop/cart-5d9c7b6f8-q2w4z to plover-1
  Warning  FailedCreatePodSandBox  8s (x15 over 3m9s)  kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = ${message}
`;
const modern =
  'failed to setup network for sandbox "0d1f2e3a4b5c": plugin type="cilium-cni" failed (add): unable to connect to Cilium agent: failed to create cilium agent client after 30.000000 seconds timeout: Get "http://localhost/v1/config": dial unix /var/run/cilium/cilium.sock: connect: no such file or directory';
const pods = `NAMESPACE     NAME                   READY   STATUS              RESTARTS      AGE   IP          NODE
shop          cart-5d9c7b6f8-q2w4z   0/1     ContainerCreating   0             3m    <none>      plover-1
kube-system   cilium-x7k2p           0/1     CrashLoopBackOff    8 (20s ago)   21m   10.4.0.11   plover-1
`;

testCause(cause, {
  finds: {
    'a kernel it does not know': {
      evidence: {
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=fatal msg="failed to probe helper" runDirectory=/var/run/cilium error="detect support for FnAnvil for program type CGroupSock: load program: invalid argument: 0: (85) call bpf_anvil#1: R1 is not a scalar" progType=CGroupSock helper=FnAnvil\n',
      },
      confidence: 'certain',
    },
    'several cards and no choice': {
      evidence: {
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=fatal msg="Unable to determine direct routing device. Use --direct-routing-device to specify it" subsys=daemon\n',
      },
      confidence: 'certain',
    },
    'no operator': {
      evidence: {
        'cilium.log': `$ kubectl -n kube-system logs cilium-x7k2p -c cilium-agent
time="2025-03-04T08:10:18Z" level=info msg="Still waiting for Cilium Operator to register the following CRDs: [crd:ciliumnodes.cilium.io crd:ciliumidentities.cilium.io]" subsys=k8s
time="2025-03-04T08:12:18Z" level=info msg="Still waiting for Cilium Operator to register the following CRDs: [crd:ciliumnodes.cilium.io crd:ciliumidentities.cilium.io]" subsys=k8s
time="2025-03-04T08:15:18Z" level=fatal msg="Unable to find all Cilium CRDs necessary within 5m0s timeout. Please ensure that Cilium Operator is running, as it's responsible for registering all the Cilium CRDs." subsys=daemon
`,
      },
      confidence: 'certain',
    },
    'the plugin finds no agent': {
      evidence: { 'describe.txt': events(modern), 'pods.txt': pods },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5', 'pods.txt:3'],
    },
    'an old one, with dockershim': {
      evidence: {
        'describe.txt': events(
          '[failed to set up sandbox container "7cf4" network for pod "cart-5d9c7b6f8-q2w4z": NetworkPlugin cni failed to set up pod "cart-5d9c7b6f8-q2w4z_shop" network: unable to connect to Cilium daemon: Failed to create cilium agent client after 30.000000 seconds timeout]',
        ),
      },
      confidence: 'certain',
      victims: 1,
    },
    'the agent does not reach the API server': {
      evidence: {
        'pods.txt': pods,
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=error msg="Unable to contact k8s api-server" error="Get \\"https://10.96.0.1:443/api/v1/namespaces/kube-system\\": dial tcp 10.96.0.1:443: i/o timeout" ipAddr="https://10.96.0.1:443" subsys=k8s-client\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'the kernel does not fit': {
      evidence: {
        'pods.txt': pods,
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=fatal msg="BPF system config check: NOT OK." error="CONFIG_BPF kernel parameter is required" subsys=linux-datapath\n',
      },
      confidence: 'certain',
    },
    'the rules of the host hold what its iptables does not know': {
      evidence: {
        'cilium.log':
          'level=fatal msg="Error while creating daemon" error="error while initializing daemon: failed while reinitializing datapath: failed to install iptables rules: unable to run \'iptables -t filter -S\' iptables command: exit status 1 stderr="Can\'t find library for match `ring\'\\n"" subsys=daemon\n',
      },
      confidence: 'certain',
    },
    'it gives up on an object of its own': {
      evidence: {
        'cilium.log':
          'level=fatal msg="Unable to update CiliumNode resource" module=agent.controlplane.nodediscovery error="Put \\"https://10.4.0.10:6443/apis/cilium.io/v2/ciliumnodes/heron-2\\": http2: client connection lost"\n',
      },
      confidence: 'certain',
    },
    'the agent refuses its configuration': {
      evidence: {
        'pods.txt': pods,
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=info msg="Connected to apiserver" subsys=k8s\nlevel=fatal msg="Error while creating daemon" error="invalid daemon configuration: tunnel protocol \\"gre\\" is unknown" subsys=daemon\n',
      },
      confidence: 'certain',
      cites: ['cilium.log:3'],
    },
  },
  rulesOut: {
    'the agent has no address left': {
      evidence: {
        'describe.txt': `${events(modern)}  Warning  FailedCreatePodSandBox  3s  kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1d1f": plugin type="cilium-cni" failed (add): unable to allocate IP via local cilium agent: [POST /ipam][502] postIpamFailure range is full\n`,
      },
      by: 'full',
    },
  },
  asks: { 'the log of the agent': { evidence: { 'describe.txt': events(modern) }, for: 'container-log' } },
});
