import { defineCause, excludes, line, minutes, notAboutNode, on, proves, supports } from '../../define-cause.ts';

const notYetValid = line(
  [
    'certificate has expired or is not yet valid',
    'certificate is not yet valid',
    'certificate is not valid yet',
    'CERT_NOT_YET_VALID',
    'CertNotValidYet',
  ],
  ['kubelet-log', 'control-plane-log', 'container-log', 'containerd-log', 'system-log'],
  /current time (?<now>\d{4}-\d\d-\d\dT[\d:.]{5,20}\S{0,8}) is before (?<from>\d{4}-\d\d-\d\dT[\d:.]{5,20}[Z+-]?)|(?<plain>certificate is not (?:yet valid|valid yet)|CERT_NOT_YET_VALID|CertNotValidYet)/,
);
const early = line(
  ['token used before issued', 'token is not valid yet', 'used before issued'],
  ['container-log', 'control-plane-log', 'kubelet-log'],
  /token (?:is )?(?:used before issued|not valid yet)|used before issued/i,
);
const drift = line(
  [
    'clock difference against peer',
    'found high clock drift',
    'clock-drift',
    'clock skew detected',
    'MON_CLOCK_SKEW',
    ' clock skew ',
    'RequestTimeTooSkewed',
    'Clock skew too great',
  ],
  ['control-plane-log', 'container-log', 'objects', 'system-log'],
  /clock difference against peer \S{1,60} is too high \[(?<drift>[^\]\n]{1,60})|found high clock drift|(?:\d{1,3} )?clock skew (?<ceph>[\d.]{1,12}s > max [\d.]{1,8}s)|clock skew detected on (?<mons>[\w., -]{3,80})|MON_CLOCK_SKEW|RequestTimeTooSkewed|Clock skew too great/,
);
const DAY = 24 * 3600_000;

/** How far apart the two times of the message are, in words. */
function gapOf(now: string | undefined, from: string | undefined): string | undefined {
  const gap = Date.parse(from ?? '') - Date.parse(now ?? '');
  if (!(gap > 0)) return undefined;
  if (gap >= 2 * DAY) return `at least ${Math.floor(gap / DAY)} days`;
  if (gap >= 2 * 3600_000) return `at least ${Math.floor(gap / 3600_000)} hours`;
  return gap >= 120_000 ? `at least ${Math.floor(gap / 60_000)} minutes` : `at least ${Math.ceil(gap / 1000)} seconds`;
}

export const cause = defineCause({
  id: 'clock-skew',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'node-not-ready',
    'kubelet-down',
    'control-plane-down',
    'crash-loop',
    'restarts',
    'failed',
    'not-ready',
    'init-crash',
    'creating',
    'image-pull',
    'other-trouble',
  ],

  wakesOn: [on('pod.status', { future: true })],

  text: {
    name: 'Clock is wrong',
    title: 'The clock of {where} is {wrong}: {effect}',
    why: 'Certificates and tokens are valid from one moment to another, and a quorum needs clocks that agree. {seen}{times}. The clock of {where} is wrong, or that of the machine it talks to. Nothing that uses TLS, tokens or a quorum works between machines whose clocks differ that much.',
  },

  clues: {
    notYetValid: proves(notYetValid),
    early: supports(early),
    drift: proves(drift),
    future: supports('pod.status', ({ future }) => future === true),
    unsynchronised: supports('host.clock', ({ synchronized }) => !synchronized),
    synchronised: excludes('host.clock', ({ synchronized }) => synchronized),
    elsewhere: excludes(
      line('certificate is not yet valid', [], /\b(?:webhook|upstream|remote peer)\b[^\n]{0,200}?certificate is not yet valid/i),
      notAboutNode,
    ),
  },
  says: {
    notYetValid: 'a certificate is refused as not yet valid{times}',
    early: 'a token is refused because it seems to be issued in the future',
    drift: 'a program that compares the clocks finds them too far apart{drift}',
    future: 'kubectl finds pods that were made in the future (age <invalid>)',
    unsynchronised: 'the clock of the host is not synchronised',
    synchronised: 'the clock of the host is synchronised: the certificate itself begins too late',
    elsewhere: 'a peer outside the node presents a certificate of the future',
  },
  slots: (place, { notYetValid: said, drift: apart, future }) => {
    const { now, from } = said?.fields ?? {};
    const gap = gapOf(now, from);
    const where = place.kind !== 'Node' || place.name.includes(' ') ? 'this machine' : `node ${place.name}`;
    const times = now && from ? ` (here it is ${now}, it is valid from ${from})` : '';
    const measured = apart?.fields['drift'] ?? apart?.fields['ceph'] ?? apart?.fields['mons'];
    const difference = measured === undefined ? '' : ` (${measured})`;
    const apartOnly = (apart !== undefined || future !== undefined) && said === undefined;
    return {
      node: place.name,
      where,
      times,
      drift: difference,
      wrong: apartOnly ? `apart from that of its peers${difference}` : gap === undefined ? 'behind' : `behind by ${gap}`,
      effect: apartOnly ? 'the machines do not agree on the time' : 'certificates are not yet valid there',
      seen: apartOnly
        ? 'A program that compares the clocks of its peers finds them too far apart'
        : 'A certificate is refused because its validity begins in the future',
    };
  },

  fixes: [
    {
      say: 'Compare the clocks',
      risk: 'reads-only',
      steps: [
        {
          say: 'on {where}, and on a machine that works',
          run: 'date -u; timedatectl; chronyc tracking 2>/dev/null || ntpq -p',
          on: 'node',
        },
        {
          say: 'from when to when the certificate is valid',
          run: 'openssl x509 -noout -dates -in /var/lib/kubelet/pki/kubelet-client-current.pem',
          on: 'node',
        },
      ],
    },
    {
      say: 'Set the clock of {where} by time synchronisation (chrony, systemd-timesyncd) and keep it so',
      risk: 'touches-node',
      steps: [
        {
          say: 'step it now and keep it',
          run: 'systemctl enable --now chronyd 2>/dev/null || systemctl enable --now chrony 2>/dev/null || timedatectl set-ntp true; chronyc makestep 2>/dev/null',
          on: 'node',
        },
        { say: 'no time server reachable: open UDP 123, or name an inner one in /etc/chrony.conf', on: 'node' },
        { say: 'a virtual machine that was suspended or restored: let its hypervisor set the time at resume' },
        { say: 'then let the kubelet try again', run: 'systemctl restart kubelet', on: 'node' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'chrony', rhel: 'chrony', suse: 'chrony', alpine: 'chrony', arch: 'chrony' },
          command: 'chronyd',
        },
        { do: 'units', action: 'restart', units: ['chronyd', 'kubelet'] },
      ],
      verified: 'date -u agrees on all machines, and the node is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['Go crypto/x509 verify.go (CertificateInvalidError)', 'etcd server/etcdserver/api/rafthttp/probing_status.go'],
});
