import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const join = (error: string) =>
  `[root@birch ~]# kubeadm join 10.4.0.10:6443 --token abcdef.0123456789abcdef\n[preflight] Running pre-flight checks\n${error}`;
const timeout = join(
  'error execution phase preflight: couldn\'t validate the identity of the API Server: Get "https://10.4.0.10:6443/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)\n',
);

testCause(cause, {
  finds: {
    'a timeout': { evidence: { 'join.txt': timeout }, confidence: 'certain', place: 'node birch', cites: ['join.txt:3'] },
    'no route to the configuration, and firewalld': {
      evidence: {
        'join.txt': join(
          '\t[WARNING Firewalld]: firewalld is active, please ensure ports [10250] are open or your cluster may not function correctly\nerror execution phase preflight: unable to fetch the kubeadm-config ConfigMap: failed to get config map: Get https://10.4.0.10:6443/api/v1/namespaces/kube-system/configmaps/kubeadm-config: dial tcp 10.4.0.10:6443: connect: no route to host\n',
        ),
      },
      confidence: 'certain',
    },
    'an old kubeadm, through a proxy': {
      evidence: {
        'join.txt': join(
          '\t[WARNING HTTPProxy]: Connection to "https://10.4.0.10" uses proxy "http://10.4.0.2:3128". If that is not intended, adjust your proxy settings\n[discovery] Failed to request cluster info, will try again: [Get https://10.4.0.10:6443/api/v1/namespaces/kube-public/configmaps/cluster-info: dial tcp 10.4.0.10:6443: i/o timeout]\n',
        ),
      },
      confidence: 'certain',
    },
    'an agent of k3s': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch k3s[2041]: time="2025-03-04T08:10:57Z" level=error msg="Failed to validate connection to cluster at https://10.4.0.10:6443: failed to get CA certs: Get \\"https://127.0.0.1:6444/cacerts\\": dial tcp 10.4.0.10:6443: connect: no route to host"\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the token has expired': {
      evidence: {
        'join.txt':
          `${timeout}error execution phase preflight: couldn't validate the identity of the API Server: could not find a JWS signature in the cluster-info ConfigMap for token ID "abcdef"\n`.replace(
            'could not find',
            'cluster-info: could not find',
          ),
      },
      by: 'otherFault',
    },
    'it worked in the end': { evidence: { 'join.txt': `${timeout}\nThis node has joined the cluster:\n` }, by: 'joined' },
  },
  asks: { 'the journal': { evidence: { 'join.txt': timeout }, for: 'system-log' } },
});
