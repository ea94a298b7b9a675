import { CONFIG_PROBES, RUNTIME_PROBES } from './config-probes.ts';
import { file, type HostProbe, has, look } from './probe.ts';

/** A journal names the host; facts are about the node, so its name stands there instead. */
const NAMED = `sed "s/^\\([0-9][0-9-]*T[0-9:.+-]* \\)[^ ]* /\\1$node /"`;
const JOURNAL = `{ [ -d /run/log/journal ] || [ -d /var/log/journal ]; } && ${has('journalctl')}`;
const LAST_HOUR = "--since '1 hour ago' -n 2000 -o short-iso --no-pager";

function journal(id: string, channel: HostProbe['channel'], which: string, when: string): HostProbe {
  return look(id, channel, `journalctl ${which} ${LAST_HOUR}`, {
    runs: `journalctl ${which} ${LAST_HOUR} 2>&1 | ${NAMED}`,
    when: `${JOURNAL} && ${when}`,
    seconds: 15,
    bytes: 1024 * 1024,
    keep: 'tail',
  });
}

function unitJournal(unit: string, channel: HostProbe['channel']): HostProbe {
  return journal(`journal-${unit}`, channel, `-u ${unit}`, `systemctl cat ${unit} >/dev/null 2>&1`);
}

const KERNEL_JOURNAL = 'journalctl -k -n 1 -q --no-pager 2>/dev/null | grep -q .';

const LOG_PROBES: readonly HostProbe[] = [
  unitJournal('kubelet', 'kubelet-log'),
  unitJournal('containerd', 'containerd-log'),
  unitJournal('docker', 'docker-log'),
  unitJournal('cri-docker', 'docker-log'),
  unitJournal('crio', 'crio-log'),
  unitJournal('k3s', 'kubelet-log'),
  unitJournal('k3s-agent', 'kubelet-log'),
  look('kubelet-log-file', 'kubelet-log', 'tail -n 2000 $file', {
    runs: 'tail -n 2000 "$file"',
    each: ['/var/log/kubelet.log'],
    bytes: 1024 * 1024,
    keep: 'tail',
  }),
  journal('journal-kernel', 'kernel-log', '-k', KERNEL_JOURNAL),
  look('dmesg', 'kernel-log', 'dmesg -T | tail -n 1000', {
    runs: '{ dmesg -T 2>/dev/null || dmesg; } | tail -n 1000',
    when: `${has('dmesg')} && ! { ${JOURNAL} && ${KERNEL_JOURNAL}; }`,
    keep: 'tail',
  }),
  journal('journal-systemd', 'system-log', '_PID=1', 'true'),
  look('audit-denials', 'kernel-log', 'grep -h denied $file | tail -n 100', {
    runs: 'grep -h denied "$file" | tail -n 100',
    each: ['/var/log/audit/audit.log'],
    seconds: 10,
    keep: 'tail',
  }),
];

const CGROUP_PROBES: readonly HostProbe[] = [
  look('cgroup-version', 'cgroup-version', 'stat -fc %T /sys/fs/cgroup', {
    // Not every `stat` has a name for it.
    runs: 'if [ -e /sys/fs/cgroup/cgroup.controllers ]; then echo cgroup2fs; else stat -fc %T /sys/fs/cgroup; fi',
  }),
  file('cgroup-controllers', 'cgroup-version', '$file', { each: ['/sys/fs/cgroup/cgroup.controllers'] }),
  look('cgroup-paths', 'cgroup-paths', 'cat /proc/[0-9]*/cgroup | grep kubepods | sort -u', {
    runs: "{ cat /proc/[0-9]*/cgroup; } 2>/dev/null | grep kubepods | grep -E '^0::|:memory:|:name=systemd:' | sort -u",
    seconds: 10,
    bytes: 256 * 1024,
  }),
];

