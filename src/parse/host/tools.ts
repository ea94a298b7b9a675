import type { BlockReader, Context } from '../../model/reading.ts';
import { isRuntimeProfile } from './lsm.ts';
import { cite, cover, insideContainer, say, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

/** Programs that pods, storage drivers or the kubelet need from the host. */
const HOST_TOOLS: ReadonlySet<string> = new Set([
  'iscsiadm',
  'iscsid',
  'mount.nfs',
  'mount.nfs4',
  'mount.cifs',
  'mount.ceph',
  'mount.glusterfs',
  'multipath',
  'multipathd',
  'lvm',
  'lvs',
  'vgs',
  'cryptsetup',
  'dmsetup',
  'mkfs.xfs',
  'mkfs.ext4',
  'conntrack',
  'socat',
  'ipset',
  'iptables',
  'nft',
  'ethtool',
  'ebtables',
  'nsenter',
  'modprobe',
  'runc',
  'crun',
  'containerd',
  'containerd-shim-runc-v2',
  'dockerd',
  'docker',
  'crictl',
  'ctr',
  'crio',
  'kubelet',
  'kubeadm',
  'kubectl',
  'nerdctl',
  'chronyc',
  'jq',
  'curl',
  'tc',
  'ip',
  'rbd',
  'apparmor_parser',
  'aa-status',
  'nvidia-smi',
  'nvidia-container-runtime',
  'nvidia-container-cli',
  'fsck',
  'blkid',
  'findmnt',
  'nvme',
  'zfs',
  'wg',
  'systemctl',
]);
const PATH =
  /^\s{0,40}(?:\S{1,40} is )?(?<path>\/(?:usr\/(?:local\/)?)?(?:s?bin|libexec)\/(?<name>[\w.+-]{1,60})|\/opt\/[\w./-]{1,100}\/(?<other>[\w.+-]{1,60}))\s*$/;
const ABSENT: readonly RegExp[] = [
  /^(?:[\w./]{0,40}which: )?no (?<name>[\w.+-]{1,60}) in \(\/[^)]{0,2000}\)?\s*$/,
  /^-?(?:[\w./-]{1,40}: )(?:line )?(?:\d{1,5}: )?(?<name>[\w.+-]{1,60}): (?:command )?not found\s*$/,
  /^zsh: command not found: (?<name>[\w.+-]{1,60})\s*$/,
  /^Command '(?<name>[\w.+-]{1,60})' not found\b/,
  /^(?:sudo: )?(?<name>[\w.+-]{1,60}): command not found\s*$/,
  /^(?:which: )?(?<name>[\w.+-]{1,60}) not found\s*$/,
];
const ASKED = /\b(?:which|command\s+-[vV]|type|whereis)\s/;

function absentTool(text: string): string | undefined {
  for (const pattern of ABSENT) {
    const name = pattern.exec(text)?.groups?.['name'];
    if (name) return name;
  }
  return undefined;
}

function isHostShell(context: Context): boolean {
  return !insideContainer(context) && (context.channel === undefined || context.channel === 'host-tools');
}

export const toolReader: BlockReader = {
  what: 'tools of the host',
  read(lines, from, context, sink) {
    if (!isHostShell(context)) return from;
    const line = lines[from] ?? '';
    if (line.length > 3000) return from;
    const asked = commandIs(context, ASKED);
    const scope = scopeOf(lines, context, sink);
    const found = PATH.exec(line)?.groups;
    const present = found?.['name'] ?? found?.['other'];
    const absent = present === undefined ? absentTool(line.trim()) : undefined;
    const name = present ?? absent;
    if (name === undefined || (!HOST_TOOLS.has(name) && !(asked && present !== undefined))) return from;
    sink.fact('host.tool', scope.node, { name, present: present !== undefined }, cite(scope, from));
    // Whoever asks for many helpers at once takes stock; that one is not there is no error then.
    const stock = asked && (context.command ?? '').split(/\s+/, 5).length > 4;
    if (absent !== undefined) say(scope, 'host-tools', line, from, { level: stock ? 'info' : 'error' });
    cover(scope, 'host-tools', 'excerpt', from, from + 1);
    return from + 1;
  },
};

