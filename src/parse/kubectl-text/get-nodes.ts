import { CLUSTER, nodeId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { AGE, parseDuration } from './ages.ts';
import { splitName } from './kinds.ts';
import { isName, viewFrom } from './lines.ts';
import { scopeOf } from './scope.ts';
import { type Cells, cutRow, fitsAge, readRows } from './table.ts';
import { hasColumns, parseHeader } from './table-header.ts';
import { someText } from './values.ts';

const STATUS = /^(?:Ready|NotReady|Unknown)(?:,SchedulingDisabled)?$/;
const VERSION = /^v?\d{1,3}\.\d{1,3}[\w.+-]{0,60}$/;

const BARE_ROW = new RegExp(
  String.raw`^\s*(?<name>[A-Za-z0-9][\w./-]{0,253})\s+(?<status>(?:Ready|NotReady|Unknown)(?:,SchedulingDisabled)?)\s+(?<roles>[^\s/]{1,120})\s+` +
    String.raw`(?<age>${AGE})\s+(?<version>v\d{1,3}\.\d{1,3}\.\S{1,60})(?:\s+(?<wide>.*))?$`,
);

/** The image of the system may hold blanks; what stands around it does not. */
function wideCells(text: string): readonly (readonly [string, string])[] {
  const words = text.trim().split(/\s+/);
  const runtime = words.at(-1) ?? '';
  if (words.length < 5 || !/^[a-z][\w.-]{0,30}:\/\//.test(runtime)) return [];
  return [
    ['OS-IMAGE', words.slice(2, -2).join(' ')],
    ['KERNEL-VERSION', words.at(-2) ?? ''],
    ['CONTAINER-RUNTIME', runtime],
  ];
}

function fitsNode(cells: Cells): boolean {
  const { name } = splitName(cells.get('NAME') ?? '');
  const version = someText(cells.get('VERSION'));
  return isName(name) && STATUS.test(cells.get('STATUS') ?? '') && (version === undefined || VERSION.test(version)) && fitsAge(cells);
}

function cutBareRow(line: string): Cells | undefined {
  const groups = BARE_ROW.exec(line)?.groups;
  if (!groups) return undefined;
  return new Map([
    ['NAME', groups['name'] ?? ''],
    ['STATUS', groups['status'] ?? ''],
    ['ROLES', groups['roles'] ?? ''],
    ['AGE', groups['age'] ?? ''],
    ['VERSION', groups['version'] ?? ''],
    ...wideCells(groups['wide'] ?? ''),
  ]);
}

/** Splits `cri-o://1.28.1` into the runtime as the model names it and its version. */
export function runtimeOf(text: string | undefined): Pick<FactKinds['node.info'], 'runtime' | 'runtimeVersion'> {
  const [name = '', version = ''] = (text ?? '').split('://', 2);
  if (name === '' || version === '') return {};
  return { runtime: name === 'cri-o' ? 'crio' : name, ...(/^\d|^v\d/.test(version) ? { runtimeVersion: version } : {}) };
}

function infoOf(cells: Cells): FactKinds['node.info'] {
  const kubeletVersion = someText(cells.get('VERSION'));
  const osImage = someText(cells.get('OS-IMAGE'));
  const kernel = someText(cells.get('KERNEL-VERSION'));
  return {
    ...(kubeletVersion !== undefined ? { kubeletVersion } : {}),
    ...(osImage !== undefined ? { osImage } : {}),
    ...(kernel !== undefined ? { kernel } : {}),
    ...runtimeOf(someText(cells.get('CONTAINER-RUNTIME'))),
  };
}

function statusOf(cells: Cells): FactKinds['node.status'] {
  const roles = someText(cells.get('ROLES'));
  const ageSeconds = parseDuration(cells.get('AGE') ?? '');
  return {
    status: cells.get('STATUS') ?? '',
    ...(roles !== undefined ? { roles } : {}),
    ...(ageSeconds !== undefined ? { ageSeconds } : {}),
  };
}

function readNodes(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const first = view.at(from);
  const header = parseHeader(first);
  if (!header && !/\s(?:Not)?Ready|\sUnknown/.test(first)) return from;
  if (header && !hasColumns(header, 'NAME', 'STATUS', 'VERSION')) return from;
  const cut = (line: string) => (header ? cutRow(header, line, fitsNode) : cutBareRow(line));
  const { rows, next, elided } = readRows(view, header ? from + 1 : from, cut);
  if (rows.length === 0) return from;
  const nodes = rows.map((row) => nodeId(splitName(row.cells.get('NAME') ?? '').name));
  for (const [index, { line, cells }] of rows.entries()) {
    const node = nodes[index] ?? '';
    const cited = citeLines(context.doc, lines, line);
    sink.fact('node.status', node, statusOf(cells), cited);
    const info = infoOf(cells);
    if (Object.keys(info).length > 0) sink.fact('node.info', node, info, cited);
    sink.said({ channel: 'node-status', about: node, text: (lines[line] ?? '').trim(), cited, level: 'info', component: 'kubectl' });
  }
  // A table shows neither conditions nor taints.
  const place = { channel: 'node-status', extent: 'excerpt', doc: context.doc, lines: [from + 1, next] } as const;
  const all = header !== undefined && !elided && scopeOf(context).command?.filtered !== true;
  for (const about of all ? [CLUSTER] : new Set(nodes)) sink.cover({ ...place, about });
  return next;
}

export const nodesReader: BlockReader = { what: 'kubectl get nodes', read: readNodes };
