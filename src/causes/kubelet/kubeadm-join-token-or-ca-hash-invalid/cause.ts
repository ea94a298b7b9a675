import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noSignature = line(
  [
    'could not find a JWS signature',
    'is invalid for this cluster or it has expired',
    'not yet contain a JWS signature',
    'there is no JWS signed token',
  ],
  ['kubeadm-output', 'kubelet-log'],
  /(?:could not find a JWS signature in the cluster-info ConfigMap for token ID [\\"“]{0,4}(?<token>[a-z0-9]{1,10})|token id [\\"“]{0,4}(?<expired>[a-z0-9]{1,10})[\\"”]{0,4} is invalid for this cluster or it has expired|does not yet contain a JWS signature|there is no JWS signed token)/i,
);
const wrongSecret = line(
  'failed to verify JWS signature',
  'kubeadm-output',
  /failed to verify JWS signature of received cluster info object/i,
);
const hash = line(
  [
    'none of the public keys',
    'invalid discovery token CA certificate hash',
    'cluster CA found in cluster-info',
    'token CA hash does not match',
    'does not match the requested checksum',
  ],
  'kubeadm-output',
  /none of the public keys [\\"“]{0,4}(?<found>sha256:[0-9a-f]{6,64})[^\n]{0,200}? are pinned|token CA hash does not match the Cluster CA certificate hash|(?<rancher>cacerts does not match the requested checksum|Configured cacerts checksum \([^)\n]{1,80}\) does not match)|(?<bad>invalid discovery token CA certificate hash[^\n]{0,160})|cluster CA found in cluster-info[^\n]{0,40} is invalid/i,
);
/** The hash of the join command is no hash: cut off, with a blank before it, or a placeholder left in. */
const hashForm = line(
  ['unknown hash format', 'encoding/hex: ', 'invalid public key hash', 'expected sha256:'],
  'kubeadm-output',
  /(?:validate the identity of the API Server|caCertHashes|discovery-token-ca-cert-hash|public key hash)[^\n]{0,200}?(?<form>unknown hash format[^\n]{0,80}|encoding\/hex: (?:invalid byte|odd length)[^\n]{0,60}|invalid public key hash[^\n]{0,80}|expected sha256:[^\n]{0,80})/i,
);
/** Without a hash kubeadm only warns, unless the check is wanted. */
const hashWanted = line(
  ['discovery.bootstrapToken', 'discovery.tlsBootstrapToken', 'unsafeSkipCAVerification'],
  'kubeadm-output',
  /discovery\.\w{0,4}bootstrapToken: Invalid value: [\s\S]{0,200}?without caCertHashes/i,
);
const noHash = line('without caCertHashes', 'kubeadm-output', /using token-based discovery without caCertHashes can be unsafe/);
/** Anybody may read cluster-info: kubeadm binds that role to anonymous clients. */
const notPublic = line(
  'configmaps "cluster-info" is forbidden',
  'kubeadm-output',
  /configmaps [\\"“”]{1,4}cluster-info[\\"“”]{1,4} is forbidden: User [\\"“”]{1,4}system:anonymous/,
);
/** With the token itself a node reads the configuration of the cluster; kubeadm init binds that right to the group of its tokens. */
const noRight = line(
  ['User "system:bootstrap:', 'User \\"system:bootstrap:'],
  'kubeadm-output',
  /(?<what>configmaps [\\"“”]{1,4}(?:kubeadm-config|kube-proxy|kubelet-config(?!-1\.))[\\"“”]{1,4}|nodes [\\"“”]{1,4}[\w.-]{1,253}[\\"“”]{1,4}) is forbidden: User [\\"“”]{1,4}system:bootstrap:(?<bootstrap>[a-z0-9]{1,10})/,
);
/** What was uploaded was encrypted with another key than the one given. */
const otherKey = line(
  ['error decoding secret data with provided key', 'cipher: message authentication failed'],
  'kubeadm-output',
  /error decoding secret data with provided key|error downloading certs: [\s\S]{0,120}?(?:cipher: message authentication failed|decoding certificate key)/,
);
const format = line('the bootstrap token', 'kubeadm-output', /the bootstrap token [\\"“]{0,4}[\s\S]{0,60}? was not of the form/i);
const unauthorized = line(
  ['error execution phase', '[discovery] ', 'TLS bootstrap', '-k3s/config: 401', '-rke2/config: 401'],
  'kubeadm-output',
  /(?:error execution phase (?:preflight|kubelet-start|control-plane-prepare)|TLS bootstrap|\[discovery\])[\s\S]{0,200}?(?<said>Unauthorized)|\/v1-(?:k3s|rke2)\/config: (?<k3s>401 Unauthorized)/,
);
/** k3s and rke2 compare the token before they ask for anything. */
const notTheServers = line(
  [
    'token does not match the server',
    'token is not valid: https://',
    'failed to validate token: ',
    'invalid token format',
    'must be in format K10<CA-HASH>',
  ],
  ['system-log', 'kubelet-log', 'container-log'],
  /token does not match the server|token is not valid: https:\/\/\S{1,200}: 401 Unauthorized|failed to validate token: (?:\/v1-(?:k3s|rke2)|https:\/\/)[^\n]{0,200}?401 Unauthorized|invalid token format|failed to normalize (?:server |agent )?token; must be in format K10/,
);
const otherToken = line(
  'encrypted with different token',
  ['system-log', 'container-log'],
  /bootstrap data already found and encrypted with different token/,
);
const certificateKey = line(
  ['certificates could not be downloaded', 'error downloading certs', 'kubeadm-certs'],
  'kubeadm-output',
  /error downloading certs[\s\S]{0,200}?Secret [\\"“]{0,4}kubeadm-certs[\\"”]{0,4}|Secret [\\"“]{1,4}kubeadm-certs[\\"”]{1,4} was not found|secrets [\\"“]{1,4}kubeadm-certs[\\"”]{1,4} not found/i,
);
const clock = line('is before', [], /current time \S{10,40} is before/);
const unreachable = line(
  ['failed to request cluster-info', 'cluster-info?timeout', 'failed to request the cluster-info ConfigMap'],
  [],
  /cluster-info[\s\S]{0,200}?(?:connection refused|i\/o timeout|no route to host|no such host|deadline exceeded)/i,
);
const tokens = line(['<invalid>', 'system:bootstrappers:kubeadm'], 'objects', /^(?<id>[a-z0-9]{6})\.[a-z0-9*]{1,16}\s+<invalid>/m);

export const cause = defineCause({
  id: 'kubeadm-join-token-or-ca-hash-invalid',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'Join token expired or wrong',
    title: 'Joining {node} to the cluster fails: {what}',
    why: 'A joining node trusts the API server by the bootstrap token (it must have signed the ConfigMap cluster-info) and by the hash of the cluster CA. Here {what}. Tokens last 24 hours, uploaded certificates two; print a fresh join command on a control-plane node.',
  },

  clues: {
    noSignature: proves(noSignature),
    wrongSecret: proves(wrongSecret),
    hash: proves(hash),
    hashForm: proves(hashForm),
    hashWanted: proves(hashWanted),
    notPublic: proves(notPublic),
    noRight: proves(noRight),
    otherKey: proves(otherKey),
    format: proves(format),
    notTheServers: proves(notTheServers),
    otherToken: proves(otherToken),
    certificateKey: proves(certificateKey),
    unauthorized: supports(unauthorized),
    noHash: supports(noHash),
    tokens: supports(tokens),
    clock: excludes(clock),
    unreachable: excludes(unreachable),
  },
  says: {
    noSignature: 'cluster-info has no signature of this token{token}: expired or unknown',
    wrongSecret: 'the secret half of the token is wrong',
    hash: 'the CA of the cluster does not have the given hash{found}',
    noRight: 'the token is known, but may not read {thing}',
    hashForm: 'the CA hash in the join command is not sha256: and 64 hex digits: {form}',
    hashWanted: 'the join command gives no CA hash, and kubeadm wants one',
    notPublic: 'anonymous clients may not read the ConfigMap cluster-info',
    otherKey: 'the certificate key does not decrypt the uploaded certificates',
    format: 'the token is not of the form abcdef.0123456789abcdef',
    notTheServers: 'the server does not accept the token of this agent',
    otherToken: 'the data of the k3s or rke2 cluster is encrypted with another token',
    certificateKey: 'the uploaded certificates (kubeadm-certs) are gone after two hours',
    unauthorized: 'the API server refuses the token: Unauthorized',
    noHash: 'the join command gives no CA hash',
    tokens: 'a token in the list has expired',
    clock: 'the clock of the machine is wrong',
    unreachable: 'the API server cannot be reached at all',
  },
  slots: (place, seen) => {
    const id = seen.noSignature?.fields['token'] ?? seen.noSignature?.fields['expired'];
    const found = seen.hash?.fields['found'];
    return {
      node: place.name,
      thing: seen.noRight?.fields['what']?.replaceAll('\\', '') ?? 'the configuration of the cluster',
      form: seen.hashForm?.fields['form']?.trim() ?? 'malformed',
      token: id ? ` (${id})` : '',
      found: found ? ` (it is ${found.slice(0, 20)}…)` : '',
      what: seen.hash
        ? `the CA certificate hash does not match the cluster${found ? ` (its CA is ${found.slice(0, 20)}…)` : ''}: another or a re-initialised cluster`
        : seen.hashForm
          ? `the hash given to --discovery-token-ca-cert-hash is not valid: not sha256: and 64 hex digits (${seen.hashForm.fields['form']?.trim() ?? 'malformed'})`
          : seen.hashWanted
            ? 'the join command gives no hash of the cluster CA (--discovery-token-ca-cert-hash)'
            : seen.otherKey
              ? 'the key given to --certificate-key is not the one the certificates (Secret kubeadm-certs) were encrypted with: they were uploaded again since, with another key'
              : seen.noRight
                ? `the bootstrap token ${seen.noRight.fields['bootstrap'] ?? ''} is known, but has not the rights of a joining node (it may not read ${seen.noRight.fields['what']?.replaceAll('\\', '') ?? 'the configuration'}): it was made without the group of kubeadm, or the Roles of kubeadm init are missing`
                : seen.notPublic
                  ? 'the ConfigMap cluster-info may not be read before joining: its Role and RoleBinding in kube-public for anonymous clients are missing, or anonymous requests are off'
                  : seen.otherToken
                    ? 'the server token (K3S_TOKEN, token:) differs from the one the cluster data was encrypted with'
                    : seen.noSignature
                      ? `the bootstrap token${id ? ` ${id}` : ''} has expired or is not one of this cluster`
                      : seen.wrongSecret
                        ? 'the bootstrap token has a wrong secret part'
                        : seen.format
                          ? 'the bootstrap token is badly written'
                          : seen.certificateKey
                            ? 'the Secret kubeadm-certs with the uploaded certificates has expired'
                            : seen.notTheServers
                              ? 'the token (K3S_TOKEN, token:) is not the one of the server: wrong, cut off, or of another cluster'
                              : 'the bootstrap token is not accepted',
    };
  },

  fixes: [
    {
      say: 'Give tokens of kubeadm their rights back, then make a new one',
      risk: 'touches-node',
      for: ['noRight'],
      steps: [
        {
          say: 'the groups of the token: system:bootstrappers:kubeadm:default-node-token must be among them',
          run: 'kubeadm token list',
          on: 'node',
        },
        {
          say: 'write Roles and ConfigMaps of kubeadm anew; on a control-plane node, with the kubeadm of the version of the cluster',
          run: 'kubeadm init phase upload-config all; kubeadm init phase bootstrap-token; kubeadm token create --print-join-command',
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes shows {node}',
    },
    {
      say: 'Make a new token and print the whole join command, with the CA hash',
      risk: 'reads-only',
      steps: [
        { say: 'on a control-plane node', run: 'kubeadm token list; kubeadm token create --print-join-command', on: 'node' },
        {
          say: 'to join another control plane: upload the certificates again and add --control-plane --certificate-key KEY',
          run: 'kubeadm init phase upload-certs --upload-certs',
          on: 'node',
        },
        { say: 'run the printed command on {node} as root; after an earlier try, first', run: 'kubeadm reset -f', on: 'node' },
      ],
      verified: 'kubectl get nodes shows {node}',
    },
    {
      say: 'If the hash does not match: read it from the CA of the cluster you mean',
      risk: 'reads-only',
      for: ['hash', 'hashForm', 'hashWanted', 'noHash'],
      steps: [
        {
          say: 'on a control-plane node',
          run: "openssl x509 -pubkey -in /etc/kubernetes/pki/ca.crt | openssl rsa -pubin -outform der 2>/dev/null | openssl dgst -sha256 -hex | sed 's/^.* //'",
          on: 'node',
        },
        { say: 'and see that the address and port in the join command are those of this cluster' },
      ],
    },
    {
      say: 'If cluster-info may not be read: let kubeadm make it and its Role anew; --anonymous-auth must not be false',
      risk: 'touches-node',
      for: ['notPublic'],
      steps: [
        { say: 'on a control-plane node', run: 'kubeadm init phase bootstrap-token', on: 'node' },
        { say: 'the flag', run: 'grep anonymous-auth /etc/kubernetes/manifests/kube-apiserver.yaml', on: 'node' },
      ],
    },
    {
      say: 'If a valid token gets no signature: the controller manager signs cluster-info (bootstrapsigner), see that it runs',
      risk: 'reads-only',
      steps: [
        {
          say: 'keys jws-kubeconfig-ID must be in the ConfigMap',
          run: 'kubectl -n kube-public get configmap cluster-info -o yaml; kubectl -n kube-system get pods -l component=kube-controller-manager',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kubeadm/app/discovery/token/token.go',
    'kubernetes cmd/kubeadm/app/util/pubkeypin/pubkeypin.go',
    'kubernetes website: reference/setup-tools/kubeadm/kubeadm-join',
  ],
});
