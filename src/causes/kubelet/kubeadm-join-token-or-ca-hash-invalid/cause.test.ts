import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const failed = (error: string) =>
  `[root@alder ~]# kubeadm join 10.7.0.2:6443 --token hidden\n[preflight] Running pre-flight checks\nerror: error execution phase preflight: couldn't validate the identity of the API Server: ${error}\nTo see the stack trace of this error execute with --v=5 or higher\n`;
const expired = failed('could not find a JWS signature in the cluster-info ConfigMap for token ID "k3j2h1"');

testCause(cause, {
  finds: {
    'a token without the rights of a joining node': {
      evidence: {
        'join.txt':
          '[root@alder ~]# kubeadm join 10.4.0.10:6443\n[preflight] Running pre-flight checks\nerror execution phase preflight: unable to fetch the kubeadm-config ConfigMap: failed to get config map: configmaps "kubeadm-config" is forbidden: User "system:bootstrap:p3arsx" cannot get resource "configmaps" in API group "" in the namespace "kube-system"\n',
      },
      confidence: 'certain',
    },
    'an agent of Rancher with the checksum of an earlier CA': {
      evidence: {
        'agent.txt': 'ERROR: Value from https://rancher.example/v3/settings/cacerts does not match the requested checksum\n',
      },
      confidence: 'certain',
    },
    'a token of k3s that is badly written': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 alder k3s[901]: time="2025-03-04T08:10:57Z" level=fatal msg="starting kubernetes: preparing server: failed to normalize server token; must be in format K10<CA-HASH>::<USERNAME>:<PASSWORD> or <PASSWORD>"\n',
      },
      confidence: 'certain',
    },
    'a k3s server with another token': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch k3s[2189]: time="2025-03-04T08:10:57Z" level=fatal msg="starting kubernetes: preparing server: bootstrap data already found and encrypted with different token"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'an agent with the token of another server': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch k3s[2189]: time="2025-03-04T08:10:57Z" level=error msg="token is not valid: https://127.0.0.1:6444/apis: 401 Unauthorized"\n',
      },
      confidence: 'certain',
      place: 'node birch',
    },
    'the token has expired': { evidence: { 'join.txt': expired }, confidence: 'certain', place: 'node alder', cites: ['join.txt:3'] },
    'an older wording, in a log line': {
      evidence: {
        'join.txt':
          'I0304 08:10:57.118402    9012 token.go:217] [discovery] Failed to connect to API Server "10.7.0.2:6443": token id "k3j2h1" is invalid for this cluster or it has expired. Use "kubeadm token create" on the control-plane node to create a new valid token\n',
      },
      confidence: 'certain',
    },
    'a wrong secret': {
      evidence: { 'join.txt': failed("failed to verify JWS signature of received cluster info object, can't trust this API Server") },
      confidence: 'certain',
    },
    'another CA': {
      evidence: {
        'join.txt': failed(
          'cluster CA found in cluster-info ConfigMap is invalid: none of the public keys "sha256:6f1c0b2b8a1d5e9e2c7b4d3f6f1c0b2b8a1d5e9e2c7b4d3f6f1c0b2b8a1d5e9e" are pinned',
        ),
      },
      confidence: 'certain',
    },
    'a hash that is none': {
      evidence: { 'join.txt': failed("encoding/hex: invalid byte: U+006E 'n'") },
      confidence: 'certain',
    },
    'a blank before the hash': { evidence: { 'join.txt': failed('unknown hash format " sha256"') }, confidence: 'certain' },
    'no hash where one is wanted': {
      evidence: {
        'join.txt':
          'discovery.tlsBootstrapToken: Invalid value: "": using token-based discovery without caCertHashes can be unsafe. Set unsafeSkipCAVerification as true in your kubeadm config file or pass --discovery-token-unsafe-skip-ca-verification flag to continue\n',
      },
      confidence: 'certain',
    },
    'cluster-info is not public': {
      evidence: {
        'join.txt': failed(
          'configmaps "cluster-info" is forbidden: User "system:anonymous" cannot get resource "configmaps" in API group "" in the namespace "kube-public"',
        ),
      },
      confidence: 'certain',
    },
    'another certificate key': {
      evidence: {
        'join.txt':
          'error execution phase control-plane-prepare/download-certs: error downloading certs: error decoding secret data with provided key: cipher: message authentication failed\n',
      },
      confidence: 'certain',
    },
    'a token that is none': {
      evidence: { 'join.txt': 'error: the bootstrap token "k3j2h1" was not of the form "\\\\A([a-z0-9]{6})\\\\.([a-z0-9]{16})\\\\z"\n' },
      confidence: 'certain',
    },
    'certificates no longer uploaded': {
      evidence: {
        'join.txt':
          'error: error execution phase control-plane-prepare/download-certs: error downloading certs: error downloading the secret: Secret "kubeadm-certs" was not found in the "kube-system" Namespace. This Secret might have expired.\n',
      },
      confidence: 'certain',
    },
    'refused without more words': {
      evidence: {
        'join.txt':
          'W0304 08:10:56.118402    9012 join.go:346] using token-based discovery without caCertHashes can be unsafe\nerror: error execution phase kubelet-start: unable to fetch the kubeadm-config ConfigMap: failed to get config map: Unauthorized\n',
        'tokens.txt':
          '[root@oak ~]# kubeadm token list\nTOKEN                     TTL         EXPIRES                USAGES                   DESCRIPTION   EXTRA GROUPS\nk3j2h1.****************   <invalid>   2026-03-03T08:10:57Z   authentication,signing   <none>        system:bootstrappers:kubeadm:default-node-token\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the API server cannot be reached': {
      evidence: {
        'join.txt': `${failed('failed to request the cluster-info ConfigMap: Get "https://10.7.0.2:6443/api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s": dial tcp 10.7.0.2:6443: connect: no route to host')}W0304 08:10:56.118402    9012 join.go:346] using token-based discovery without caCertHashes can be unsafe\n`,
      },
      by: 'unreachable',
    },
    'the clock is wrong': {
      evidence: {
        'join.txt': `${expired}error: x509: certificate has expired or is not yet valid: current time 2024-01-01T00:00:10Z is before 2026-03-01T10:00:00Z\n`,
      },
      by: 'clock',
    },
  },
  asks: { 'the tokens of the cluster': { evidence: { 'join.txt': expired }, for: 'objects' } },
});
