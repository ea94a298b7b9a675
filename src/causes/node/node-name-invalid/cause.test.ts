import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet =
  'Mar 04 08:10:57 birch_1 kubelet[2041]: E0304 08:10:57.118402    2041 kubelet_node_status.go:92] Unable to register node "birch_1" with API server: Node "birch_1" is invalid: metadata.name: Invalid value: "birch_1": a DNS-1123 subdomain must consist of lower case alphanumeric characters, \'-\' or \'.\', and must start and end with an alphanumeric character\n';

testCause(cause, {
  finds: {
    'what microk8s inspect warns of': {
      evidence: {
        'term.txt':
          "root@Elm_1:~# microk8s inspect\nWARNING: This machine's hostname contains capital letters and/or underscores. This is not a valid name for a Kubernetes node, causing node registration to fail.\n",
      },
      confidence: 'certain',
    },
    kubeadm: {
      evidence: {
        'init.txt':
          "[root@birch ~]# kubeadm init\nnodeRegistration.name: Invalid value: \"Birch_Master\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character\n",
      },
      confidence: 'certain',
      cites: ['init.txt:2'],
    },
    'the kubelet': { evidence: { 'kubelet.log': kubelet }, confidence: 'certain' },
    'too long': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 kubelet_node_status.go:92] Unable to register node with API server: metadata.labels[kubernetes.io/hostname]: Invalid value: "birch-with-a-very-long-name-that-goes-on-and-on-and-on.fern.example": must be no more than 63 characters\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it registered since': {
      evidence: {
        'kubelet.log': `${kubelet}Mar 04 08:20:58 birch_1 kubelet[2107]: I0304 08:20:58.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="birch-1"\n`,
      },
      by: 'registered',
    },
  },
  asks: {
    'the journal of the kubelet': {
      evidence: {
        'init.txt':
          '[root@birch ~]# kubeadm init\nnodeRegistration.name: Invalid value: "Birch": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters\n',
      },
      for: 'kubelet-log',
    },
  },
});
