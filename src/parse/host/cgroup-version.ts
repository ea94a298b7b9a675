import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, type Scope, scopeOf } from './scope.ts';
import { commandIs, isBlank } from './text.ts';

const STAT = /\bstat\s.{0,60}\/sys\/fs\/cgroup\/?(?:\s|$)/;
const MOUNT = /^\s{0,40}(?:\S{1,40}\s+on\s+\/sys\/fs\/cgroup\s+type\s+|\/sys\/fs\/cgroup\s+\S{1,20}\s+)(?<type>cgroup2|tmpfs)\b/;
const MOUNTS_FILE = /^\s{0,40}(?:cgroup2?|tmpfs|none)\s+\/sys\/fs\/cgroup\s+(?<type>cgroup2|tmpfs)\s/;
const CONTROLLERS = new Set(['cpuset', 'cpu', 'io', 'memory', 'hugetlb', 'pids', 'rdma', 'misc', 'dmem']);

function tell(scope: Scope, version: 1 | 2, line: number): void {
  scope.sink.fact('host.cgroup-version', scope.node, { version }, cite(scope, line));
  cover(scope, 'cgroup-version', 'whole', line, line + 1);
}

/** `cgroup.controllers` exists with content on cgroup v2 only. */
function isControllerList(line: string): boolean {
  if (!/^\s{0,40}(?:cpu|io|memory|hugetlb|pids)/.test(line)) return false;
  const words = line.trim().split(' ');
  return words.length >= 3 && words.length <= CONTROLLERS.size && words.every((word) => CONTROLLERS.has(word));
}

export const cgroupVersionReader: BlockReader = {
  what: 'cgroup version',
  read(lines, from, context, sink) {
    const line = lines[from] ?? '';
    if (line.length > 500) return from;
    const text = line.trim();
    const scope = scopeOf(lines, context, sink);
    const type = MOUNT.exec(line)?.groups?.['type'] ?? MOUNTS_FILE.exec(line)?.groups?.['type'];
    if (text === 'cgroup2fs' || type === 'cgroup2' || isControllerList(line)) tell(scope, 2, from);
    else if (type === 'tmpfs' || (text === 'tmpfs' && commandIs(context, STAT))) tell(scope, 1, from);
    else return from;
    return from + 1;
  },
};

const TABLE = /^#subsys_name\s+hierarchy\s+num_cgroups\s+enabled\s*$/;
const ROW = /^(?<name>[a-z_]{2,20})\s+\d{1,5}\s+\d{1,9}\s+(?<enabled>[01])\s*$/;

/** `/proc/cgroups`: a controller that is switched off cannot be given to pods. */
export const procCgroupsReader: BlockReader = {
  what: '/proc/cgroups',
  read(lines, from, context, sink) {
    if (!TABLE.test((lines[from] ?? '').slice(0, 200).trim())) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from + 1;
    for (; end < lines.length && !isBlank(lines[end] ?? ''); end++) {
      const groups = ROW.exec((lines[end] ?? '').slice(0, 200).trim())?.groups;
      if (!groups) break;
      sink.fact(
        'host.tool',
        scope.node,
        { name: `cgroup controller ${groups['name']}`, present: groups['enabled'] === '1' },
        cite(scope, end),
      );
    }
    return end;
  },
};
