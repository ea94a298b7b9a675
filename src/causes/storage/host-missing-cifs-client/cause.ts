import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noHelper = line(
  ['helper program', '/sbin/mount.<type>', '/sbin/mount.cifs', 'unknown filesystem type', 'missing codepage or'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /(?:-t (?:cifs|smb3)\s|superblock on \/\/)[\s\S]{0,1500}?(?:missing codepage or helper|bad option; for several filesystems|you might need a \/sbin\/mount\.|need a \/sbin\/mount\.<type>)|unknown filesystem type [\\'"‘]{0,4}(?:cifs|smb3)\b|need a \/sbin\/mount\.cifs/,
);
const noTool = line(
  ['executable file not found', 'mount.cifs: command not found', 'mount.cifs: not found', 'mount.cifs binary not found'],
  ['pod-events', 'container-log', 'kubelet-log'],
  /mount\.cifs[\\"“”']{0,8}(?:: executable file not found|: (?:command )?not found| binary not found)/,
);
const noModule = line(
  ['cifs filesystem not supported by the system', 'mount error(19): No such device', 'Module cifs not found'],
  ['pod-events', 'kubelet-log', 'container-log'],
  /cifs filesystem not supported by the system|mount error\(19\): No such device|Module cifs not found(?: in directory (?<modules>\/lib\/modules\/[^\s\\"]{1,100}))?/,
);
// No channel: the helper that speaks for itself is there, wherever it says so.
const helperSpeaks = line('mount error(', [], /mount error\((?!19\))(?<code>\d{1,3})\): (?<text>[A-Z][\w ]{2,60})/);

export const cause = defineCause({
  id: 'host-missing-cifs-client',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'pending', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Host lacks the SMB client',
    title: 'SMB shares cannot be mounted on {node}: {what}',
    why: 'An SMB (CIFS) share is mounted by the helper program mount.cifs of the package cifs-utils and by the kernel module cifs. On {node} one of the two is missing: {what}. The share and its credentials were not even tried, so every pod with an SMB volume on this node stays in ContainerCreating.',
  },

  clues: {
    noHelper: proves(noHelper),
    noTool: proves(noTool),
    noModule: proves(noModule),
    toolMissing: supports('host.tool', ({ name, present }) => !present && /^(?:mount\.cifs|cifs-utils|cifs)$/.test(name)),
    helperSpeaks: excludes(helperSpeaks),
  },
  says: {
    noHelper: 'mounting an SMB share fails for want of the helper mount.cifs',
    noTool: 'mount.cifs was called and is not there',
    noModule: 'the kernel has no cifs: its module is missing',
    toolMissing: 'the host has no {tool}',
    helperSpeaks: 'mount.cifs ran and reached for the share: an error of the server',
  },
  slots: (place, { noHelper: helper, noTool: tool, noModule: module, toolMissing }) => ({
    node: place.name,
    what:
      module !== undefined && helper === undefined && tool === undefined
        ? 'the kernel module cifs is missing'
        : 'mount.cifs (package cifs-utils) is not installed',
    command: helper || tool ? 'mount.cifs' : '',
    module: module && !module.fields['modules'] ? 'cifs' : '',
    tool: toolMissing?.name ?? 'mount.cifs',
  }),

  fixes: [
    {
      say: 'See which of the two is missing on {node}',
      risk: 'reads-only',
      steps: [{ say: 'helper and kernel module', run: 'command -v mount.cifs; modinfo cifs | head -2; uname -r', on: 'node' }],
    },
    {
      say: 'Install cifs-utils on {node}, and on every node that may run such pods',
      risk: 'touches-node',
      for: ['noHelper', 'noTool', 'toolMissing'],
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install -y cifs-utils', on: 'node', family: 'debian' },
        {
          say: 'RHEL, Rocky, Alma, Fedora, Amazon',
          run: 'dnf install -y cifs-utils || yum install -y cifs-utils',
          on: 'node',
          family: 'rhel',
        },
        { say: 'SUSE', run: 'zypper install -y cifs-utils', on: 'node', family: 'suse' },
        { say: 'Alpine', run: 'apk add cifs-utils', on: 'node', family: 'alpine' },
        { say: 'Arch', run: 'pacman -S --noconfirm cifs-utils', on: 'node', family: 'arch' },
      ],
      changes: [
        {
          do: 'package',
          names: { debian: 'cifs-utils', rhel: 'cifs-utils', suse: 'cifs-utils', alpine: 'cifs-utils', arch: 'cifs-utils' },
          command: '{{command}}',
        },
      ],
      verified: 'mount.cifs is found, FailedMount stops and the pods start',
    },
    {
      say: 'Load the kernel module cifs, and install it where the kernel package came without',
      risk: 'touches-node',
      for: ['noModule'],
      steps: [
        { say: 'load it now and at boot', run: 'modprobe cifs && echo cifs > /etc/modules-load.d/cifs.conf', on: 'node' },
        {
          say: 'slim cloud kernels keep it in a package of its own',
          run: 'apt-get install -y linux-modules-extra-$(uname -r)',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL and relatives', run: 'dnf install -y kernel-modules-$(uname -r)', on: 'node', family: 'rhel' },
        { say: 'a kernel that was updated without a reboot cannot load modules of the new one: reboot', on: 'node' },
      ],
      changes: [{ do: 'module', name: '{{module}}' }],
      verified: 'grep cifs /proc/filesystems prints a line',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'cifs-utils mount.cifs.c',
    'kubernetes staging/src/k8s.io/mount-utils/mount_linux.go',
    'kubernetes-csi/csi-driver-smb issues 71, 680, 699',
  ],
});
