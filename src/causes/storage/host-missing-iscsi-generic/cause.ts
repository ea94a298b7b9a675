import { defineCause, excludes, line, minutes, NAMED_VOLUME, proves, supports, withContext } from '../../define-cause.ts';

const noTool = line(
  [
    'iscsiadm": executable file not found',
    'iscsiadm\\": executable file not found',
    'iscsiadm: executable file not found',
    'iscsiadm: command not found',
    'iscsiadm: not found',
    "failed to run command 'iscsiadm'",
    'failed to run command ‘iscsiadm’',
    "can't execute 'iscsiadm'",
    'iscsi tools not found',
  ],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(
    /iscsiadm[\\"“”]{0,8}: (?:executable file |command )?not found|failed to run command ['‘][\w/]{0,20}iscsiadm['’]|can't execute 'iscsiadm'|iSCSI tools not found/,
    { may: [NAMED_VOLUME] },
  ),
);
const noToolOnHost = line(
  ['failed to execute iscsiadm: No such file', 'kubernetes.io/iscsi/', 'kubernetes.io~iscsi/'],
  ['pod-events', 'kubelet-log'],
  /(?:MountVolume|MapVolume|AttachVolume|rpc error)[\s\S]{0,800}?failed to execute iscsiadm: No such file|kubernetes\.io[/~]iscsi\/[\s\S]{0,600}?executable file not found in \$PATH/,
);
const daemonDown = line(
  [
    'can not connect to iSCSI daemon',
    'could not connect to iscsid',
    'could not communicate to iscsid',
    'daemon died?',
    'iscsid is not running',
  ],
  ['pod-events', 'container-log', 'kubelet-log'],
  withContext(
    /can not connect to iSCSI daemon \((?<code>\d{1,3})\)|could not (?:connect|communicate) to iscsid|iscsid is not running|iscsiadm: read error \([-\d]{1,3}\/\d{1,3}\), daemon died\?/,
    { may: [NAMED_VOLUME] },
  ),
);
const noName = line(
  [
    'Cannot perform discovery. Initiatorname required',
    'Cannot perform discovery. Invalid Initiatorname',
    "can't open InitiatorName configuration file",
    'InitiatorName= line in',
  ],
  ['pod-events', 'container-log', 'kubelet-log', 'system-log'],
  /Initiatorname required|Invalid Initiatorname|can't open InitiatorName configuration file (?<file>\/[^\s\\"]{1,100})|InitiatorName= line in/i,
);
// No channel: Longhorn's manager checks its hosts by itself, and a login shows that the tool is there.
const longhorn = line(['iscsiadm/open-iscsi installed on the host', 'Environment check failed'], [], /iscsiadm\/open-iscsi installed/);
const loggedIn = line(['initiator reported error ('], [], /iscsiadm: initiator reported error \((?!20\b|18\b|12\b)/);

export const cause = defineCause({
  id: 'host-missing-iscsi-generic',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'crash-loop', 'restarts', 'other-trouble'],

  text: {
    name: 'Host iSCSI initiator missing',
    title: 'The iSCSI initiator of {node} cannot be used: {what}',
    why: 'iSCSI volumes (of the kubelet itself and of drivers such as OpenEBS, democratic-csi, Synology or Trident) are attached with iscsiadm and the daemon iscsid of the host, from the package open-iscsi (iscsi-initiator-utils). On {node} {what}, so no target can be discovered or logged in to.',
  },

  clues: {
    noTool: proves(noTool),
    noToolOnHost: proves(noToolOnHost),
    daemonDown: proves(daemonDown),
    noName: proves(noName),
    toolMissing: supports(
      'host.tool',
      ({ name, present }) => !present && /^(?:iscsiadm|iscsid|open-iscsi|iscsi-initiator-utils)$/.test(name),
    ),
    unitDown: supports('unit.state', ({ unit, active }) => /^iscsid\b/.test(unit) && active !== 'active'),
    longhorn: excludes(longhorn),
    loggedIn: excludes(loggedIn),
  },
  says: {
    noTool: 'iscsiadm was called and is not there',
    noToolOnHost: 'the driver cannot run iscsiadm on the host: no such program',
    daemonDown: 'iscsiadm cannot reach its daemon: iscsid does not run',
    noName: 'the host has no usable initiator name (initiatorname.iscsi)',
    toolMissing: 'the host has no {tool}',
    unitDown: 'iscsid is {state} on the node',
    longhorn: 'the check of longhorn-manager, which speaks for all its hosts',
    loggedIn: 'iscsiadm works here: the login itself fails',
  },
  slots: (place, { daemonDown: daemon, noName: name, noTool: tool, noToolOnHost: host, toolMissing, unitDown }) => ({
    node: place.name,
    what:
      tool || host
        ? 'iscsiadm (package open-iscsi or iscsi-initiator-utils) is not installed'
        : name
          ? '/etc/iscsi/initiatorname.iscsi holds no valid initiator name'
          : daemon
            ? 'the daemon iscsid is not running'
            : 'iscsiadm is missing',
    tool: toolMissing?.name ?? 'iscsiadm',
    command: tool || host ? 'iscsiadm' : '',
    unit: daemon && !tool && !host ? 'iscsid' : '',
    state: unitDown?.active ?? 'not active',
  }),

  fixes: [
    {
      say: 'See what {node} has',
      risk: 'reads-only',
      steps: [
        {
          say: 'tool, daemon, module, name',
          run: 'command -v iscsiadm; systemctl is-active iscsid; lsmod | grep iscsi_tcp; cat /etc/iscsi/initiatorname.iscsi',
          on: 'node',
        },
      ],
    },
    {
      say: 'Install the iSCSI initiator on {node} and on every node that may run such pods; no reboot needed',
      risk: 'touches-node',
      for: ['noTool', 'noToolOnHost', 'noName', 'toolMissing'],
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install -y open-iscsi lsscsi sg3-utils', on: 'node', family: 'debian' },
        {
          say: 'RHEL, Rocky, Alma, Fedora, Amazon',
          run: 'yum install -y iscsi-initiator-utils lsscsi sg3_utils',
          on: 'node',
          family: 'rhel',
        },
        { say: 'SUSE', run: 'zypper install -y open-iscsi', on: 'node', family: 'suse' },
        { say: 'Alpine', run: 'apk add open-iscsi', on: 'node', family: 'alpine' },
        { say: 'Arch', run: 'pacman -S --noconfirm open-iscsi', on: 'node', family: 'arch' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'open-iscsi', rhel: 'iscsi-initiator-utils', suse: 'open-iscsi', alpine: 'open-iscsi', arch: 'open-iscsi' },
          command: '{{command}}',
        },
        { do: 'module', name: 'iscsi_tcp' },
        { do: 'units', action: 'enable', units: ['iscsid'] },
        { do: 'units', action: 'start', units: ['iscsid'] },
      ],
      verified: 'iscsiadm --version answers on the node',
    },
    {
      say: 'Start iscsid and load its module, now and at boot',
      risk: 'touches-node',
      for: ['daemonDown', 'unitDown'],
      steps: [
        {
          say: 'daemon and module',
          run: 'systemctl enable --now iscsid && modprobe iscsi_tcp && echo iscsi_tcp > /etc/modules-load.d/iscsi_tcp.conf',
          on: 'node',
        },
        {
          say: 'a name of its own for each node, where there is none',
          run: 'echo "InitiatorName=$(iscsi-iname)" > /etc/iscsi/initiatorname.iscsi && systemctl restart iscsid',
          on: 'node',
        },
        { say: 'Talos, Flatcar, RancherOS and the like: enable their iscsi extension; nothing can be installed by hand' },
      ],
      changes: [
        { do: 'module', name: 'iscsi_tcp' },
        { do: 'units', action: 'enable', units: ['{{unit}}'] },
        { do: 'units', action: 'start', units: ['{{unit}}'] },
      ],
      verified: 'iscsiadm -m session lists the session and the volume mounts',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/iscsi/iscsi_util.go', 'open-iscsi usr/iscsiadm.c', 'democratic-csi README, node preparation'],
});
