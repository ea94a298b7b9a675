import { containerId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, type Scope, scopeOf } from './scope.ts';

type Shape = FactKinds['container.cgroup-path']['shape'];

interface CgroupPath {
  readonly path: string;
  readonly shape: Shape;
  readonly container: string;
  readonly podUid: string;
}

const UID = '[0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32}';
const POD = new RegExp(`(?:^|[/-])pod(?<uid>${UID})(?<rest>[./:]\\S{0,300})`);
const COLON = /^\.slice:[\w-]{1,40}:(?<id>[0-9a-f]{12,64})\b/;
const SCOPE = /^\.slice\/(?:cri-containerd|crio|docker|libpod)-(?<id>[0-9a-f]{12,64})\.scope/;
const PLAIN = /^\/(?:crio-)?(?<id>[0-9a-f]{12,64})(?:\/|$)/;
const SHAPES: readonly (readonly [Shape, RegExp])[] = [
  ['colon', COLON],
  ['scope', SCOPE],
  ['cgroupfs', PLAIN],
];

/** Reads where a container sits in the cgroup tree, and by which driver it was put there. */
export function parseCgroupPath(text: string): CgroupPath | undefined {
  if (!text.includes('kubepods')) return undefined;
  const groups = POD.exec(text)?.groups;
  if (!groups) return undefined;
  const rest = groups['rest'] ?? '';
  for (const [shape, pattern] of SHAPES) {
    const container = pattern.exec(rest)?.groups?.['id'];
    if (container) return { path: text, shape, container, podUid: (groups['uid'] ?? '').replaceAll('_', '-') };
  }
  return undefined;
}

function tellCgroupPath(scope: Scope, { path, shape, container, podUid }: CgroupPath, line: number, version?: 1 | 2): void {
  const about = `cid:${container}`;
  scope.sink.edge({ type: 'alias', alias: about, entity: containerId(`uid:${podUid}`, '?') });
  scope.sink.edge({ type: 'runs-on', pod: `uid:${podUid}`, node: scope.node });
  scope.sink.fact(
    'container.cgroup-path',
    about,
    { path, shape, ...(version !== undefined ? { cgroupVersion: version } : {}) },
    cite(scope, line),
  );
}

const PROC = /^\s{0,40}(?:\/proc\/\w{1,10}\/cgroup:)?(?<hierarchy>\d{1,3}):(?<controllers>[\w,=-]{0,80}):(?<path>\/\S{0,600})\s*$/;

interface ProcLine {
  readonly unified: boolean;
  readonly controllers: string;
  readonly path: string;
}

function procLine(line: string | undefined): ProcLine | undefined {
  const groups = line !== undefined && line.length < 1000 ? PROC.exec(line)?.groups : undefined;
  if (!groups) return undefined;
  const controllers = groups['controllers'] ?? '';
  const unified = groups['hierarchy'] === '0' && controllers === '';
  return unified || controllers !== '' ? { unified, controllers, path: groups['path'] ?? '' } : undefined;
}

export const procCgroupReader: BlockReader = {
  what: '/proc/PID/cgroup',
  read(lines, from, context, sink) {
    const rows: ProcLine[] = [];
    for (let row = procLine(lines[from]); row; row = procLine(lines[from + rows.length])) rows.push(row);
    if (rows.length === 0) return from;
    const scope = scopeOf(lines, context, sink);
    const legacy = rows.findIndex(({ controllers }) => /\b(?:memory|cpu|pids|devices)\b/.test(controllers));
    const version = legacy >= 0 ? 1 : rows.every(({ unified }) => unified) ? 2 : undefined;
    if (version !== undefined) {
      sink.fact('host.cgroup-version', scope.node, { version }, cite(scope, from + Math.max(legacy, 0)));
      cover(scope, 'cgroup-version', 'whole', from, from + rows.length);
    }
    const told = new Set<string>();
    for (const [index, row] of rows.entries()) {
      const found = parseCgroupPath(row.path);
      if (!found || told.has(`${found.container} ${found.shape}`)) continue;
      told.add(`${found.container} ${found.shape}`);
      tellCgroupPath(scope, found, from + index, version);
    }
    if (told.size > 0) cover(scope, 'cgroup-paths', 'excerpt', from, from + rows.length);
    return from + rows.length;
  },
};

const LISTED = /^\s{0,40}(?<path>(?:\.{0,2}\/)?(?:[\w.@\\:-]{1,200}\/){0,20}[\w.@\\:-]{1,200})\/?\s*$/;
const TREE = /^(?<branch>[\s│├└─|`+-]{0,120})(?<name>[\w.@\\:-]{3,300})(?:\s(?:…|\.{3}|\(#\d+\)))?\s*$/;

/** A path of `find /sys/fs/cgroup`; only pods' are taken, and the first that holds each container. */
export const cgroupFindReader: BlockReader = {
  what: 'cgroup directories',
  read(lines, from, context, sink) {
    const scope = scopeOf(lines, context, sink);
    const told = new Set<string>();
    let index = from;
    for (; index < lines.length; index++) {
      const line = lines[index] ?? '';
      if (line.length > 1000 || !line.includes('kubepods')) break;
      const path = LISTED.exec(line)?.groups?.['path'];
      if (path === undefined || (!path.includes('/') && !COLON_NAME.test(path))) break;
      const found = parseCgroupPath(path);
      if (!found || told.has(found.container)) continue;
      told.add(found.container);
      tellCgroupPath(scope, found, index);
    }
    if (told.size > 0) cover(scope, 'cgroup-paths', 'excerpt', from, index);
    return index;
  },
};

const COLON_NAME = /\.slice:[\w-]{1,40}:[0-9a-f]{12,64}$/;

const BRANCH = /^\s{0,40}(?:[├└│]|[|`]-)/;
const LEAF = /(?:\.scope|:[0-9a-f]{12,64}|^(?:crio-)?[0-9a-f]{64})$/;

interface Branch {
  readonly depth: number;
  readonly name: string;
}

/** `systemd-cgls`: the path of a leaf is put together from the branches above it. */
export const cgroupTreeReader: BlockReader = {
  what: 'systemd-cgls',
  read(lines, from, context, sink) {
    if (!BRANCH.test(lines[from] ?? '') || !(lines[from] ?? '').slice(0, 600).includes('kubepods') || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    const above: Branch[] = [];
    let told = 0;
    let end = from;
    for (; end < lines.length; end++) {
      const line = lines[end] ?? '';
      if (line.length > 2000 || !/^[\s│├└─|`+-]{1,120}\S/.test(line)) break;
      const groups = TREE.exec(line)?.groups;
      if (!groups || /^\d+$/.test(groups['name'] ?? '')) continue;
      const depth = (groups['branch'] ?? '').length;
      while ((above.at(-1)?.depth ?? -1) >= depth) above.pop();
      above.push({ depth, name: groups['name'] ?? '' });
      if (!LEAF.test(groups['name'] ?? '')) continue;
      const found = parseCgroupPath(`/${above.map(({ name }) => name).join('/')}`);
      if (!found) continue;
      tellCgroupPath(scope, found, end);
      told++;
    }
    if (told > 0) cover(scope, 'cgroup-paths', 'excerpt', from, end);
    return end;
  },
};
