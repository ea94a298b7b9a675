import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, supports } from '../../define-cause.ts';

const CORE = String.raw`(?<unknown>x509: certificate signed by unknown authority|unable to get local issuer certificate|self[- ]signed certificate(?: in certificate chain)?|PKIX path building failed|UNABLE_TO_VERIFY_LEAF_SIGNATURE|SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|The remote certificate is invalid)|(?<expired>x509: certificate has expired or is not yet valid|certificate has expired|CERT_HAS_EXPIRED)|(?<name>x509: certificate is (?:not )?valid for [^\n"]{1,200}|x509: certificate relies on legacy Common Name field|x509: cannot validate certificate for [^\n"]{1,100}|ERR_TLS_CERT_ALTNAME_INVALID|Hostname mismatch|No subject alternative (?:DNS )?names? [^\n]{0,80})`;
const refused = line(
  [
    'x509: certificate',
    'x509: cannot validate',
    'unable to get local issuer certificate',
    'self signed certificate',
    'self-signed certificate',
    'PKIX path building failed',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'The remote certificate is invalid',
    'certificate has expired',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Hostname mismatch',
    'No subject alternative',
  ],
  ['container-log', 'prose', 'pod-status'],
  new RegExp(
    String.raw`^(?![\s\S]*?(?:[Ff]ailed to pull|\/v2\/|pull image|registry|calling (?:admission )?webhook|:6443|:10250|:2379|:2380|kubelet|etcd|apiserver|kube-apiserver|node-agent|10\.96\.0\.1|:443\/api|kubectl|Unable to connect to the server|Unable to authenticate the request|metrics-server))(?=(?:[\s\S]*?(?:https?:\/\/|dial tcp |addr=|host[ =:"']{1,3}|lookup )(?<peer>[\w.-]{3,253}(?::\d{1,5})?))?)[\s\S]*?(?:${CORE})`,
    'i',
  ),
);

export const cause = defineCause({
  id: 'app-tls-peer-untrusted',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['app-clock-or-license-or-entropy'],

  text: {
    name: 'TLS peer not trusted',
    title: '{container} does not trust the certificate of {peer}: {problem}',
    why: '{container} opens a TLS connection to {peer} and ends it, because it cannot verify the certificate: {problem}. {hint}',
  },

  clues: {
    refused: supports(refused, byContainers),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    refused: 'it does not accept the certificate of {peer}: {problem}',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { refused: no }) => {
    const f = no?.fields ?? {};
    const [problem, hint] = f['expired']
      ? [
          'it has expired, or a clock is wrong',
          'The server has to get a new certificate (see its Secret and cert-manager), and the clocks must be right.',
        ]
      : f['name']
        ? [
            'it is not made for the name or address that is called',
            'Call the server by a name that is in its certificate, or add the name to it (subject alternative names).',
          ]
        : [
            'it is signed by an authority it does not know',
            'The server has a certificate of a private authority (or a self-signed one), and the container does not have that CA in its trust store.',
          ];
    return { ...namesOf(place), peer: f['peer'] ?? 'its server', problem, hint };
  },

  fixes: [
    {
      say: 'See what {container} says last, and how it is set up',
      risk: 'reads-only',
      steps: [
        { say: 'its last words', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'the certificate the server shows',
          run: 'kubectl run tls-look --rm -it --restart=Never --image=alpine/openssl -- s_client -connect {{peer}} -showcerts',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Unknown authority: give {container} the CA of {peer}',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'mount the CA from a ConfigMap or Secret and name it to the program: SSL_CERT_FILE (Go, OpenSSL), NODE_EXTRA_CA_CERTS, REQUESTS_CA_BUNDLE, a Java truststore, or an option of its own',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: '{container} connects',
    },
    {
      say: 'Wrong name or expired: renew the certificate of the server with the names it is called by',
      risk: 'restarts-pods',
      steps: [{ say: 'certificates of cert-manager', run: 'kubectl get certificates -A', on: 'cluster' }],
      verified: '{container} connects',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go crypto/x509 verify.go', 'OpenSSL X509_verify_cert', 'OpenJDK sun.security.provider.certpath'],
});
