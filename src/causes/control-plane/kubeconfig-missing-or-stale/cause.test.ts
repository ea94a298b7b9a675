import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const none =
  '$ kubectl get nodes\nE0304 08:10:57.118402   20817 memcache.go:265] "Unhandled Error" err="couldn\'t get current server API group list: Get \\"http://localhost:8080/api?timeout=32s\\": dial tcp 127.0.0.1:8080: connect: connection refused"\nThe connection to the server localhost:8080 was refused - did you specify the right host or port?\n';

testCause(cause, {
  finds: {
    'a call without credentials': {
      evidence: {
        'term.txt':
          '$ curl -k https://10.4.0.10:6443/\n{"kind":"Status","status":"Failure","message":"forbidden: User \\"system:anonymous\\" cannot get path \\"/\\"","reason":"Forbidden","code":403}\n',
      },
      confidence: 'possible',
    },
    'Terraform without a cluster': {
      evidence: {
        'term.txt':
          '│ Error: Get "http://localhost/api/v1/namespaces/orchard": dial tcp [::1]:80: connect: connection refused\n│   with kubernetes_namespace.orchard,\n',
      },
      confidence: 'certain',
    },
    'a script in Python': {
      evidence: {
        'term.txt': 'kubernetes.config.config_exception.ConfigException: Invalid kube-config file. No configuration found.\n',
      },
      confidence: 'certain',
    },
    'a login helper that is not installed': {
      evidence: {
        'term.txt':
          '$ kubectl get nodes\nUnable to connect to the server: getting credentials: exec: executable gke-gcloud-auth-plugin not found\n',
      },
      confidence: 'certain',
    },
    'a login helper that is not logged in': {
      evidence: {
        'term.txt':
          '$ kubectl get nodes\nUnable to connect to the server: getting credentials: exec: executable aws failed with exit code 255\n',
      },
      confidence: 'certain',
    },
    'a login helper of an old version': {
      evidence: { 'term.txt': '$ kubectl get nodes\nerror: exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"\n' },
      confidence: 'certain',
    },
    'a login that is no longer built in': {
      evidence: { 'term.txt': '$ kubectl get nodes\nerror: no Auth Provider found for name "gcp"\n' },
      confidence: 'certain',
    },
    'no kubeconfig': { evidence: { 'terminal.txt': none }, confidence: 'certain', place: 'the cluster', cites: ['terminal.txt:2'] },
    'kubectl with the file of a kubelet': {
      evidence: {
        'terminal.txt':
          '$ kubectl delete -f job.yaml\nError from server (Forbidden): error when deleting "job.yaml": pods "report-5" is forbidden: node "elm" can only delete pods with spec.nodeName set to itself\n',
      },
      confidence: 'certain',
    },
    'a scheduler without a context': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 elm kube-scheduler[9290]: invalid configuration: no configuration has been provided\nMar 04 08:10:57 elm systemd[1]: kube-scheduler.service: Main process exited, code=exited, status=1/FAILURE\n',
      },
      confidence: 'certain',
    },
    'a context that is not there': {
      evidence: {
        'terminal.txt': 'error: invalid configuration: [context was not found for specified context: lab, cluster has no server defined]\n',
      },
      confidence: 'certain',
    },
    'the CA of an earlier cluster': {
      evidence: {
        'terminal.txt':
          'Unable to connect to the server: x509: certificate signed by unknown authority (possibly because of "crypto/rsa: verification error" while trying to verify candidate authority certificate "kubernetes")\n',
      },
      confidence: 'certain',
    },
    'an address that the certificate does not name': {
      evidence: {
        'terminal.txt':
          'Unable to connect to the server: tls: failed to verify certificate: x509: certificate is valid for 10.96.0.1, 10.4.0.10, not 203.0.113.7\n',
      },
      confidence: 'certain',
    },
    credentials: { evidence: { 'terminal.txt': 'error: You must be logged in to the server (Unauthorized)\n' }, confidence: 'certain' },
    'a file it may not read': {
      evidence: {
        'terminal.txt':
          'error: error loading config file "/etc/kubernetes/admin.conf": open /etc/kubernetes/admin.conf: permission denied\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the certificate of the kubelet is not there': {
      evidence: {
        'terminal.txt':
          'invalid configuration: [unable to read client-cert /var/lib/kubelet/pki/kubelet-client-current.pem for default-auth due to open /var/lib/kubelet/pki/kubelet-client-current.pem: no such file or directory]\n',
      },
      by: 'kubelet',
    },
    'the kubelet speaks of its own': {
      evidence: {
        'terminal.txt':
          'failed to run Kubelet: invalid kubeconfig: error loading config file "/var/lib/kubelet/kubeconfig": read /var/lib/kubelet/kubeconfig: is a directory\n',
      },
      by: 'kubelet',
    },
    expired: {
      evidence: {
        'terminal.txt':
          'error: You must be logged in to the server (Unauthorized)\nUnable to connect to the server: x509: certificate has expired or is not yet valid: current time 2025-03-04T08:10:57Z is after 2025-02-11T09:18:10Z\n',
      },
      by: 'expired',
    },
  },
  asks: {
    'what else kubectl says': {
      evidence: {
        'join.log': '[preflight] The connection to the server localhost:8080 was refused - did you specify the right host or port?\n',
      },
      for: 'objects',
    },
  },
});

describe('kubeconfig-missing-or-stale and components with a file of their own', () => {
  const said = (command: string, prefix: string) =>
    `$ ${command}\n${prefix}couldn't get current server API group list: Get "https://10.4.0.10:6443/api?timeout=32s": tls: failed to verify certificate: x509: certificate signed by unknown authority\n`;
  const causesOf = async (text: string) => {
    const { incidents } = await diagnose([{ name: 'terminal.txt', text }], { causes: [cause] });
    return incidents.map((incident) => incident.cause);
  };

  it('speaks of kubectl, not of what a pod logs', async () => {
    expect(await causesOf(said('kubectl get pods', 'E0304 08:10:57.118402   20817 memcache.go:265] '))).toContain(cause.id);
    expect(
      await causesOf(said('kubectl -n kube-system logs kube-proxy-x7k2p', 'E0304 08:10:57.118402       1 reflector.go:138] ')),
    ).not.toContain(cause.id);
  });
});
