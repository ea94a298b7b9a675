import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const join = (error: string) =>
  `[root@alder ~]# kubeadm join 10.7.0.2:6443 --control-plane\n[preflight] Running pre-flight checks\n${error}\n`;
const etcd = join(
  'error execution phase check-etcd: etcd cluster is not healthy: failed to dial endpoint https://10.7.0.4:2379 with maintenance client: context deadline exceeded',
);

testCause(cause, {
  finds: {
    'a k3s server with other settings': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch k3s[2189]: time="2025-03-04T08:10:57Z" level=fatal msg="starting kubernetes: preparing server: failed to validate server configuration: critical configuration value mismatch between servers"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'a k3s server that names the setting': {
      evidence: {
        'terminal.txt':
          '[root@birch ~]# k3s server\nINFO[0000] Managed etcd cluster not yet initialized\nWARN[0000] critical configuration mismatched: secrets-encryption\nFATA[0000] starting kubernetes: preparing server: failed to validate server configuration: critical configuration value mismatch between servers\n',
      },
      confidence: 'certain',
    },
    'a third server while the second still learns': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch k3s[2189]: time="2025-03-04T08:10:57Z" level=fatal msg="ETCD join failed: etcdserver: too many learner members in cluster"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'a learner that does not catch up': {
      evidence: {
        'join.txt': join(
          'error execution phase control-plane-join/etcd: error creating local etcd static pod manifest file: etcdserver: can only promote a learner member which is in sync with leader',
        ),
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'a member of etcd that is gone': {
      evidence: {
        'join.txt': etcd,
        'members.txt':
          '[root@oak ~]# etcdctl member list\n8e9e05c52164694d, started, oak, https://10.7.0.2:2380, https://10.7.0.2:2379, false\n91bc3c398fb3c146, unstarted, , https://10.7.0.4:2380, , false\n',
      },
      confidence: 'certain',
      place: 'node alder',
      cites: ['join.txt:3'],
    },
    'no endpoint of etcd answers, in the words of 1.16': {
      evidence: { 'join.txt': join('error execution phase check-etcd: error syncing endpoints with etc: context deadline exceeded') },
      confidence: 'certain',
      place: 'node alder',
    },
    'certificates that were not copied': {
      evidence: {
        'join.txt': join(
          "error: error execution phase preflight: \nOne or more conditions for hosting a new control plane instance is not satisfied.\n\n[failure loading certificate for CA: couldn't load the certificate file /etc/kubernetes/pki/ca.crt: open /etc/kubernetes/pki/ca.crt: no such file or directory]",
        ),
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'no endpoint': {
      evidence: {
        'join.txt':
          "[root@alder ~]# kubeadm join 10.7.0.2:6443 --control-plane\nerror: unable to add a new control plane instance to a cluster that doesn't have a stable controlPlaneEndpoint address\n",
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the token is refused': {
      evidence: { 'join.txt': `${etcd}error: could not find a JWS signature in the cluster-info ConfigMap for token ID "k3j2h1"\n` },
      by: 'token',
    },
    'it has joined since': {
      evidence: {
        'join.txt': `${etcd}[root@alder ~]# kubeadm join\nThis node has joined the cluster and a new control plane instance was created:\n`,
      },
      by: 'joined',
    },
  },
  asks: { 'the members of etcd': { evidence: { 'join.txt': etcd }, for: 'host-tools' } },
});