const SYSCTLS = [
  'net.ipv4.ip_forward',
  'net.ipv6.conf.all.forwarding',
  'net.bridge.bridge-nf-call-iptables',
  'net.bridge.bridge-nf-call-ip6tables',
  'net.ipv4.conf.all.rp_filter',
  'net.netfilter.nf_conntrack_max',
  'net.netfilter.nf_conntrack_count',
  'fs.inotify.max_user_instances',
  'fs.inotify.max_user_watches',
  'fs.file-nr',
  'fs.nr_open',
  'kernel.pid_max',
  'kernel.threads-max',
  'kernel.panic',
  'kernel.panic_on_oops',
  'kernel.apparmor_restrict_unprivileged_userns',
  'user.max_user_namespaces',
  'vm.max_map_count',
  'vm.overcommit_memory',
  'vm.swappiness',
];

/** As `sysctl` prints it, also where there is none. */
const SYSCTL = `for key in ${SYSCTLS.join(' ')}; do
path=/proc/sys/$(printf '%s' "$key" | tr . /)
if [ -r "$path" ]; then printf '%s = %s\\n' "$key" "$(tr '\\t' ' ' <"$path")"; else printf 'sysctl: cannot stat %s: No such file or directory\\n' "$path"; fi
done`;

const LSMOD = `printf 'Module                  Size  Used by\\n'
while read -r name size used by rest; do
case $by in -) by= ;; *) by=\${by%,} ;; esac
printf '%-22s %7s  %s %s\\n' "$name" "$size" "$used" "$by"
done </proc/modules`;

/** Only filesystems with a disk of this host behind them: a hung network mount must not hang the look. */
const DISKS = `set --
while read -r device place type rest; do
case $type in ext2|ext3|ext4|xfs|btrfs|zfs|f2fs|vfat|overlay|erofs|squashfs) ;; *) continue ;; esac
case $place in */pods/*|*/containers/*|*io.containerd*|*/overlay2/*|*/snap/*|*\\\\*) continue ;; esac
[ $# -lt 40 ] && set -- "$@" "$place"
done </proc/1/mounts
[ $# -gt 0 ] || set -- /`;

const KERNEL_PROBES: readonly HostProbe[] = [
  file('lsm', 'apparmor-state', '$file', { each: ['/sys/kernel/security/lsm'] }),
  look('apparmor', 'apparmor-state', 'aa-status', { when: `${has('aa-status')} && [ -d /sys/kernel/security/apparmor ]` }),
  file('apparmor-profiles', 'apparmor-state', '$file', {
    when: `! ${has('aa-status')}`,
    each: ['/sys/kernel/security/apparmor/profiles'],
  }),
  look('selinux', 'apparmor-state', 'getenforce', { when: has('getenforce') }),
  look('modules', 'host-tools', 'lsmod', { runs: LSMOD, when: '[ -r /proc/modules ]' }),
  look('sysctls', 'host-state', `sysctl ${SYSCTLS.join(' ')}`, { runs: SYSCTL }),
  look('mounts', 'host-state', "grep -vE 'overlay|/pods/|/containers/|netns' /proc/1/mounts", {
    runs: "grep -vE 'overlay|/pods/|/containers/|netns' /proc/1/mounts | head -n 300",
  }),
  look('disks', 'host-state', 'df -hP', { runs: `${DISKS}\ndf -hP "$@"` }),
  look('inodes', 'host-state', 'df -iP', { runs: `${DISKS}\ndf -iP "$@"` }),
  file('swap', 'host-state', '/proc/swaps'),
];

const TOOLS =
  'iscsiadm mount.nfs mount.cifs mount.ceph multipath nvme cryptsetup dmsetup lvm mkfs.ext4 mkfs.xfs conntrack socat iptables nft ipset ebtables ethtool nsenter runc crun';

/** Not `command -v`: busybox answers it with its own applets. */
const WHICH = `for tool in ${TOOLS}; do
found=
for folder in $(printf '%s' "$PATH" | tr : ' '); do [ -x "$folder/$tool" ] && found=$folder/$tool && break; done
printf '%s\\n' "\${found:-$tool not found}"
done`;

