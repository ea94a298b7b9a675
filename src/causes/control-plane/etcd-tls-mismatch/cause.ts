import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'system-log', 'container-log'] as const;
const rejected = line(
  ['rejected connection', 'authentication handshake failed'],
  LOGS,
  /rejected connection (?:from|on|remote-addr)[\s\S]{0,200}?(?<reason>remote error: tls: [\w ]{3,40}|tls: [\w' ]{3,60}|x509: [^\n"\\]{5,200})/,
);
const named = line(
  ['rejected connection', 'authentication handshake failed', 'tls: first record does not look like'],
  LOGS,
  /(?:rejected connection|2379|2380|etcd)[\s\S]{0,400}?(?<why>x509: certificate signed by unknown authority|x509: certificate specifies an incompatible key usage|x509: certificate is valid for [^\n"\\]{3,200}|x509: cannot validate certificate for [\w.:-]{2,100} because it doesn't contain any IP SANs|first record does not look like a TLS handshake|client didn't provide a certificate|http: server gave HTTP response to HTTPS client)/,
);
const cannotConnect = line(
  ['createTransport failed to connect to', 'Error while dialing'],
  LOGS,
  /createTransport failed to connect to[\s\S]{0,120}?:2379[\s\S]{0,300}?authentication handshake failed: (?<error>x509: [^\n"\\]{5,200}|remote error: tls: [\w ]{3,40}|tls: [\w ]{3,60})/,
);
/** Installers ask etcd for its health before there is an API server. */
const health = line(
  [':2379/health'],
  [...LOGS, 'kubeadm-output'],
  /:2379\/health[\\"]{0,4}: (?<error>x509: [^\n"\\]{5,200}|remote error: tls: [\w ]{3,40}|tls: [\w ]{3,60})/,
);
const expired = line('certificate has expired', []);

export const cause = defineCause({
  id: 'etcd-tls-mismatch',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'node-not-ready', 'kubelet-down', 'crash-loop', 'other-trouble'],
  effectOf: ['control-plane-cert-expired'],

  text: {
    name: 'etcd certificates do not fit',
    title: 'etcd and its clients or peers refuse each other at the TLS handshake: {reason}',
    why: 'The API server speaks to etcd, and etcd members to each other, with certificates on both sides. One side refuses the other ({reason}): another CA signed it (--etcd-cafile, --trusted-ca-file), the certificate does not name the address that is dialled or lacks client authentication, or one side speaks plain HTTP. So the API server has no storage and does not come up.',
  },

  clues: {
    named: proves(named, ({ fields }) => fields['why'] !== undefined),
    cannotConnect: proves(cannotConnect),
    health: proves(health),
    rejected: supports(rejected),
    expired: excludes(expired),
  },
  says: {
    named: 'the handshake with etcd fails: {reason}',
    cannotConnect: 'a client of etcd gives up at the handshake: {error}',
    health: 'asked for its health, etcd ends the handshake: {error}',
    rejected: 'etcd rejects connections: {said}',
    expired: 'a certificate has expired',
  },
  slots: (_place, { named: told, cannotConnect: client, health: asked, rejected: refused }) => {
    const reason =
      told?.fields['why'] ?? client?.fields['error'] ?? asked?.fields['error'] ?? refused?.fields['reason'] ?? 'bad certificate';
    return {
      reason: reason.trim().slice(0, 180),
      error: client?.fields['error'] ?? asked?.fields['error'] ?? reason,
      said: refused?.fields['reason'] ?? 'bad certificate',
    };
  },

  fixes: [
    {
      say: 'Check the certificates of both sides against the CA of etcd',
      risk: 'reads-only',
      steps: [
        {
          say: 'who signed them, for which names and uses',
          run: 'cd /etc/kubernetes/pki; for f in etcd/server.crt etcd/peer.crt apiserver-etcd-client.crt; do openssl verify -CAfile etcd/ca.crt $f; openssl x509 -noout -text -in $f | grep -A1 -E "Alternative Name|Extended Key Usage"; done',
          on: 'node',
        },
        {
          say: 'the way the API server goes',
          run: 'etcdctl --endpoints https://127.0.0.1:2379 --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/apiserver-etcd-client.crt --key /etc/kubernetes/pki/apiserver-etcd-client.key endpoint health',
          on: 'node',
        },
        {
          say: 'flags',
          run: 'grep -n etcd /etc/kubernetes/manifests/kube-apiserver.yaml; grep -nE "ca-file|cert-file|key-file|urls" /etc/kubernetes/manifests/etcd.yaml',
          on: 'node',
        },
      ],
    },
    {
      say: 'Make the certificates anew from one CA, with the addresses in use and both server and client authentication',
      risk: 'touches-node',
      steps: [
        {
          say: 'kubeadm: generate those that are missing after moving the wrong ones away',
          run: 'mkdir -p /var/backups/pki && mv /etc/kubernetes/pki/etcd/server.* /etc/kubernetes/pki/etcd/peer.* /etc/kubernetes/pki/apiserver-etcd-client.* /var/backups/pki/ && kubeadm init phase certs etcd-server && kubeadm init phase certs etcd-peer && kubeadm init phase certs apiserver-etcd-client',
          on: 'node',
        },
        {
          say: 'restart etcd and the API server',
          run: 'crictl rm -f $(crictl ps -q --name etcd) $(crictl ps -q --name kube-apiserver)',
          on: 'node',
        },
      ],
      verified: 'etcdctl endpoint health says healthy, and the API server stays up',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['etcd server/embed (rejected connection)', 'kubernetes docs: PKI certificates and requirements'],
});
