import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const ASKED = /\bsysctl\b/;
const PAIR = /^(?<key>(?:net|fs|kernel|vm|user)\.[\w./-]{2,100}) ?= ?(?<value>.{0,300})$/;
const FILE = /\/proc\/sys\/(?<path>(?:net|fs|kernel|vm|user)\/[\w./-]{2,100})/g;
const ABSENT =
  /^sysctl: (?:cannot stat |error: ')\/?(?:proc\/sys\/)?(?<path>[\w./-]{3,140})'?(?:: No such file or directory| is an unknown key)/;
/** `sysctl -a` prints a thousand; these are the ones pods, the kubelet or the network depend on. */
const TOLD =
  /^(?:net\.ipv[46]\.(?:ip_forward|conf\.all\.(?:forwarding|rp_filter)|neigh\.default\.gc_thresh\d|ip_local_port_range)|net\.bridge\.bridge-nf-call-\w+|net\.netfilter\.nf_conntrack_(?:max|count)|net\.core\.somaxconn|fs\.(?:inotify\.max_\w+|file-max|file-nr|nr_open|may_detach_mounts)|kernel\.(?:pid_max|threads-max|panic|panic_on_oops|keys\.(?:root_)?max\w+|apparmor_restrict_\w+)|user\.max_\w+_namespaces|vm\.(?:max_map_count|overcommit_memory|swappiness|panic_on_oom))$/;

const FEW_LINES = 4;

/** `sysctl`: `key = value`, and keys the kernel does not have because their module is not loaded. */
export const sysctlReader: BlockReader = {
  what: 'sysctl',
  read(lines, from, context, sink) {
    if (insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 500).trim();
      const pair = PAIR.exec(line)?.groups;
      const absent = pair ? undefined : ABSENT.exec(line)?.groups?.['path']?.replaceAll('/', '.');
      if (!pair && absent === undefined) break;
      const key = pair?.['key'] ?? absent ?? '';
      if (!TOLD.test(key)) continue;
      const value = pair?.['value']?.trim().replace(/\s+/g, ' ');
      sink.fact('host.sysctl', scope.node, { key, ...(value !== undefined ? { value } : {}) }, cite(scope, end));
    }
    // A lone `key = value` may stand in anybody's text.
    if (end === from || (end - from < 2 && !commandIs(context, ASKED) && !/^sysctl:/.test(lines[from] ?? ''))) return from;
    cover(scope, 'host-state', 'excerpt', from, end);
    return end;
  },
};

/** `cat /proc/sys/net/ipv4/ip_forward`: values only, in the order of the files. */
export const sysctlFileReader: BlockReader = {
  what: 'sysctl files',
  read(lines, from, context, sink) {
    const command = (context.command ?? '').slice(0, 1000);
    if (insideContainer(context) || !/^(?:sudo )?(?:cat|more|head|tail|less)\s/.test(command) || !command.includes('/proc/sys/'))
      return from;
    const keys = [...command.matchAll(FILE)].map((match) => (match.groups?.['path'] ?? '').replaceAll('/', '.'));
    const scope = scopeOf(lines, context, sink);
    // What stands after other output belongs to a file nobody can tell.
    if (from > FEW_LINES || lines.slice(0, from).some((line) => line.trim() !== '')) return from;
    let end = from;
    for (const key of keys) {
      const value = (lines[end] ?? '').slice(0, 200).trim();
      if (!/^-?\d[\d\s]{0,100}$/.test(value)) break;
      if (TOLD.test(key)) sink.fact('host.sysctl', scope.node, { key, value: value.replace(/\s+/g, ' ') }, cite(scope, end));
      end++;
    }
    if (end > from) cover(scope, 'host-state', 'excerpt', from, end);
    return end;
  },
};
