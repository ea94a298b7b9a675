import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const loop = `Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 bootstrap.go:266] part of the existing bootstrap client certificate in /etc/kubernetes/kubelet.conf is expired: 2025-02-11 09:18:10 +0000 UTC
Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118511    2041 run.go:74] "command failed" err="failed to run Kubelet: unable to load bootstrap kubeconfig: stat /etc/kubernetes/bootstrap-kubelet.conf: no such file or directory"
Mar 04 08:10:57 birch systemd[1]: kubelet.service: Main process exited, code=exited, status=1/FAILURE
`;
const overdue = `Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 certificate_manager.go:562] kubernetes.io/kube-apiserver-client-kubelet: Failed while requesting a signed certificate from the control plane: Post "https://10.4.0.10:6443/apis/certificates.k8s.io/v1/certificatesigningrequests": x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z
`;
const started = `Mar 04 08:20:57 birch kubelet[2107]: I0304 08:20:57.118402    2107 server.go:1264] "Started kubelet"
Mar 04 08:20:58 birch kubelet[2107]: I0304 08:20:58.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="birch"
`;

testCause(cause, {
  finds: {
    'expired, no bootstrap file': {
      evidence: { 'kubelet.log': loop },
      confidence: 'certain',
      place: 'node birch',
      cites: ['kubelet.log:1', 'kubelet.log:2'],
    },
    'expired while it ran': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: F0304 08:10:57.118402    2041 transport.go:123] The currently active client certificate has expired and the server is responsive, exiting.\n',
      },
      confidence: 'certain',
    },
    'the bootstrap user may not ask': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: cannot create certificate signing request: certificatesigningrequests.certificates.k8s.io is forbidden: User \\"system:bootstrap:q1w2e3\\" cannot create resource \\"certificatesigningrequests\\" in API group \\"certificates.k8s.io\\" at the cluster scope"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'the token is not accepted': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: F0304 08:10:57.118402    2041 server.go:233] failed to run Kubelet: cannot create certificate signing request: Unauthorized\n',
      },
      confidence: 'certain',
    },
    'something is out of date': { evidence: { 'kubelet.log': overdue }, confidence: 'possible' },
  },
  rulesOut: {
    'before the join, well since': { evidence: { 'kubelet.log': loop.split('\n').slice(1).join('\n') + started }, by: 'cameUp' },
    'the clock is wrong': {
      evidence: {
        'kubelet.log':
          overdue.replace('2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z', '2019-01-01T00:00:57Z is before 2025-02-11T09:18:10Z') +
          loop,
      },
      by: 'clock',
    },
  },
  asks: { 'the rest of the journal': { evidence: { 'kubelet.log': overdue }, for: 'kubelet-log' } },
});
