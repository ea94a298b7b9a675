import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, type Scope, say, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const HEADER =
  /^Filesystem\s+(?:Type\s+)?(?<unit>Size|Inodes|[\d.]+[KMG]?i?B?-blocks)\s+(?:Used|IUsed)\s+(?:Avail|Available|IFree)\s+(?:I?Use%|Capacity)\s+Mounted on\s*$/i;
const ROW = /\s(?<share>\d{1,3}%|-)\s+(?<path>\/\S{0,400})\s*$/;

function shareOf(text: string): number | undefined {
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : undefined;
}

/** `df`, by blocks or by inodes. */
export const diskReader: BlockReader = {
  what: 'df output',
  read(lines, from, context, sink) {
    const unit = HEADER.exec((lines[from] ?? '').slice(0, 200))?.groups?.['unit'];
    if (unit === undefined || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 800);
      const groups = ROW.exec(line)?.groups;
      // A long name of a device stands on a line of its own.
      if (!groups && !/^\S{20,400}\s*$/.test(line)) break;
      const share = shareOf(groups?.['share'] ?? '');
      if (!groups || share === undefined) continue;
      const path = groups['path'] ?? '';
      const payload = /inodes/i.test(unit) ? { path, inodesUsedShare: share } : { path, usedShare: share };
      sink.fact('host.filesystem', scope.node, payload, cite(scope, end));
    }
    cover(scope, 'host-state', 'excerpt', from, end);
    return end;
  },
};

const MOUNT = /^\S{1,400} (?<path>\/\S{0,400}) (?<type>[\w.-]{2,30}) (?<options>(?:rw|ro)(?:,\S{0,2000})?) \d \d\s*$/;
const HOLDS_STATE = /^\/(?:|etc|var|var\/(?:lib|log|run)(?:\/(?:kubelet|containerd|docker|containers|etcd))?)$/;
const ON_DISK = /^(?:ext[234]|xfs|btrfs|zfs|f2fs)$/;

/** `/proc/mounts`: of the filesystems the kubelet and the runtimes write to, those that are read-only. */
export const mountReader: BlockReader = {
  what: 'mounts',
  read(lines, from, context, sink) {
    if (insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (; end < lines.length; end++) {
      const line = lines[end] ?? '';
      const groups = line.length < 4000 ? MOUNT.exec(line)?.groups : undefined;
      if (!groups) break;
      const { path = '', type = '', options = '' } = groups;
      // How cgroups are mounted tells their version; another reader knows that line.
      if (path === '/sys/fs/cgroup') break;
      if (!HOLDS_STATE.test(path) || !ON_DISK.test(type) || !/^ro(?:,|$)/.test(options)) continue;
      sink.fact('host.filesystem', scope.node, { path, readOnly: true }, cite(scope, end));
    }
    if (end > from) cover(scope, 'host-state', 'excerpt', from, end);
    return end;
  },
};

const SWAPS = /^Filename\s+Type\s+Size\s+Used\s+Priority\s*$/;
const SWAP = /^\/\S{1,200}\s+(?:file|partition)\s+\d/;

function saySwaps(scope: Scope, from: number): number {
  let end = from;
  for (; SWAP.test((scope.lines[end] ?? '').slice(0, 400)); end++) {
    say(scope, 'host-tools', scope.lines[end] ?? '', end, { level: 'info', component: 'swap' });
  }
  return end;
}

/** `/proc/swaps` and `swapon -s`: a header alone says that there is no swap. */
export const swapReader: BlockReader = {
  what: 'swap areas',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 200);
    if (insideContainer(context) || !SWAPS.test(first) || (!commandIs(context, /swap/) && context.command !== undefined)) return from;
    const scope = scopeOf(lines, context, sink);
    const end = saySwaps(scope, from + 1);
    cover(scope, 'host-state', 'excerpt', from, end);
    cover(scope, 'host-tools', 'excerpt', from, end);
    return end;
  },
};
