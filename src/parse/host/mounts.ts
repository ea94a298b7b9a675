import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { MOST_TOLD, takeLines } from './output.ts';
import { cite, cover, insideContainer, type Scope, scopeOf } from './scope.ts';

type Mount = FactKinds['host.mount'];

const TABLE_ROW = /^(?<source>\S{1,400}) (?<path>\/\S{0,400}) (?<type>[\w.-]{2,30}) (?<options>(?:rw|ro)(?:,\S{0,2000})?) \d \d\s*$/;
const COMMAND_ROW = /^(?<source>\S{1,400}) on (?<path>\/\S{0,400}) type (?<type>[\w.-]{2,30}) \((?<options>(?:rw|ro)(?:,[^)]{0,2000})?)\)/;
const HOLDS_STATE = /^\/(?:|etc|var|var\/(?:lib|log|run)(?:\/(?:kubelet|containerd|docker|containers|etcd|rancher|longhorn))?)$/;
const ON_DISK = /^(?:ext[234]|xfs|btrfs|zfs|f2fs)$/;
const REMOTE = /^(?:nfs4?|cifs|smb3|ceph|glusterfs|fuse\.[\w.-]+|9p|gpfs|lustre|vboxsf)$/;
const OF_VOLUMES = /\/kubelet\/(?:pods\/[^/]{1,40}\/volumes\/|plugins\/)|^\/(?:mnt|data|srv|export)\b/;

function isTold({ path, type = '' }: Mount): boolean {
  if (HOLDS_STATE.test(path)) return type !== 'rootfs';
  return REMOTE.test(type) || (ON_DISK.test(type) && OF_VOLUMES.test(path));
}

/** Mounts worth telling: of the folders that hold state, of network storage, of volumes. */
function tellMount(scope: Scope, mount: Mount, line: number, count: { told: number }): void {
  const { path, type = '', options = '' } = mount;
  const readOnly = /^ro(?:,|$)/.test(options);
  if (readOnly && HOLDS_STATE.test(path) && ON_DISK.test(type)) {
    scope.sink.fact('host.filesystem', scope.node, { path, readOnly: true }, cite(scope, line));
  }
  if ((!isTold(mount) && mount.propagation === undefined) || count.told++ >= MOST_TOLD) return;
  scope.sink.fact('host.mount', scope.node, mount, cite(scope, line));
}

function mountAt(line: string): Mount | undefined {
  const groups = line.length < 4000 ? (TABLE_ROW.exec(line)?.groups ?? COMMAND_ROW.exec(line)?.groups) : undefined;
  if (!groups) return undefined;
  const { path = '', source = '', type = '', options = '' } = groups;
  return { path, source, type, options: options.slice(0, 500) };
}

/** `/proc/mounts` and `mount`. */
export const mountReader: BlockReader = {
  what: 'mounts',
  read(lines, from, context, sink) {
    if (insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    const count = { told: 0 };
    let end = from;
    for (; end < lines.length; end++) {
      const mount = mountAt(lines[end] ?? '');
      // How cgroups are mounted tells their version; another reader knows that line.
      if (!mount || mount.path === '/sys/fs/cgroup') break;
      tellMount(scope, mount, end, count);
    }
    if (end > from) cover(scope, 'host-state', 'excerpt', from, end);
    return end > from ? takeLines(scope, from, end) : from;
  },
};

const COLUMNS =
  /^(?:TARGET|SOURCE|FSTYPE|OPTIONS|PROPAGATION|VFS-OPTIONS)(?:\s+(?:TARGET|SOURCE|FSTYPE|OPTIONS|PROPAGATION|VFS-OPTIONS|LABEL|UUID|SIZE|USED|AVAIL|USE%)){1,9}\s*$/;
const PROPAGATION = /^(?:shared|private|slave|unbindable)(?:,(?:shared|private|slave|unbindable))?$/;

/** Cells are separated by blanks; the branches of the tree stand before the first. */
function cellsOf(line: string): string[] {
  return line
    .replace(/^[\s│├└─|`-]{0,80}(?=[/\w])/, '')
    .trim()
    .split(/\s+/, 12);
}

function rowOf(names: readonly string[], line: string): Mount | undefined {
  const cells = cellsOf(line);
  const at = (name: string) => (names.includes(name) ? cells[names.indexOf(name)] : undefined);
  const path = at('TARGET');
  if (path === undefined || !path.startsWith('/') || cells.length !== names.length) return undefined;
  const [source, type, options, propagation] = [at('SOURCE'), at('FSTYPE'), at('OPTIONS') ?? at('VFS-OPTIONS'), at('PROPAGATION')];
  return {
    path,
    ...(source !== undefined ? { source } : {}),
    ...(type !== undefined ? { type } : {}),
    ...(options !== undefined ? { options: options.slice(0, 500) } : {}),
    ...(propagation !== undefined && PROPAGATION.test(propagation) ? { propagation } : {}),
  };
}

/** `findmnt`, with the columns it was asked for. */
export const findmntReader: BlockReader = {
  what: 'findmnt',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 300);
    if (insideContainer(context) || !COLUMNS.test(first) || !first.includes('TARGET')) return from;
    const scope = scopeOf(lines, context, sink);
    const names = first.trim().split(/\s+/);
    const count = { told: 0 };
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 3000);
      if (!/^[\s│├└─|`-]{0,80}\//.test(line)) break;
      const mount = rowOf(names, line);
      if (mount) tellMount(scope, mount, end, count);
    }
    return takeLines(scope, from, end);
  },
};
