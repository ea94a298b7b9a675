import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE      NAME                       READY   STATUS              RESTARTS      AGE   IP          NODE
kube-flannel   kube-flannel-ds-7xk2p      0/1     CrashLoopBackOff    6 (40s ago)   9m    10.4.0.11   plover-1
kube-system    coredns-7c65d6cfc9-4k2bp   0/1     ContainerCreating   0             30m   <none>      plover-1
`;
const log = (words: string) => `$ kubectl -n kube-flannel logs kube-flannel-ds-7xk2p
I0304 08:10:55.104225       1 main.go:211] CLI flags config: {kubeSubnetMgr:true iface:[] ipMasq:true subnetFile:/run/flannel/subnet.env}
I0304 08:10:56.104225       1 main.go:231] Created subnet manager: Kubernetes Subnet Manager - plover-1
${words}
`;
const refused =
  'E0304 08:10:57.331207       1 main.go:332] Error registering network: failed to acquire lease: node "plover-1" pod cidr not assigned';

testCause(cause, {
  finds: {
    'the cluster CIDR holds one node': {
      evidence: {
        'flannel.log':
          '$ kubectl -n kube-flannel logs kube-flannel-ds-x7k2p\nE0304 08:10:36.377521       1 main.go:292] Error registering network: failed to acquire lease: node "plover-2" pod cidr not assigned\n',
        'ps.txt':
          '$ ps -ef | grep kube-controller-manager\nroot 911 1 3 08:00 ? 00:10:12 kube-controller-manager --allocate-node-cidrs=true --cluster-cidr=10.99.2.0/24 --node-cidr-mask-size=24 --leader-elect=true\n',
      },
      confidence: 'certain',
      cites: ['flannel.log:2', 'ps.txt:2'],
    },
    antrea: {
      evidence: {
        'agent.log':
          '$ kubectl -n kube-system logs antrea-agent-x7k2p -c antrea-agent\nF0304 08:10:36.748893       1 main.go:53] Error running agent: error initializing agent: CIDR string is empty for Node plover-2\n',
      },
      confidence: 'certain',
    },
    'calico with the pod CIDR of its node': {
      evidence: {
        'describe.txt':
          'Events:\n  Type     Reason                  Age   From     Message\n  ----     ------                  ----  ----     -------\n  Warning  FailedCreatePodSandBox  8s    kubelet  Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "0d1f": plugin type="calico" failed (add): usePodCidr found but there is no IPv4 CIDR configured\n',
      },
      confidence: 'probable',
    },
    flannel: {
      evidence: { 'pods.txt': pods, 'flannel.log': log(refused) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['flannel.log:4'],
      victims: 1,
    },
    'an old flannel': {
      evidence: {
        'flannel.log': log(
          'E0519 00:37:28.550351       1 network.go:102] failed to register network: failed to acquire lease: node "plover-1" pod cidr not assigned',
        ),
      },
      confidence: 'certain',
    },
    'cilium with the IPAM of Kubernetes': {
      evidence: {
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=warning msg="Waiting for k8s node information" error="required IPv4 PodCIDR not available" subsys=k8s\n',
      },
      confidence: 'certain',
    },
    'the range is used up': {
      evidence: {
        'flannel.log': log(refused),
        'manager.log':
          '$ kubectl -n kube-system logs kube-controller-manager-plover-0\nE0304 08:10:51.331207       1 controller_utils.go:262] Error while processing Node Add/Delete: failed to allocate cidr from cluster cidr at idx:0: CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range\n',
      },
      confidence: 'certain',
    },
    'switched off': {
      evidence: {
        'flannel.log': log(refused),
        'host.txt':
          '[root@plover-1 ~]# ps -ef | grep kube-controller-manager\nroot 2201 kube-controller-manager --allocate-node-cidrs=false\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'flannel got further': {
      evidence: {
        'pods.txt': pods,
        'flannel.log': log(`${refused}\nI0304 08:12:57.331207       1 main.go:400] Wrote subnet file to /run/flannel/subnet.env`),
      },
      by: 'passed',
    },
  },
  asks: { 'the controller manager': { evidence: { 'flannel.log': log(refused) }, for: 'control-plane-log' } },
});