const PACKAGES =
  'containerd containerd.io runc docker.io docker-ce moby-engine cri-o cri-tools cri-dockerd kubelet kubernetes-cni containernetworking-plugins open-iscsi iscsi-initiator-utils nfs-common nfs-utils cifs-utils multipath-tools device-mapper-multipath cryptsetup apparmor';

const PACKAGE_PROBES: readonly HostProbe[] = [
  look('packages-dpkg', 'host-tools', `dpkg -l ${PACKAGES}`, {
    runs: `dpkg-query -W -f '\${db:Status-Abbrev} \${Package} \${Version} \${Architecture}\\n' ${PACKAGES} 2>/dev/null | grep '^.i'`,
    when: has('dpkg-query'),
  }),
  look('packages-rpm', 'host-tools', `rpm -q ${PACKAGES}`, {
    runs: `rpm -q ${PACKAGES} 2>/dev/null | grep -v 'not installed'`,
    when: `! ${has('dpkg-query')} && ${has('rpm')}`,
    seconds: 10,
  }),
];

function version(program: string, runs = `${program} --version`, when = has(program)): HostProbe {
  return look(`version-${program}`, 'host-versions', `${program} --version`, { runs: `${runs} 2>/dev/null`, when });
}

const SYSTEM_PROBES: readonly HostProbe[] = [
  file('os', 'host-os', '/etc/os-release'),
  look('kernel', 'host-versions', 'uname -a', {
    runs: `printf 'Linux %s %s %s %s GNU/Linux\\n' "$node" "$(uname -r)" "$(uname -v)" "$(uname -m)"`,
  }),
  version('kubelet', '"$kubelet_program" --version', 'command -v "$kubelet_program" >/dev/null 2>&1'),
  version('containerd'),
  version('runc'),
  version('crun'),
  version('docker'),
  version('cri-dockerd'),
  version('crio'),
  version('crictl'),
  look('version-systemd', 'host-versions', 'systemctl --version', { when: has('systemctl') }),
  look('tools', 'host-tools', `which ${TOOLS}`, { runs: WHICH }),
  look('cni-config', 'host-tools', 'ls /etc/cni/net.d'),
  look('cni-plugins', 'host-tools', 'ls $file', { runs: 'ls "$file"', each: ['/opt/cni/bin', '/usr/lib/cni', '/usr/libexec/cni'] }),
  look('clock', 'host-state', 'timedatectl', { runs: 'timedatectl 2>/dev/null', when: has('timedatectl') }),
  look('date', 'host-state', 'date -u'),
  file('uptime', 'host-state', '/proc/uptime'),
  file('load', 'host-state', '/proc/loadavg'),
  look('memory', 'host-state', 'head -n 5 /proc/meminfo'),
  look('ports', 'host-state', "ss -ltn | grep -E ':(2379|6443|10248|10250|10257|10259) '", { when: has('ss') }),
  look('certificates', 'host-state', 'openssl x509 -noout -subject -dates -checkend 0 -in $file', {
    runs: 'openssl x509 -noout -subject -dates -checkend 0 -in "$file"',
    when: has('openssl'),
    each: [
      '"$cert_dir"/kubelet-client-current.pem',
      '"$cert_dir"/kubelet-server-current.pem',
      '"$cert_dir"/kubelet.crt',
      '/etc/kubernetes/pki/*.crt',
      '/etc/kubernetes/pki/etcd/*.crt',
    ],
    builtin: 'certificate',
  }),
];

/** Everything that is looked at on a host, in this order: what fails soonest and says most comes first. */
export const HOST_PROBES: readonly HostProbe[] = [
  ...SYSTEM_PROBES,
  ...PACKAGE_PROBES,
  ...CONFIG_PROBES,
  ...CGROUP_PROBES,
  ...RUNTIME_PROBES,
  ...KERNEL_PROBES,
  ...LOG_PROBES,
];
