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
    'a machine of EC2 that is not known': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 ip-10-0-1-98 kubelet[3214]: E0304 08:10:57.828481    3214 controller.go:145] "Failed to ensure lease exists, will retry" err="Unauthorized" interval="7s"\n',
      },
      confidence: 'possible',
    },
    'a kubelet that is nobody': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 rowan kubelet[1374]: E0304 08:10:57.302825    1374 controller.go:135] failed to ensure node lease exists, will retry in 7s, error: leases.coordination.k8s.io "rowan" is forbidden: User "system:anonymous" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-node-lease"\n',
      },
      confidence: 'possible',
    },
    'a kubelet that logs in JSON': {
      evidence: {
        'kubelet.json':
          '{"ts":1741075857252.7,"caller":"kubelet/kubelet_node_status.go:92","msg":"Unable to register node with API server","node":{"name":"rowan"},"err":"Unauthorized"}\n',
      },
      confidence: 'possible',
    },
    'the API server does not know it': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 reflector.go:123] k8s.io/client-go/informers/factory.go:134: Failed to list *v1beta1.CSIDriver: Unauthorized\n',
      },
      confidence: 'possible',
      place: 'node birch',
    },
    'no kubeconfig at all': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: error: failed to run Kubelet: invalid kubeconfig: stat /etc/kubernetes/kubelet.conf: no such file or directory\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'the certificate was deleted': {
      evidence: {
        'kubelet.log':
          'E0304 08:10:57.118402    2041 server.go:302] "Failed to run kubelet" err="failed to run Kubelet: invalid configuration: [unable to read client-cert /var/lib/kubelet/pki/kubelet-client-current.pem for default-auth due to open /var/lib/kubelet/pki/kubelet-client-current.pem: no such file or directory]"\n',
      },
      confidence: 'certain',
    },
    'the certificate is empty since the power failed': {
      evidence: {
        'kubelet.log':
          'E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: failed to initialize client certificate manager: could not convert data from \\"/var/lib/kubelet/pki/kubelet-client-current.pem\\" into cert/key pair: tls: failed to find any PEM data in certificate input"\n',
      },
      confidence: 'certain',
    },
    'the kubeconfig is empty': {
      evidence: {
        'kubelet.log':
          'Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 run.go:74] "command failed" err="failed to run Kubelet: invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable"\n',
      },
      confidence: 'certain',
    },
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
