import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { MOST_TOLD, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, scopeOf } from './scope.ts';

type Device = FactKinds['host.block-device'];

const LSBLK = /^NAME\s+MAJ:MIN\s+RM\s+SIZE\s+RO\s+TYPE\s+MOUNTPOINTS?\s*$/;
const FILESYSTEMS = /^NAME\s+FSTYPE\s+(?:FSVER\s+)?LABEL\s+UUID\s+(?:FSAVAIL\s+FSUSE%\s+)?MOUNTPOINTS?\s*$/;
const TREE = '^(?<tree>[\\s│├└─|`-]{0,40})(?<name>[\\w.:-]{1,120})';
const ROW = new RegExp(
  `${TREE}(?: \\(dm-\\d{1,5}\\))?\\s+\\d{1,4}:\\d{1,6}\\s+[01]\\s+[\\d.]{1,10}[BKMGTP]?\\s+[01]\\s+(?<type>[a-z][a-z0-9]{1,12})(?:\\s+(?<mounted>\\S{1,400}))?\\s*$`,
);
const FILESYSTEM_ROW = new RegExp(`${TREE}(?:\\s+(?<filesystem>[a-zA-Z][\\w.-]{1,20})(?:\\s+(?<rest>\\S.{0,400}))?)?\\s*$`);
/** One device may be mounted more than once; the further ones stand below. */
const MORE_MOUNTS = /^[\s│|]{10,80}(?:\/\S{0,400}|\[SWAP\])\s*$/;
const SIZE_ONLY = /^(?:loop|ram)\d/;

interface Branch {
  readonly depth: number;
  readonly name: string;
}

function depthOf(tree: string): number {
  return tree.length;
}

function deviceOf(groups: Readonly<Record<string, string | undefined>>, listed: boolean, branches: Branch[]): Device {
  const { tree = '', name = '' } = groups;
  const depth = depthOf(tree);
  while ((branches.at(-1)?.depth ?? -1) >= depth) branches.pop();
  const under = branches.at(-1)?.name;
  branches.push({ depth, name });
  const mounted = listed ? groups['mounted'] : /(?:^|\s)(?<path>\/\S{0,400}|\[SWAP\])$/.exec(groups['rest'] ?? '')?.groups?.['path'];
  return {
    name,
    type: listed ? (groups['type'] ?? '') : 'unknown',
    ...(groups['filesystem'] ? { filesystem: groups['filesystem'] } : {}),
    ...(mounted ? { mountedAt: mounted } : {}),
    ...(under !== undefined ? { under } : {}),
  };
}

function readDevices(scope: Scope, from: number, listed: boolean): number {
  const branches: Branch[] = [];
  let told = 0;
  let end = from;
  for (; end < scope.lines.length; end++) {
    const line = (scope.lines[end] ?? '').slice(0, 800);
    const groups = (listed ? ROW : FILESYSTEM_ROW).exec(line)?.groups;
    if (!groups && !MORE_MOUNTS.test(line)) break;
    if (!groups || SIZE_ONLY.test(groups['name'] ?? '') || told++ >= MOST_TOLD) continue;
    scope.sink.fact('host.block-device', scope.node, deviceOf(groups, listed, branches), cite(scope, end));
  }
  return end;
}

/** `lsblk` and `lsblk -f`. */
export const blockDeviceReader: BlockReader = {
  what: 'lsblk',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 300);
    const listed = LSBLK.test(first);
    if (insideContainer(context) || (!listed && !FILESYSTEMS.test(first))) return from;
    const scope = scopeOf(lines, context, sink);
    return takeLines(scope, from, readDevices(scope, from + 1, listed));
  },
};

const MAP =
  /^(?:(?:reload|create|undef|rename|switchpg|resize): )?(?<map>[\w.:-]{1,120})(?: \((?<wwid>[\w.:-]{1,120})\))? (?:undef|dm-\d{1,5}) (?<vendor>[\w.-]{1,20})?\s{0,16},(?<product>\S.{0,40})?$/;
const SIZE = /^size=\S{1,20} features='.{0,100}' hwhandler='.{0,60}'(?: wp=\w{2,5})?/;
const GROUP = /^[|`]-\+- policy='/;
const PATH =
  /^[| ][ |]{0,3}[|`]-(?:\+-)? (?:\S{1,30} )?(?<device>\S{1,20}) {1,8}\d{1,4}:\d{1,6} {1,8}(?<dm>active|failed|undef) (?<path>ready|faulty|shaky|ghost|undef|i\/o \w{2,10}) /;

/** `multipath -ll`: each map with its paths. */
export const multipathReader: BlockReader = {
  what: 'multipath maps',
  read(lines, from, context, sink) {
    const groups = MAP.exec((lines[from] ?? '').slice(0, 400).trimEnd())?.groups;
    if (!groups || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let paths = 0;
    let failed = 0;
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 400);
      const path = PATH.exec(line)?.groups;
      if (!path && !SIZE.test(line) && !GROUP.test(line)) break;
      if (path) paths++;
      if (path?.['dm'] === 'failed' || path?.['path'] === 'faulty') failed++;
    }
    const { map = '', vendor, product } = groups;
    const named = { ...(vendor ? { vendor } : {}), ...(product ? { product: product.trim() } : {}) };
    sink.fact('host.multipath', scope.node, { map, ...named, paths, failed }, cite(scope, from));
    return takeLines(scope, from, end);
  },
};
