import { workloadId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { parseDuration } from './ages.ts';
import { isWorkload, splitName } from './kinds.ts';
import { isName, viewFrom } from './lines.ts';
import { coverListing, type Scope, scopeOf } from './scope.ts';
import { type Cells, cutRow, fitsAge, readRows } from './table.ts';
import { type Header, hasColumns, parseHeader } from './table-header.ts';
import { someText, wholeNumber } from './values.ts';

const PAIR = /^(?<ready>\d{1,6})\/(?<desired>\d{1,6})$/;

/** The kind that prints these columns, where the columns alone tell. */
function kindOfHeader(header: Header, scope: Scope): string | undefined {
  const has = (...names: readonly string[]) => hasColumns(header, 'NAME', ...names);
  const asked = scope.kind !== undefined && isWorkload(scope.kind) ? scope.kind : undefined;
  if (has('RESTARTS') || has('STATUS') || has('COMPLETIONS') || has('SCHEDULE')) return undefined;
  if (has('DESIRED', 'CURRENT', 'NODE SELECTOR') || has('DESIRED', 'CURRENT', 'NODE-SELECTOR')) return 'DaemonSet';
  if (has('UP-TO-DATE', 'AVAILABLE')) return 'Deployment';
  if (has('DESIRED', 'CURRENT', 'READY')) return asked ?? 'ReplicaSet';
  if (has('DESIRED', 'CURRENT')) return asked ?? 'StatefulSet';
  return has('READY') && header.columns.length <= 6 ? (asked ?? 'StatefulSet') : undefined;
}

/** `READY` must be a pair or a number: many other kinds print `True` there. */
function fitsWorkload(cells: Cells): boolean {
  const { name } = splitName(cells.get('NAME') ?? '');
  const ready = cells.get('READY');
  const numbers = ['DESIRED', 'CURRENT', 'UP-TO-DATE', 'AVAILABLE'].every((column) => {
    const value = cells.get(column);
    return value === undefined || /^(?:\d{1,6}|<none>)$/.test(value);
  });
  return isName(name) && numbers && (ready === undefined || PAIR.test(ready) || /^\d{1,6}$/.test(ready)) && fitsAge(cells);
}

function replicasOf(cells: Cells): FactKinds['workload.replicas'] {
  const pair = PAIR.exec(cells.get('READY') ?? '')?.groups;
  const desired = wholeNumber(pair?.['desired'] ?? cells.get('DESIRED'));
  const ready = wholeNumber(pair?.['ready'] ?? cells.get('READY'));
  const available = wholeNumber(cells.get('AVAILABLE'));
  const updated = wholeNumber(cells.get('UP-TO-DATE'));
  const current = wholeNumber(cells.get('CURRENT'));
  const ageSeconds = parseDuration(cells.get('AGE') ?? '');
  return {
    ...(desired !== undefined ? { desired } : {}),
    ...(ready !== undefined ? { ready } : {}),
    ...(available !== undefined ? { available } : {}),
    ...(updated !== undefined ? { updated } : {}),
    ...(current !== undefined ? { current } : {}),
    ...(ageSeconds !== undefined ? { ageSeconds } : {}),
  };
}

function readWorkloads(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const header = parseHeader(view.at(from));
  if (!header) return from;
  const scope = scopeOf(context);
  const kindByHeader = kindOfHeader(header, scope);
  if (kindByHeader === undefined) return from;
  const { rows, next, elided } = readRows(view, from + 1, (line) => cutRow(header, line, fitsWorkload));
  if (rows.length === 0) return from;
  const entities: string[] = [];
  for (const { line, cells } of rows) {
    const { kind, printed, name } = splitName(cells.get('NAME') ?? '');
    if (printed !== undefined && (kind === undefined || !isWorkload(kind))) continue;
    const namespace = someText(cells.get('NAMESPACE')) ?? scope.namespace;
    const about = workloadId(kind ?? kindByHeader, namespace, name);
    entities.push(about);
    const cited = citeLines(context.doc, lines, line);
    sink.fact('workload.replicas', about, replicasOf(cells), cited);
    sink.said({ channel: 'workload', about, text: (lines[line] ?? '').trim(), cited, level: 'info', component: 'kubectl' });
  }
  const allNamespaces = hasColumns(header, 'NAMESPACE');
  coverListing({ channel: 'workload', lines: [from + 1, next], entities, allNamespaces, elided, extent: 'excerpt' }, context, scope, sink);
  return next;
}

export const workloadsReader: BlockReader = { what: 'kubectl get workloads', read: readWorkloads };
