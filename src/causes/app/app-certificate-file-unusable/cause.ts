import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const notPem = line(
  [
    'not a PEM certificate',
    'failed to find any PEM data',
    'failed to find certificate PEM data',
    'failed to find PEM block',
    'no start line',
    'failed to parse PEM block',
    'no PEM data is found',
    'x509: malformed',
    'failed to parse private key',
    'Invalid keystore format',
    'DerInputStream.getLength(): lengthTag',
    'Could not read any certificates',
    'no valid certificate was found',
    'ERR_OSSL_PEM',
  ],
  ['container-log', 'pod-status'],
  /(?<error>not a PEM certificate|tls: failed to find any PEM data in (?:certificate|key) input|failed to find (?:certificate PEM data|PEM block)[^\n"]{0,60}|PEM routines[^\n"]{0,40}no start line|failed to parse PEM block[^\n"]{0,60}|no PEM data is found[^\n"]{0,60}|x509: malformed \w{1,30}|tls: failed to parse private key|Invalid keystore format|DerInputStream\.getLength\(\): lengthTag=\d{1,4}, too big|ERR_OSSL_PEM_\w{1,40}|no valid certificate was found|Could not read any certificates[^\n"]{0,60})/,
);
const otherKey = line(
  [
    'private key does not match public key',
    'key values mismatch',
    'Keystore was tampered with, or password was incorrect',
    'keystore password was incorrect',
    'bad decrypt',
    'certificate and private key do not match',
  ],
  ['container-log', 'pod-status'],
  /(?<error>tls: private key does not match public key|key values mismatch|Keystore was tampered with, or password was incorrect|keystore password was incorrect|(?:PEM|EVP)[^\n"]{0,80}bad decrypt|certificate and private key do not match)/,
);
/** What another side sent is no file of the container. */
const ofPeer = line(['remote error: tls', 'http: TLS handshake error'], [], /remote error: tls|http: TLS handshake error from/);

export const cause = defineCause({
  id: 'app-certificate-file-unusable',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],

  text: {
    name: 'Certificate or key unusable',
    title: '{container} cannot use its certificate or key: {error}',
    why: '{container} reads a certificate, a key or a keystore at its start and cannot use it: {error}. {reason} Every replica that mounts the same Secret or ConfigMap fails alike.',
  },

  clues: {
    notPem: proves(notPem, byContainers),
    otherKey: proves(otherKey, byContainers),
    ofPeer: excludes(ofPeer),
    well: excludes('pod.status', isWell),
  },
  says: {
    notPem: 'what it reads is no certificate or key: {error}',
    otherKey: 'certificate, key and password do not belong together: {error}',
    ofPeer: 'it speaks of what another side sent',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { notPem: text, otherKey: pair }) => ({
    ...namesOf(place),
    error: (text?.fields['error'] ?? pair?.fields['error'] ?? 'it is unusable').slice(0, 120),
    reason:
      text || !pair
        ? 'What stands there is not what it should be: encoded in base64 twice or not at all, without its line breaks (passed on one line by a template or helm --set), empty, cut off, of another format (DER, PKCS#12, an encrypted key), or the value of another key of the Secret.'
        : 'The parts are each whole but of different origin: the certificate was renewed and the key was not (or the other way round), or the password is not that of the keystore.',
  }),

  fixes: [
    {
      say: 'Look at the parts as they are mounted, without printing the key',
      risk: 'reads-only',
      steps: [
        { say: 'its last words name the file', run: 'kubectl -n {{namespace}} logs {{target}} --previous --tail=30', on: 'cluster' },
        {
          say: 'the certificate: must begin with BEGIN CERTIFICATE and have many lines',
          run: "kubectl -n {{namespace}} get secret NAME -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -noout -subject -issuer -enddate",
          on: 'cluster',
        },
        {
          say: 'the same fingerprint for certificate and key',
          run: "kubectl -n {{namespace}} get secret NAME -o jsonpath='{.data.tls\\.key}' | base64 -d | openssl pkey -pubout | sha256sum; kubectl -n {{namespace}} get secret NAME -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -pubkey -noout | sha256sum",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make the Secret anew from the files, so that nothing is encoded twice, then start the pods anew',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'certificate (with its chain) and key of the same pair',
          run: 'kubectl -n {{namespace}} create secret tls NAME --cert=tls.crt --key=tls.key --dry-run=client -o yaml | kubectl apply -f -',
          on: 'cluster',
        },
        { say: 'pods read it at their start', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: '{container} starts and its restart count stays the same',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'go src/crypto/tls/tls.go (X509KeyPair), src/crypto/x509/parser.go',
    'openssl crypto/pem/pem_lib.c, crypto/x509/x509_cmp.c',
    'openjdk sun/security/provider/JavaKeyStore.java; linkerd2 pkg/tls/codec.go',
  ],
});
