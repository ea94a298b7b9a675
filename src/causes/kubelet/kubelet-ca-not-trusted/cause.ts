import { defineCause, excludes, line, minutes, proves, supports, withContext } from '../../define-cause.ts';

const CALL =
  /(?:(?:Get|Post|Put|Patch|List|Failed to (?:list|watch) [^\s:]{1,60}:) |register node [^\n]{0,120}?)[^\n]{0,60}?https:\/\/(?<server>[^\s/\\"“”]{3,253})\/(?:apis?\/|version)[^\n]{0,500}?x509: certificate signed by unknown authority(?<other> \(possibly because of [\\"“”]{1,8}crypto\/(?:rsa|ecdsa): (?:verification error|ECDSA verification failure)[\\"“”]{1,8})?/;
const refused = line(
  'certificate signed by unknown authority',
  ['kubelet-log', 'kubeadm-output', 'control-plane-log', 'container-log'],
  withContext(CALL, { may: [/(?<foreign>webhook|\/v2\/|[Pp]ulling|[Ff]ailed to pull)/] }),
);
const byServer = line(
  'Unable to authenticate the request',
  ['control-plane-log', 'container-log'],
  /Unable to authenticate the request[^\n]{0,80}?x509: certificate signed by unknown authority/,
);
const expired = line('certificate has expired or is not yet valid', []);

export const cause = defineCause({
  id: 'kubelet-ca-not-trusted',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],
  // A join that was refused leaves the files of the earlier cluster in place.
  effectOf: ['kubeadm-preflight-refuses'],

  text: {
    name: 'CA of the cluster not trusted',
    title: '{who}: the certificates are of different cluster CAs',
    why: '{direction}Kubelet, kube-proxy, scheduler and controllers check the certificate of the API server {server} against the CA (certificate-authority) in their kubeconfig. That CA did not sign it (x509: certificate signed by unknown authority){same}: the cluster or its CA was made anew and this node still has the files of the old one, the certificates were generated with different CAs, or a proxy in between shows a certificate of its own.',
  },

  clues: {
    byDaemon: proves(
      refused,
      ({ channel, fields }) => fields['foreign'] === undefined && (channel === 'kubelet-log' || channel === 'kubeadm-output'),
    ),
    byClient: supports(
      refused,
      ({ channel, fields }) => fields['foreign'] === undefined && channel !== 'kubelet-log' && channel !== 'kubeadm-output',
    ),
    byServer: proves(byServer),
    expired: excludes(expired),
  },
  says: {
    byDaemon: 'the certificate of {server} is signed by a CA that the caller does not know',
    byClient: 'a client of the API server {server} does not know its CA',
    byServer: 'the API server does not know the CA of the client certificate it is shown',
    expired: 'a certificate has expired, the CA is known',
  },
  slots: (place, { byDaemon, byClient, byServer: server }) => {
    const said = byDaemon ?? byClient;
    return {
      node: place.name,
      who:
        said || !server
          ? `A component on ${place.name} does not trust the API server ${said?.fields['server'] ?? ''}, its kubeconfig holds another CA`.replace(
              ' ,',
              ',',
            )
          : 'The API server refuses a client certificate that another CA signed, as of an earlier cluster (left in /var/lib/kubelet/pki or in a kubeconfig)',
      direction:
        said || !server
          ? ''
          : 'The API server checks client certificates against its own CA in the same way, and refuses one left over from an earlier cluster. ',
      server: said?.fields['server'] ?? 'of the cluster',
      same: said?.fields['other'] === undefined ? '' : ', although the CA has the same name: it is an older or newer one',
    };
  },

  fixes: [
    {
      say: 'Compare the CA the API server uses with the one in the kubeconfig',
      risk: 'reads-only',
      steps: [
        {
          say: 'the fingerprint of the CA on a control-plane node',
          run: 'openssl x509 -noout -fingerprint -sha256 -in /etc/kubernetes/pki/ca.crt',
          on: 'node',
        },
        {
          say: 'and of the one {node} trusts',
          run: "grep certificate-authority-data /etc/kubernetes/kubelet.conf | awk '{print $2}' | base64 -d | openssl x509 -noout -fingerprint -sha256; openssl x509 -noout -fingerprint -sha256 -in /etc/kubernetes/pki/ca.crt",
          on: 'node',
        },
        {
          say: 'who signed what the server shows',
          run: 'openssl s_client -connect {{server}} -showcerts </dev/null | grep -E "s:|i:"',
          on: 'node',
        },
      ],
    },
    {
      say: 'Take the node out of the old cluster and join it anew: fresh kubeconfig and CA',
      risk: 'touches-node',
      steps: [
        { say: 'remove the old files on {node}', run: 'kubeadm reset -f && rm -rf /etc/kubernetes/pki /var/lib/kubelet/pki', on: 'node' },
        { say: 'a fresh join command, on a control-plane node', run: 'kubeadm token create --print-join-command', on: 'node' },
      ],
      verified: 'the kubelet registers and {node} becomes Ready',
    },
    {
      say: 'Certificates made by hand: sign all with one CA and put that CA into each kubeconfig',
      risk: 'touches-node',
      for: ['byServer'],
      steps: [
        {
          say: 'write the right CA into the kubeconfig',
          run: 'kubectl config set-cluster kubernetes --certificate-authority=/etc/kubernetes/pki/ca.crt --embed-certs=true --kubeconfig=/etc/kubernetes/kubelet.conf && systemctl restart kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['go crypto/x509 (UnknownAuthorityError)', 'kubernetes docs: PKI certificates and requirements'],
});
