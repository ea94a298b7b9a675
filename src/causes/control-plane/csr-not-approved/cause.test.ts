import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const table = (condition: string) => `$ kubectl get csr
NAME        AGE   SIGNERNAME                                    REQUESTOR                 REQUESTEDDURATION   CONDITION
csr-4v2kx   12m   kubernetes.io/kube-apiserver-client-kubelet   system:bootstrap:abcdef   <none>              ${condition}
`;
const kubelet =
  'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 certificate_manager.go:562] "Certificate request was not signed" err="timed out waiting for the condition"\n';

testCause(cause, {
  finds: {
    'waits for approval': {
      evidence: { 'csr.txt': table('Pending'), 'kubelet.log': kubelet },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['csr.txt:3'],
    },
    'approved, not issued': { evidence: { 'csr.txt': table('Approved') }, confidence: 'certain' },
    denied: { evidence: { 'csr.txt': table('Denied') }, confidence: 'certain' },
    'the approver may not': {
      evidence: {
        'kcm.log':
          '$ kubectl -n kube-system logs kube-controller-manager-cp-1\nE0304 08:10:57.118402       1 certificate_controller.go:166] error syncing csr "csr-4v2kx": recognized csr "csr-4v2kx" as [nodeclient] but subject access review was not approved\n',
      },
      confidence: 'certain',
    },
    'only the kubelet': { evidence: { 'kubelet.log': kubelet }, confidence: 'possible' },
    'a join that waits': {
      evidence: {
        'join.txt':
          '# kubeadm join 10.4.0.10:6443 --token abcdef.0123456789abcdef\n[kubelet-start] Starting the kubelet\n[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap...\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'issued since': {
      evidence: {
        'kubelet.log': `${kubelet}Mar 04 08:12:57 birch kubelet[2041]: I0304 08:12:57.118402    2041 csr.go:261] certificate signing request csr-4v2kx is issued\n`,
      },
      by: 'issued',
    },
  },
  asks: { 'the requests': { evidence: { 'kubelet.log': kubelet }, for: 'objects' } },
});