/** Kernel modules that storage, networking and the runtime need. */
const MODULES =
  /^(?:iscsi_tcp|libiscsi|nvme_tcp|nvme_fabrics|dm_crypt|dm_multipath|dm_snapshot|dm_thin_pool|br_netfilter|overlay|nf_conntrack|ip_vs(?:_\w+)?|rbd|ceph|nfsv?[34]?|cifs|vxlan|geneve|ipip|wireguard|ip_tables|ip6_tables|iptable_nat|iptable_filter|nf_tables|nft_compat|xt_\w+|ip_set|zfs|drbd|nvidia|vfio_pci|uio_pci_generic|apparmor|fuse|nbd|tun)$/;
const LSMOD_HEADER = /^\s{0,40}Module\s+Size\s+Used by\s*$/;
const LSMOD_ROW = /^\s{0,40}(?<name>[a-z0-9_]{2,60})\s+\d{3,12}\s+-?\d{1,6}(?:\s+[\w,-]{1,2000})?\s*$/;
const MODPROBE = /\bmodprobe: (?:FATAL|ERROR): (?:Module (?<name>[\w-]{1,60}) not found|could not insert '(?<refused>[\w-]{1,60})')/;

export const moduleReader: BlockReader = {
  what: 'kernel modules',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 600);
    const failed = isHostShell(context) ? MODPROBE.exec(first)?.groups : undefined;
    const scope = scopeOf(lines, context, sink);
    if (failed && first.trimStart().startsWith('modprobe:')) {
      sink.fact('host.tool', scope.node, { name: failed['name'] ?? failed['refused'] ?? '', present: false }, cite(scope, from));
      say(scope, 'host-tools', first, from, { level: 'error', component: 'modprobe' });
      return from + 1;
    }
    const headed = LSMOD_HEADER.test(first);
    if (!headed && !(commandIs(context, /\blsmod\b/) && LSMOD_ROW.test(first))) return from;
    let end = headed ? from + 1 : from;
    for (; end < lines.length; end++) {
      const name = LSMOD_ROW.exec((lines[end] ?? '').slice(0, 2100))?.groups?.['name'];
      if (name === undefined) break;
      if (MODULES.test(name)) sink.fact('host.tool', scope.node, { name, present: true }, cite(scope, end));
    }
    cover(scope, 'host-tools', 'excerpt', from, end);
    return end;
  },
};

const AA_LOADED = /^\s{0,40}apparmor module is (?<not>not )?loaded\.\s*$/;
const AA_COUNT = /^\s{0,40}(?<count>\d{1,5}) (?<what>profiles|processes) (?:are |have |in )(?<mode>.{1,80})$/;
const AA_ITEM = /^\s{2,40}(?<name>\S.{0,200})$/;

/** `aa-status`: which profiles are loaded. */
export const apparmorReader: BlockReader = {
  what: 'aa-status',
  read(lines, from, context, sink) {
    const first = lines[from] ?? '';
    const loaded = AA_LOADED.exec(first.slice(0, 200))?.groups;
    if (!loaded && !/^\s{0,40}\d{1,5} profiles are (?:loaded|in \w+ mode)\.?\s*$/.test(first.slice(0, 200))) return from;
    const scope = scopeOf(lines, context, sink);
    if (loaded) {
      const present = loaded['not'] === undefined;
      sink.fact('host.tool', scope.node, { name: 'apparmor', present }, cite(scope, from));
      sink.fact('host.lsm', scope.node, { module: 'apparmor', state: present ? 'enabled' : 'disabled' }, cite(scope, from));
    }
    let listing = false;
    let end = loaded ? from + 1 : from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 300);
      const count = AA_COUNT.exec(line)?.groups;
      const item = AA_ITEM.exec(line)?.groups?.['name']?.trim();
      // A profile counts as loaded in whatever mode it is listed.
      if (count) listing = count['what'] === 'profiles' && /\bmode\b/.test(count['mode'] ?? '');
      else if (item === undefined) break;
      if (count || item === undefined || !listing || !isRuntimeProfile(item)) continue;
      sink.fact('host.tool', scope.node, { name: `apparmor profile ${item}`, present: true }, cite(scope, end));
    }
    cover(scope, 'apparmor-state', loaded ? 'whole' : 'excerpt', from, end);
    return end;
  },
};
