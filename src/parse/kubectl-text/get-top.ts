import { type EntityId, nodeId, podId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { isBlank, isName, viewFrom } from './lines.ts';
import { type Scope, scopeOf } from './scope.ts';
import { parseBytes } from './values.ts';

const HEADER = /^\s*(?:NAMESPACE\s+)?(?:POD\s+)?NAME\s+CPU\(cores\)\s+(?:CPU(?:%|\(%\))\s+)?MEMORY\(bytes\)(?:\s+MEMORY(?:%|\(%\)))?/;
const CPU = String.raw`(?<cpu>\d{1,9}m?|<unknown>)`;
const SHARE = (name: string) => String.raw`(?:\s+(?<${name}>\d{1,4}%|<unknown>))?`;
const ROW = new RegExp(
  String.raw`^\s*(?<names>[A-Za-z0-9]\S{0,253}(?:\s+[A-Za-z0-9]\S{0,253}){0,2})\s+${CPU}${SHARE('cpuShare')}\s+(?<memory>\d{1,15}(?:[KMGT]i?)?|<unknown>)${SHARE('memoryShare')}\s*$`,
);

function millisOf(text: string): number | undefined {
  if (!/^\d/.test(text)) return undefined;
  return text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000;
}

function shareOf(text: string | undefined): number | undefined {
  return text === undefined || !/^\d/.test(text) ? undefined : Number(text.slice(0, -1)) / 100;
}

function usageOf(groups: Readonly<Record<string, string | undefined>>): FactKinds['node.usage'] {
  const cpuMillis = millisOf(groups['cpu'] ?? '');
  const memoryBytes = parseBytes(groups['memory'] ?? '');
  const [cpuShare, memoryShare] = [shareOf(groups['cpuShare']), shareOf(groups['memoryShare'])];
  if (cpuMillis === undefined && memoryBytes === undefined) return { unknown: true };
  return {
    ...(cpuMillis !== undefined ? { cpuMillis } : {}),
    ...(cpuShare !== undefined ? { cpuShare } : {}),
    ...(memoryBytes !== undefined ? { memoryBytes } : {}),
    ...(memoryShare !== undefined ? { memoryShare } : {}),
  };
}

interface Columns {
  readonly namespace: boolean;
  readonly containers: boolean;
  readonly nodes: boolean;
}

function columnsOf(header: string | undefined, scope: Scope): Columns {
  if (header === undefined)
    return { namespace: false, containers: false, nodes: /^(?:no|nodes?)$/.test(scope.command?.resources[0] ?? '') };
  return {
    namespace: /^\s*NAMESPACE\s/.test(header),
    containers: /(?:^|\s)POD\s/.test(header),
    nodes: /MEMORY(?:%|\(%\))/.test(header),
  };
}

function emit(
  groups: Readonly<Record<string, string | undefined>>,
  columns: Columns,
  at: number,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): boolean {
  const names = (groups['names'] ?? '').trim().split(/\s+/);
  const wanted = 1 + (columns.namespace ? 1 : 0) + (columns.containers ? 1 : 0);
  if (names.length !== wanted || !names.every(isName)) return false;
  const cited = citeLines(context.doc, lines, at);
  const usage = usageOf(groups);
  if (columns.nodes) {
    sink.fact('node.usage', nodeId(names[0]), usage, cited);
    return true;
  }
  const namespace = columns.namespace ? names.shift() : scope.namespace;
  const pod: EntityId = podId(namespace, names[0] ?? '');
  const { cpuMillis, memoryBytes } = usage;
  if (cpuMillis === undefined || memoryBytes === undefined) return true;
  sink.fact('pod.usage', pod, { cpuMillis, memoryBytes, ...(names[1] !== undefined ? { container: names[1] } : {}) }, cited);
  return true;
}

function read(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const scope = scopeOf(context);
  const first = view.at(from).slice(0, 1000);
  const header = HEADER.test(first) ? first : undefined;
  if (header === undefined && scope.command?.verb !== 'top') return from;
  const columns = columnsOf(header, scope);
  let next = header === undefined ? from : from + 1;
  for (; next < view.count; next++) {
    const line = view.at(next);
    const groups = isBlank(line) || line.length > 1000 ? undefined : ROW.exec(line)?.groups;
    if (!groups || !emit(groups, columns, next, lines, context, scope, sink)) break;
  }
  return next;
}

export const topReader: BlockReader = { what: 'kubectl top', read };
