import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const agent = (message: string) => `Mar 04 08:10:57 alder k3s[697]: time="2026-03-04T08:10:57Z" level=info msg="${message}"\n`;
const rejected = agent(
  "Waiting to retrieve agent configuration; server is not ready: Node password rejected, duplicate hostname or contents of '/etc/rancher/node/password' may not match server node-passwd entry, try enabling a unique node name with the --with-node-id flag",
);

testCause(cause, {
  finds: {
    'a server of k3s with the name of another': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 alder k3s[901]: time="2025-03-04T08:10:57Z" level=fatal msg="starting kubernetes: preparing server: start managed database: duplicate node name found, please use a unique name for this node"\n',
      },
      confidence: 'certain',
    },
    'an older k3s server refuses the password': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 elm k3s[943]: time="2026-03-04T08:10:57Z" level=error msg="Node password validation failed for [alder]"\n',
      },
      confidence: 'certain',
    },
    'kubeadm meets a node of the same name': {
      evidence: {
        'join.txt':
          '[root@alder ~]# kubeadm join 10.7.0.2:6443\nerror: error execution phase kubelet-start: a Node with name "alder" and status "Ready" already exists in the cluster. You must delete the existing Node or change the name of this new joining Node\n',
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['join.txt:2'],
    },
    'k3s rejects the password': { evidence: { 'journal.txt': rejected }, confidence: 'certain', place: 'node alder' },
    'Calico finds the address taken': {
      evidence: {
        'calico.txt':
          "$ kubectl -n calico-system logs calico-node-7x2lq\n2026-03-04 08:10:57.118 [ERROR][9] startup/startup.go 211: Calico node 'oak' is already using the IPv4 address 10.7.0.9.\n",
      },
      confidence: 'possible',
    },
    'another kubelet answers': {
      evidence: { 'paste.txt': '$ kubectl -n shop exec -it cart-0 -- sh\nerror: unable to upgrade connection: pod does not exist\n' },
      confidence: 'possible',
    },
    'signs only': {
      evidence: {
        'events.txt':
          '$ kubectl get events\nLAST SEEN           TYPE      REASON     OBJECT       MESSAGE\n1m (x61 over 90m)   Warning   Rebooted   node/alder   Node alder has been rebooted, boot id: 4f3b2a1c\n',
        'kern.log':
          'Mar 04 08:10:57 alder kernel: [91234.118402] IPv6: eth0: IPv6 duplicate address fe80::1 used by 52:54:00:12:34:56 detected!\n',
        'note.txt': '[root@alder ~]# check-nodes\nerror: alder and oak have the same machine-id\n',
        'kubelet.log':
          'Mar 04 08:10:57 alder kubelet[901]: I0304 08:10:57.118402     901 x.go:1] "Node IP address has changed from 10.7.0.9 to 10.7.0.11"\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'put right meanwhile': {
      evidence: {
        'journal.txt': rejected,
        'fix.txt':
          '[root@alder ~]# kubectl -n kube-system delete secret alder.node-password.k3s\nsecret "alder.node-password.k3s" deleted\n',
      },
      by: 'reinstalled',
    },
  },
  asks: { 'what the node reports': { evidence: { 'journal.txt': rejected }, for: 'node-events' } },
});
