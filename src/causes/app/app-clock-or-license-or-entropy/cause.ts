import type { Fact } from '../../../model/facts.ts';
import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const license = line(
  [
    ' license ',
    'license is',
    'license has',
    'license expired',
    'license key',
    'license file',
    'license not',
    'licence ',
    'subscription',
    'trial period',
    'activation key',
  ],
  ['container-log'],
  /(?<text>(?:(?:trial|product|enterprise|your|the|no valid|invalid)[^\n]{0,40}?)?(?:licen[sc]e|trial period|activation key)(?: key| file| token)?[^\n]{0,60}?(?:has expired|is expired|expired\b|is invalid|is not valid|not found|is missing|could not be (?:verified|validated|read)|validation failed|has been revoked|exceeded|not yet valid)[^\n]{0,120})|(?<none>no (?:valid|active) licen[sc]e[^\n]{0,80}|subscription (?:has |is )?expired[^\n]{0,80})/i,
);
const certificate = line(
  [
    'certificate has expired',
    'CERT_HAS_EXPIRED',
    'CertificateExpiredException',
    'certificate expired',
    'tls: expired certificate',
    'ssl_error_expired',
  ],
  ['container-log'],
  /certificate has expired or is not yet valid: current time (?<now>\S{10,40}) is after (?<until>\d{4}-\d\d-\d\dT[\d:Z+-]{5,15})|CertificateExpiredException: NotAfter: (?<java>[^\n]{10,40})|certificate has expired|CERT_HAS_EXPIRED|CertificateExpiredException|tls: expired certificate/i,
);
const entropy = line(
  [
    'waiting for entropy',
    'not enough entropy',
    'Creation of SecureRandom instance',
    'crng init',
    'getrandom',
    'entropy pool',
    'insufficient entropy',
  ],
  ['container-log', 'kernel-log'],
  /(?<text>waiting for (?:more )?entropy[^\n]{0,60}|(?:not enough|insufficient|low) entropy[^\n]{0,60}|Creation of SecureRandom instance[^\n]{0,80}?took \[(?<took>[\d,.]{4,12})\] milliseconds|uninitialized urandom read[^\n]{0,60})/i,
);
const early = line(
  ['used before issued', 'token is not valid yet', 'not yet valid'],
  [],
  /used before issued|token is not valid yet|current time \S{1,40} is before /,
);
const ofCluster = line(
  ['certificate has expired'],
  [],
  /(?:10\.96\.0\.1|:6443|:10250|:2379|kubernetes\.default)[^\n]{0,300}?certificate has expired|(?:kubeadm|failed to renew certificate|execution phase|failed calling webhook|failed to pull|Failed to pull|Unable to authenticate the request)[^\n]{0,400}?certificate has expired/,
);

const EXPIRED = /certificate has expired|CERT_HAS_EXPIRED|CertificateExpiredException|tls: expired certificate/i;

/** Said without end, or worth pasting alone: one warning in a long log is nothing. */
function isInsistent({ channel, count }: Fact<'log.signature'>): boolean {
  return channel === 'prose' || channel === 'pod-status' || (channel === 'container-log' && count >= 3);
}

/** One complaint at start is enough where the program dies of it. */
function isLicence({ fields }: Fact<'log.signature'>): boolean {
  return !/MIT|Apache|BSD|GPL|copyright/i.test(fields['text'] ?? '');
}

export const cause = defineCause({
  id: 'app-clock-or-license-or-entropy',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'init-crash', 'other-trouble'],
  effectOf: ['clock-skew', 'entropy-or-cpu-steal-virtualisation', 'mesh-proxy-not-ready'],

  text: {
    name: 'Licence or certificate expired',
    title: '{container} does not run because {reason}',
    why: '{mechanism} Nothing in Kubernetes is wrong: it begins on a certain day, for this one product, on all its replicas at once.',
  },

  clues: {
    license: proves(license, (fact) => byContainers(fact) && isLicence(fact)),
    certificate: proves(certificate, isInsistent),
    diesOfIt: proves('container.last-words', ({ lines }) => lines.slice(-6).some((text) => EXPIRED.test(text.slice(0, 4000)))),
    complains: supports(certificate, byContainers),
    entropy: supports(entropy),
    early: excludes(early),
    ofCluster: excludes(ofCluster),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    license: 'the program says: {licenceText}',
    certificate: 'a certificate the program needs has expired{since}',
    diesOfIt: 'its last words speak of an expired certificate',
    complains: 'its log speaks of an expired certificate{since}',
    entropy: 'the program waits for random numbers: {entropyText}',
    early: 'the time here is before the time there: a clock is wrong',
    ofCluster: 'it is a certificate of the cluster, a registry or a webhook',
    well: 'the pod runs and is ready',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { license: licence, certificate: certain, diesOfIt, complains, entropy: random }) => {
    const expired = certain ?? complains;
    const licenceText = (licence?.fields['text'] ?? licence?.fields['none'] ?? 'its licence is not valid').trim().slice(0, 160);
    const until = expired?.fields['until'] ?? expired?.fields['java'];
    const since = until ? ` (${until})` : '';
    const entropyText = (random?.fields['text'] ?? 'not enough entropy').trim().slice(0, 120);
    const [reason, mechanism] = licence
      ? [
          `its licence is not valid: ${licenceText}`,
          'The program checks its licence or subscription and refuses to start without a valid one.',
        ]
      : expired || diesOfIt
        ? [
            `a certificate has expired${since}`,
            'The program, or the service it talks to, uses a TLS certificate whose time is over, so the connection it needs is refused.',
          ]
        : [
            `it waits for random numbers (${entropyText})`,
            'The program blocks until the kernel has enough randomness, which a small virtual machine may take minutes to gather.',
          ];
    return { ...namesOf(place), licenceText, since, entropyText, reason: reason ?? '', mechanism: mechanism ?? '' };
  },

  fixes: [
    {
      say: 'Compare the dates: the clock of pod and node, the certificate, the licence',
      risk: 'reads-only',
      steps: [
        { say: 'the clock', run: 'kubectl -n {{namespace}} exec {{target}} -- date -u; date -u', on: 'cluster' },
        {
          say: 'a certificate in a Secret',
          run: "kubectl -n {{namespace}} get secret SECRET -o jsonpath='{.data.tls\\.crt}' | base64 -d | openssl x509 -noout -subject -dates",
          on: 'cluster',
        },
        { say: 'what cert-manager says', run: 'kubectl get certificates -A', on: 'cluster' },
      ],
    },
    {
      say: 'Renew the certificate or the licence, and restart what reads it at start',
      risk: 'restarts-pods',
      for: ['license', 'certificate', 'diesOfIt', 'complains'],
      steps: [
        { say: 'put the new one into the Secret or ConfigMap it is read from (or let cert-manager renew: cmctl renew)' },
        { say: 'restart', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: '{container} starts and connects',
    },
    {
      say: 'For lack of randomness: virtio-rng or rng-tools (haveged) on the node; -Djava.security.egd=file:/dev/urandom for Java',
      risk: 'touches-node',
      for: ['entropy'],
      steps: [{ say: 'how much there is', run: 'cat /proc/sys/kernel/random/entropy_avail', on: 'node' }],
      verified: '{container} starts at once',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go crypto/x509/verify.go', 'JDK CertificateExpiredException', 'random(4)'],
});
