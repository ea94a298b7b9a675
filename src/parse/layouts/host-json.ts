import { THIS_NODE } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from '../objects/json-value.ts';

const FILE =
  /(?:^|\/)host-collectors\/(?:remote\/)?(?:[\w.-]{1,253}\/)?(?<folder>system|tcpPortStatus|connect|diskUsage)\/(?:[\w.-]{1,253}\/)?(?<name>[\w.-]{1,100})\.json$/;
const LARGEST = 4 << 20;
const MOST = 400;

interface Told {
  readonly node: string;
  readonly sink: ReadingSink;
  readonly cited: ReturnType<typeof citeLines>;
}

type Teller = (value: unknown, told: Told) => void;

/** Names of troubleshoot's files on a host, and what stands in them. */
const TELLERS: Readonly<Record<string, Teller>> = {
  memory: (value, { node, sink, cited }) => {
    const total = numberOf(recordOf(value)['total']);
    if (total !== undefined) sink.fact('host.memory', node, { totalBytes: total }, cited);
  },
  time: (value, { node, sink, cited }) => {
    const synchronized = recordOf(value)['ntp_synchronized'];
    if (typeof synchronized === 'boolean') sink.fact('host.clock', node, { synchronized }, cited);
  },
  hostos_info: (value, { node, sink, cited }) => {
    const { platform, platformVersion, kernelVersion } = recordOf(value);
    const [id, version, kernel] = [textOf(platform), textOf(platformVersion), textOf(kernelVersion)];
    if (id !== undefined)
      sink.fact('host.os', node, { id, name: `${id} ${version ?? ''}`.trim(), ...(version ? { versionId: version } : {}) }, cited);
    if (kernel !== undefined) sink.fact('host.version', node, { component: 'kernel', version: kernel }, cited);
  },
  kernel_modules: (value, { node, sink, cited }) => {
    for (const [name, module] of Object.entries(recordOf(value)).slice(0, 20_000)) {
      if (!MODULES.test(name)) continue;
      const status = textOf(recordOf(module)['status']);
      if (status !== undefined) sink.fact('host.tool', node, { name, present: status === 'loaded' || status === 'builtin' }, cited);
    }
  },
  sysctl: (value, { node, sink, cited }) => {
    for (const [key, setting] of Object.entries(recordOf(value)).slice(0, 20_000)) {
      if (SYSCTLS.test(key) && typeof setting === 'string')
        sink.fact('host.sysctl', node, { key, value: setting.trim().replace(/\s+/g, ' ') }, cited);
    }
  },
  systemctl_services: (value, { node, sink, cited }) => {
    for (const entry of listOf(value).slice(0, 5000)) tellService(recordOf(entry), { node, sink, cited });
  },
  block_devices: (value, { node, sink, cited }) => {
    for (const entry of listOf(value).slice(0, MOST)) tellDevice(recordOf(entry), { node, sink, cited });
  },
};

const MODULES =
  /^(?:br_netfilter|overlay|nf_conntrack|ip_vs\w{0,10}|iscsi_tcp|dm_crypt|dm_snapshot|dm_thin_pool|nfsv?[34]?|vxlan|ipip|wireguard|rbd|ceph|nvme_tcp)$/;
const SYSCTLS =
  /^(?:net\.ipv[46]\.(?:ip_forward|conf\.all\.(?:forwarding|rp_filter))|net\.bridge\.bridge-nf-call-\w+|net\.netfilter\.nf_conntrack_max|fs\.(?:inotify\.max_\w+|file-max)|kernel\.pid_max|vm\.(?:max_map_count|overcommit_memory))$/;
const UNITS = /^(?:kubelet|containerd|docker|crio|k3s|rke2|iscsid|multipathd|firewalld|ufw|chronyd|etcd|NetworkManager)/;

function tellService(entry: JsonRecord, { node, sink, cited }: Told): void {
  const [unit, active, sub] = [textOf(entry['Unit']), textOf(entry['Active']), textOf(entry['Sub'])];
  if (unit === undefined || active === undefined || (active !== 'failed' && !UNITS.test(unit))) return;
  sink.fact('unit.state', node, { unit: unit.replace(/\.service$/, ''), active, ...(sub ? { sub } : {}) }, cited);
}

function tellDevice(entry: JsonRecord, { node, sink, cited }: Told): void {
  const [name, type, filesystem] = [textOf(entry['name']), textOf(entry['type']), textOf(entry['filesystem_type'])];
  const [mounted, under] = [textOf(entry['mountpoint']), textOf(entry['parent_kernel_name'])];
  if (name === undefined || type === undefined) return;
  const more = { ...(filesystem ? { filesystem } : {}), ...(mounted ? { mountedAt: mounted } : {}), ...(under ? { under } : {}) };
  sink.fact('host.block-device', node, { name, type, ...more }, cited);
}

function parsed(lines: readonly string[], from: number): unknown {
  const text = lines.slice(from).join('\n');
  if (text.length > LARGEST) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STATUSES: Readonly<Record<string, 'ok' | 'refused' | 'timed-out' | 'failed'>> = {
  connected: 'ok',
  'connection-refused': 'refused',
  'connection-timeout': 'timed-out',
  error: 'failed',
};

/** Whether a port could be reached; the file's name is all there is to say which. */
function tellPort(name: string, value: unknown, { node, sink, cited }: Told): void {
  const result = STATUSES[textOf(recordOf(value)['status']) ?? ''];
  if (result !== undefined) sink.fact('net.attempt', node, { tool: 'tcp', target: name, result }, cited);
}

function tell(context: Context, groups: Readonly<Record<string, string | undefined>>, value: unknown, told: Told): void {
  const { folder = '', name = '' } = groups;
  if (folder === 'tcpPortStatus' || folder === 'connect') tellPort(name, value, told);
  else if (folder === 'system' && Object.hasOwn(TELLERS, name)) TELLERS[name]?.(value, told);
  told.sink.cover({ channel: 'host-state', about: told.node, extent: 'excerpt', doc: context.doc });
}

/** What troubleshoot's host collectors write, by the names of their files. */
export const hostJsonReader: BlockReader = {
  what: 'host collectors',
  read(lines, from, context, sink) {
    const groups = from === 0 ? FILE.exec(context.doc.slice(-2000))?.groups : undefined;
    if (!groups || !/^\s*[[{]/.test(lines[0] ?? '')) return from;
    const value = parsed(lines, from);
    if (!isRecord(value) && !Array.isArray(value)) return from;
    tell(context, groups, value, { node: context.node ?? THIS_NODE, sink, cited: citeLines(context.doc, lines, from) });
    return lines.length;
  },
};
