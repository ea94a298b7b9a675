import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const noTool = line(
  [
    'make sure lvm2 package is installed',
    '"lvm" does not exist on the host',
    'executable file not found',
    'lvm: command not found',
    'vgs: command not found',
    'pvs: command not found',
    'lvs: command not found',
    'create: command not found',
    'dmsetup: command not found',
    'cryptsetup: command not found',
    'failed to run command',
  ],
  ['container-log', 'pod-events', 'kubelet-log'],
  /make sure lvm2 package is installed|\\?"(?<binary>lvm)\\?" does not exist on the host|\b(?<tool>lvm|pvs|vgs|lvs|pvscan|vgchange|vgextend|lvchange|(?:pv|vg|lv)create|dmsetup|cryptsetup|thin_check)[\\"“”'’]{0,8}: (?:executable file not found|command not found|No such file or directory)/,
);
const noTarget = line(
  [
    'Required device-mapper target(s) not detected',
    'Module dm_thin_pool not found',
    'Module dm-thin-pool not found',
    'Module dm_snapshot not found',
    'Module dm-snapshot not found',
    'Module dm_mod not found',
    'Module dm-mod not found',
    'Failure to communicate with kernel device-mapper driver',
    '/dev/mapper/control: open failed',
    'thin-pool: unknown target type',
    'snapshot: unknown target type',
  ],
  ['container-log', 'kernel-log', 'pod-events', 'kubelet-log'],
  /(?<![\w-])(?<target>[\w-]{2,20}): Required device-mapper target\(s\) not detected|Module (?<module>dm[_-][\w-]{2,20}) not found|Failure to communicate with kernel device-mapper|\/dev\/mapper\/control: open failed|(?<![\w-])(?<type>[\w-]{2,20}): unknown target type/,
);
const nsenter = line(
  ['nsenter: failed to execute', 'nsenter: cannot execute'],
  'container-log',
  /nsenter: (?:failed to|cannot) execute (?:[\w/-]{0,60}\/)?(?<tool>lvm|pvs|vgs|lvs|(?:pv|vg|lv)create|dmsetup|cryptsetup): No such file/,
);
// No channel: LVM that answers about its groups is there.
const lvmSpeaks = line(
  ['Volume group "', 'Volume group \\"', 'insufficient free space'],
  [],
  /Volume group \\?"[\w.+-]{1,100}\\?" (?:not found|has insufficient free space)/,
);

export const cause = defineCause({
  id: 'host-missing-lvm-or-dm',
  area: 'storage',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'init-crash', 'init-stuck', 'creating', 'restarts', 'failed', 'pending', 'volume-pending', 'other-trouble'],

  text: {
    name: 'Host lacks lvm2',
    title: 'LVM cannot be used on {node}: {what}',
    why: 'Storage that is built on LVM (Rook-Ceph OSDs, TopoLVM, OpenEBS LVM LocalPV, encrypted volumes) runs the LVM and device-mapper tools of the host and needs their kernel targets. On {node} {what}, so its disks cannot be prepared or activated; after a reboot even OSDs that ran before do not come back.',
  },

  clues: {
    noTool: proves(noTool),
    noTarget: proves(noTarget),
    nsenter: supports(nsenter),
    toolMissing: supports(
      'host.tool',
      ({ name, present }) => !present && /^(?:lvm2?|lvs|vgs|pvs|dmsetup|cryptsetup|dm_(?:thin_pool|snapshot|mod))$/.test(name),
    ),
    lvmSpeaks: excludes(lvmSpeaks),
  },
  says: {
    noTool: 'a tool of LVM was called and is not there: {tool}',
    noTarget: 'the kernel lacks a device-mapper target: {module}',
    nsenter: '{tool} is not found on the host',
    toolMissing: 'the host has no {absent}',
    lvmSpeaks: 'LVM works and reports on its volume groups',
  },
  slots: (place, { noTool: tool, noTarget: target, nsenter: entered, toolMissing }) => {
    const name = tool?.fields['tool'] ?? tool?.fields['binary'] ?? entered?.fields['tool'] ?? 'lvm';
    const module = target?.fields['module'] ?? (target?.fields['target'] ?? target?.fields['type'])?.replace(/^/, 'dm_');
    return {
      node: place.name,
      tool: name,
      module: module ?? 'dm_mod',
      command: (tool ?? entered) && !/^(?:dmsetup|cryptsetup|thin_check)$/.test(name) ? 'lvm' : '',
      target: !target ? '' : /thin/.test(module ?? '') ? 'dm_thin_pool' : (module?.replaceAll('-', '_') ?? 'dm_mod'),
      absent: toolMissing?.name ?? name,
      what:
        target && !tool
          ? `the kernel module ${module ?? 'of device-mapper (dm_mod)'} is not loaded or not installed`
          : `${name} (package ${name === 'cryptsetup' ? 'cryptsetup' : name === 'dmsetup' ? 'dmsetup / device-mapper' : 'lvm2'}) is not installed`,
    };
  },

  fixes: [
    {
      say: 'See what {node} has',
      risk: 'reads-only',
      steps: [{ say: 'tools and kernel targets', run: 'command -v lvm dmsetup cryptsetup; lsmod | grep dm_; lvs; lsblk -f', on: 'node' }],
    },
    {
      say: 'Install lvm2 on {node} and every node with such disks',
      risk: 'touches-node',
      for: ['noTool', 'nsenter', 'toolMissing'],
      steps: [
        { say: 'Debian, Ubuntu', run: 'apt-get update && apt-get install -y lvm2', on: 'node', family: 'debian' },
        { say: 'RHEL, Rocky, Alma, Fedora, Amazon', run: 'yum install -y lvm2', on: 'node', family: 'rhel' },
        { say: 'SUSE', run: 'zypper install -y lvm2', on: 'node', family: 'suse' },
        { say: 'Alpine', run: 'apk add lvm2', on: 'node', family: 'alpine' },
        { say: 'Arch', run: 'pacman -S --noconfirm lvm2', on: 'node', family: 'arch' },
      ],
      changes: [
        { do: 'package', names: { debian: 'lvm2', rhel: 'lvm2', suse: 'lvm2', alpine: 'lvm2', arch: 'lvm2' }, command: '{{command}}' },
      ],
      verified: 'lvm version answers; delete the failed prepare pod and it is made anew',
    },
    {
      say: 'Load the device-mapper modules, now and at boot',
      risk: 'touches-node',
      for: ['noTarget'],
      steps: [
        {
          say: 'thin pools and snapshots',
          run: 'modprobe -a dm_mod dm_snapshot dm_thin_pool && printf "dm_mod\\ndm_snapshot\\ndm_thin_pool\\n" > /etc/modules-load.d/dm.conf',
          on: 'node',
        },
        {
          say: 'where they are not found',
          run: 'apt-get install -y linux-modules-extra-$(uname -r) thin-provisioning-tools',
          on: 'node',
          family: 'debian',
        },
      ],
      changes: [
        { do: 'module', name: 'dm_mod' },
        { do: 'module', name: '{{target}}' },
      ],
      verified: 'lsmod lists them and volumes are made',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['rook pkg/daemon/ceph/osd/volume.go, issues 5627, 6057, 12012', 'openebs/lvm-localpv README', 'lvm2 libdm, lib/activate'],
});
