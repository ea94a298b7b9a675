import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const ISCSI = ['pod-events', 'kubelet-log', 'container-log', 'system-log'] as const;
const noLogin = line(
  'iscsiadm: Could not login to',
  ISCSI,
  /Could not login to(?: portal)? \[iface: [^,\]\n]{1,60}, target: (?<target>[^,\]\n]{1,220}), portal: (?<portal>[^\]\n]{1,60})\]/,
);
const reported = line(
  'initiator reported error (',
  ISCSI,
  /initiator reported error \((?<code>4|5|8|11|16|19|23|24|26|29) - (?<text>[^)\n\\"]{3,120})\)/,
);
const rejected = line(
  ['login rejected: ', 'is not authorized to access iSCSI target', 'Login failed to authenticate with target'],
  ['system-log', 'kernel-log'],
  /login rejected: (?<reason>[^\n\\"]{3,120})|is not authorized to access iSCSI target|Login failed to authenticate with target (?<target>\S{3,220})/i,
);
const unreached = line(
  'iscsiadm: cannot make connection to',
  ISCSI,
  /cannot make connection to (?<portal>[\w.:-]{3,100}): (?<text>[A-Z][\w ]{3,40})/,
);
const noRecords = line(
  ['iscsiadm: No records found', 'iscsiadm: No portals found', 'no records found'],
  ISCSI,
  /iscsiadm: No (?:records|portals) found|\(21 - no records found\)/i,
);
const flapping = line(
  ['ISCSI_ERR_TCP_CONN_CLOSE', 'detected conn error (1020)', 'detected conn error (1011)'],
  ['system-log', 'kernel-log'],
  /iSCSI connection (?<connection>[\d:]{1,12}) error \(10|connection(?<kernel>[\d:]{1,12}): detected conn error \(10(?:11|20)\)/,
);
// No channel: that is what Longhorn's own targets are called, and what a missing tool says.
const longhorn = line(['iqn.2019-10.io.longhorn', 'iqn.2014-09.com.rancher', 'iscsidev.(*Device)'], []);
const noDaemon = line(
  [
    'can not connect to iSCSI daemon',
    'iscsiadm": executable file not found',
    'could not communicate to iscsid',
    'iSCSI driver not found. Please',
  ],
  [],
);

export const cause = defineCause({
  id: 'iscsi-login-or-initiator-conflict',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'not-ready', 'other-trouble'],

  text: {
    name: 'iSCSI login fails',
    title: '{node} cannot log in to the iSCSI target {target}: {reason}',
    why: 'iscsiadm and iscsid of {node} work, but the portal {portal} does not let them in: {reason}. Usual reasons: the access list (ACL) of the target does not name the initiator of this node, CHAP user or password are wrong, two cloned nodes share one InitiatorName and throw each other out, or the portal (TCP 3260) is not reachable.',
  },

  clues: {
    noLogin: proves(noLogin),
    reported: proves(reported),
    rejected: proves(rejected),
    unreached: proves(unreached),
    noRecords: supports(noRecords),
    flapping: supports(flapping),
    longhorn: excludes(longhorn),
    noDaemon: excludes(noDaemon),
  },
  says: {
    noLogin: 'logging in to the target {target} fails',
    reported: 'iscsiadm says why: {code} - {text}',
    rejected: 'the target rejects the login',
    unreached: 'the portal {portal} is not reached: {reason}',
    noRecords: 'the portal offers no such target to this initiator',
    flapping: 'the target closes the session: two nodes with one initiator name?',
    longhorn: 'it is a target of Longhorn, inside the cluster',
    noDaemon: 'the initiator itself is missing or does not run',
  },
  slots: (place, { noLogin: login, reported: told, rejected: refused, unreached: away, noRecords: none, flapping: closed }) => ({
    node: place.name,
    target: login?.fields['target'] ?? refused?.fields['target'] ?? 'of the volume',
    portal: login?.fields['portal'] ?? away?.fields['portal'] ?? 'of the target',
    host: (login?.fields['portal'] ?? away?.fields['portal'] ?? 'PORTAL').replace(/[,:].*$/, ''),
    code: told?.fields['code'] ?? '?',
    text: told?.fields['text'] ?? 'login failed',
    reason:
      told?.fields['text'] ??
      refused?.fields['reason'] ??
      away?.fields['text'] ??
      (none ? 'no such target is offered to it' : closed ? 'the session is closed again and again' : 'the login is refused'),
  }),

  fixes: [
    {
      say: 'Look at sessions, names and access list',
      risk: 'reads-only',
      steps: [
        {
          say: 'sessions of the node, and its initiator name (must differ on every node)',
          run: 'iscsiadm -m session -P 1; cat /etc/iscsi/initiatorname.iscsi',
          on: 'node',
        },
        {
          say: 'the portal answers and offers the target',
          run: 'nc -vz -w 3 {{host}} 3260; iscsiadm -m discovery -t sendtargets -p {{host}}',
          on: 'node',
        },
        { say: 'what the daemon says', run: 'journalctl -u iscsid --no-pager | tail -30', on: 'node' },
      ],
    },
    {
      say: 'Let the node in: add its initiator name to the access list (ACL, igroup) of the target, or correct the CHAP secret',
      risk: 'reads-only',
      for: ['noLogin', 'rejected', 'noRecords'],
      steps: [
        { say: 'on a Linux target', run: 'targetcli /iscsi/TARGET/tpg1/acls create INITIATOR-NAME' },
        {
          say: 'CHAP: the keys node.session.auth.username and password of the Secret that the volume or class names',
          run: 'kubectl get secret -A | grep -i chap',
          on: 'cluster',
        },
      ],
      verified: 'iscsiadm -m session lists the target and the volume mounts',
    },
    {
      say: 'Give cloned nodes initiator names of their own',
      risk: 'touches-node',
      for: ['flapping'],
      steps: [
        {
          say: 'drain first: sessions are dropped',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'new name',
          run: 'echo "InitiatorName=$(iscsi-iname)" > /etc/iscsi/initiatorname.iscsi && systemctl restart iscsid',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['open-iscsi include/iscsi_err.h, usr/iscsi_err.c, usr/login.c', 'kubernetes pkg/volume/iscsi/iscsi_util.go'],
});
