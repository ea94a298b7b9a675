import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID = ['container-log', 'kubelet-log', 'host-tools', 'kubeadm-output', 'system-log', 'pod-events'] as const;
/** Storage drivers have a cause of their own; only a check wants `configs`, and containerd tries aufs, btrfs and zfs at every start. */
const OTHERS = /^(?:configs|aufs|btrfs|zfs|floppy|rbd|ceph|nbd|nvme[\w-]*|dm[_-]\w+|iscsi_tcp|nfsd?|nfsv\d|cifs|drbd|nvidia\w*)$/;

const notFound = line(
  ['not found in directory /lib/modules', 'not found in directory /usr/lib/modules', "can't change directory to '/lib/modules/"],
  SAID,
  /Module (?<module>[\w-]{1,60}) not found in directory (?:\/usr)?\/lib\/modules\/(?<kernel>[\w.+-]{1,100})|can't change directory to '\/lib\/modules\/(?<absent>[\w.+-]{1,100})'/,
);
const refused = line(
  'could not insert',
  SAID,
  /modprobe: (?:ERROR|FATAL): could not insert '(?<module>[\w-]{1,60})': (?<reason>[^\n"\\]{3,100})/,
);
const table = line(
  [
    'do you need to insmod',
    'ensure IPVS kernel modules are loaded',
    'Cannot open session to kernel',
    "Couldn't load match",
    "Couldn't load target",
    'Extension ',
    'Could not fetch rule set generation id: Invalid argument',
    'RULE_APPEND failed (No such file',
    'CHAIN_ADD failed (No such file',
    'clsact qdisc',
    'Specified qdisc',
    'Failed to initialize nft',
    "Can't open socket to ipset",
    'could not load module',
    '_tables is missing',
  ],
  SAID,
  /can't initialize (?<family>ip6?tables)(?:-nft)? table [`'"\\]{1,4}(?<table>\w{2,20})['"\\]{1,4}: (?:Table does not exist|iptables who\?)|(?<ipvs>ensure IPVS kernel modules are loaded)|(?<legacy>Cannot initialize: iptables who\? \(do you need to insmod\?\))|ipset v\S{1,20} Cannot open session to kernel|Couldn't load (?:match|target) [`'"\\]{1,4}(?<match>[\w-]{1,40})['"\\]{1,4}:\s?No such file|Extension (?<extension>[\w-]{1,40}) revision \d{1,3} not supported, missing kernel module|(?<sets>Can't open socket to ipset)|could not load module (?<asked>[\w-]{1,60}): |enabled, but module (?<lacking>[\w-]{1,60}) is missing|(?<nft>Failed to initialize nft: Protocol not supported|Could not fetch rule set generation id: Invalid argument|(?:RULE|CHAIN)_\w{3,8} failed \(No such file or directory\))|(?<qdisc>replacing clsact qdisc for interface [\w.-]{1,20}: (?:no such file or directory|operation not supported|not supported)|Specified qdisc (?:kind is unknown|not found))/,
);
const vxlan = line(
  [
    'error registering network: operation not supported',
    'flannel exited: operation not supported',
    'failed to create vxlan',
    'operation not supported',
    'protocol not supported',
  ],
  SAID,
  /(?:error registering network|flannel exited): operation not supported|(?:create|add|set ?up)[^\n]{0,60}?\b(?<device>vxlan|ipip|wireguard|geneve|dummy|bridge|veth)\b[^\n]{0,100}?(?:operation|protocol|address family) not supported/i,
);
const tooOld = line(
  [
    'FATAL: kernel too old',
    'minimal supported kernel version',
    'requires kernel version',
    'requires kernel >=',
    'kernel version is too old',
    'kernel is too old',
    'requires Linux kernel',
    'minimum kernel version',
    'requires at least kernel',
    'failed to find valid kernel BTF',
  ],
  SAID,
  /FATAL: kernel too old|(?<btf>failed to find valid kernel BTF)|minimal supported kernel version is >= ?(?<minimal>\d[\w.]{1,20})|(?:requires(?: at least)?(?: Linux)? kernel(?: version)?|minimum kernel version)[^\n\d]{0,30}(?<least>\d\.[\w.]{1,20})|kernel (?:version )?is too old/i,
);
const mismatch = line(
  ['/lib/modules/', 'Failed to find module'],
  SAID,
  /Failed to find module '(?<module>[\w-]{1,60})'|cannot access '?\/lib\/modules\/(?<kernel>[\w.+-]{1,100})/,
);
const ignorable = line('you can ignore this message when kube-proxy is running inside container', []);
const blacklisted = line('blacklisted', [], /blacklist(?:ed)? [\w-]{2,40}|install [\w-]{2,40} \/bin\/(?:true|false)/);

export const cause = defineCause({
  id: 'kernel-too-old-or-module-missing',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: [
    'crash-loop',
    'restarts',
    'not-ready',
    'creating',
    'init-crash',
    'failed',
    'node-not-ready',
    'kubelet-down',
    'runtime-down',
    'other-trouble',
  ],

  text: {
    name: 'Kernel lacks a feature',
    title: 'The kernel of {where} lacks what is needed: {what}',
    why: 'Networking, storage and runtimes use modules of the Linux kernel. On {where} {what}. After a kernel upgrade without a reboot the running kernel has no modules folder any more; small cloud and Raspberry Pi kernels ship many modules in an extra package; old kernels do not have the feature at all.',
  },

  clues: {
    notFound: proves(notFound, ({ fields }) => !OTHERS.test(fields['module'] ?? '')),
    refused: proves(refused, ({ fields }) => !OTHERS.test(fields['module'] ?? '')),
    table: proves(table),
    vxlan: proves(vxlan),
    tooOld: proves(tooOld, ({ fields }) => fields['btf'] === undefined),
    // libbpf says so and falls back where it can.
    noTypes: supports(tooOld, ({ fields }) => fields['btf'] !== undefined),
    mismatch: supports(mismatch),
    kernel: supports('node.info', ({ kernel }) => kernel !== undefined && /^(?:2\.|3\.|4\.[0-4]\.)/.test(kernel)),
    ignorable: excludes(ignorable),
    blacklisted: excludes(blacklisted),
  },
  says: {
    notFound: 'module {module} is not found for the running kernel {running}',
    refused: 'module {module} cannot be loaded: {reason}',
    table: 'the kernel has no {table}: its module is missing',
    vxlan: 'the kernel cannot make the network device: not supported',
    tooOld: 'a program finds the kernel too old{least}',
    noTypes: 'a program finds no type information (BTF) of the kernel',
    mismatch: 'modules of the running kernel are not there',
    kernel: 'the node runs an old kernel: {running}',
    ignorable: 'kube-proxy says this harmlessly where /lib/modules is not mounted',
    blacklisted: 'the module is there, but switched off by a blacklist',
  },
  slots: (place, seen) => {
    const module = seen.notFound?.fields['module'] ?? seen.refused?.fields['module'] ?? seen.mismatch?.fields['module'];
    const running = seen.notFound?.fields['kernel'] ?? seen.notFound?.fields['absent'] ?? seen.kernel?.kernel ?? '';
    const least = seen.tooOld?.fields['minimal'] ?? seen.tooOld?.fields['least'];
    const tableName = seen.table?.fields['table'];
    const piece =
      tableName !== undefined
        ? `${seen.table?.fields['family'] ?? 'iptables'} table ${tableName}`
        : (seen.table?.fields['match'] ?? seen.table?.fields['extension'])
          ? `netfilter extension ${seen.table?.fields['match'] ?? seen.table?.fields['extension']}`
          : seen.table?.fields['ipvs']
            ? 'IPVS support (ip_vs, ip_vs_rr)'
            : (seen.table?.fields['asked'] ?? seen.table?.fields['lacking'])
              ? `kernel module ${seen.table?.fields['asked'] ?? seen.table?.fields['lacking']}`
              : seen.table?.fields['sets']
                ? 'support of address sets (ip_set, xt_set)'
                : seen.table?.fields['nft']
                  ? 'nftables support (nf_tables), or a part of it'
                  : seen.table?.fields['qdisc']
                    ? 'clsact queueing discipline (sch_ingress, cls_bpf) for the programs of the network add-on'
                    : seen.table?.fields['legacy']
                      ? 'legacy iptables support'
                      : 'iptables or ipset support';
    const reason = seen.refused?.fields['reason']?.trim() ?? 'refused';
    return {
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      module: module ?? 'needed here',
      moduleName: seen.notFound?.fields['module'] ?? '',
      kernelRelease: seen.notFound?.fields['kernel'] ?? '',
      running: running || 'in use',
      least: least ? ` (it needs ${least} or newer)` : '',
      table: piece,
      reason,
      what:
        seen.noTypes && !seen.tooOld && !seen.refused && !seen.notFound
          ? 'the kernel brings no BTF (type information for BPF programs)'
          : seen.tooOld
            ? `the kernel${running ? ` ${running}` : ''} is too old${least ? `, ${least} or newer is needed` : ''}`
            : seen.refused
              ? `kernel module ${module ?? ''} cannot be loaded (${reason})`
              : seen.notFound
                ? `kernel module ${module ?? 'folder /lib/modules'} is missing for the running kernel${running ? ` ${running}` : ''}`
                : seen.table
                  ? `it has no ${piece} (module not loaded or not built)`
                  : seen.vxlan
                    ? `it cannot make ${seen.vxlan.fields['device'] ?? 'vxlan'} devices (module missing)`
                    : 'modules of the running kernel are missing',
    };
  },

  fixes: [
    {
      say: 'Compare the running kernel with the modules that are installed',
      risk: 'reads-only',
      steps: [
        { say: 'they must be the same version', run: 'uname -r; ls /lib/modules; ls /boot | grep -E "vmlinuz|kernel"', on: 'node' },
        {
          say: 'does it know the module, and can it be loaded',
          run: 'modprobe -v {{module}}; grep -rn {{module}} /etc/modprobe.d 2>/dev/null',
          on: 'node',
        },
      ],
    },
    {
      say: 'Reboot into the installed kernel, if it was upgraded since the last boot',
      risk: 'touches-node',
      for: ['mismatch', 'notFound'],
      steps: [
        { say: 'drain first', run: 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        { say: 'reboot', run: 'systemctl reboot', on: 'node' },
      ],
    },
    {
      say: 'Install the package with the extra modules and load what is needed at every boot',
      risk: 'touches-node',
      for: ['table', 'vxlan'],
      steps: [
        {
          say: 'Ubuntu (Raspberry Pi: linux-modules-extra-raspi)',
          run: 'apt-get install -y linux-modules-extra-$(uname -r)',
          on: 'node',
          family: 'debian',
        },
        { say: 'for cilium', run: 'modprobe -a sch_ingress cls_bpf vxlan', on: 'node' },
        { say: 'Red Hat and kin', run: 'dnf install -y kernel-modules-extra-$(uname -r)', on: 'node', family: 'rhel' },
        {
          say: 'what a plain cluster needs',
          run: "printf '%s\\n' overlay br_netfilter nf_conntrack ip_tables iptable_nat iptable_filter vxlan ip_set xt_set > /etc/modules-load.d/k8s.conf; systemctl restart systemd-modules-load",
          on: 'node',
        },
      ],
      changes: [
        { do: 'package', names: { debian: 'linux-modules-extra-{{kernelRelease}}', rhel: 'kernel-modules-extra-{{kernelRelease}}' } },
        { do: 'module', name: '{{moduleName}}' },
      ],
      verified: 'lsmod shows the module, and the pods of {where} start',
    },
    {
      say: 'Or upgrade the kernel or the system, when it is too old or built without the option',
      risk: 'touches-node',
      for: ['tooOld', 'noTypes', 'kernel'],
      steps: [
        {
          say: 'which options it was built with',
          run: 'grep -E "CONFIG_(VXLAN|IP_SET|NETFILTER_XT_SET|BPF_SYSCALL|NET_SCH_INGRESS|NET_CLS_BPF|OVERLAY_FS)" /boot/config-$(uname -r)',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kmod tools/modprobe.c',
    'iptables libiptc/libiptc.c',
    'flannel pkg/backend/vxlan',
    'calico issues 8726, 13499',
    'cilium pkg/datapath/linux/requirements.go',
  ],
});
