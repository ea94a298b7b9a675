import { type EntityId, nodeId, podId, workloadId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { AGE, DURATION, isAge, parseDuration } from './ages.ts';
import { isWorkload, kindOf, splitName } from './kinds.ts';
import { isName, viewFrom } from './lines.ts';
import { coverListing, type Scope, scopeOf } from './scope.ts';
import { type Cells, cutRow, fitsAge, type Row, readRows } from './table.ts';
import { type Header, hasColumns, parseHeader } from './table-header.ts';
import { someText } from './values.ts';

const RESTARTS = new RegExp(String.raw`^(?<count>\d{1,9})(?:\s+\((?<ago>${DURATION}) ago\))?$`);

const BARE_ROW = new RegExp(
  String.raw`^\s*(?:(?<namespace>[a-z0-9][-a-z0-9]{0,62})\s+)?(?<name>[A-Za-z0-9][\w./-]{0,253})\s+(?<ready>\d{1,4}/\d{1,4})\s+` +
    String.raw`(?<status>[A-Z][\w:./-]{0,80})\s+(?<restarts>\d{1,9}(?:\s+\(${DURATION} ago\))?)\s+(?<age>${AGE})(?<rest>\s.*)?$`,
);

const KNOWN_STATUS = new Set([
  'Running',
  'Pending',
  'Succeeded',
  'Failed',
  'Unknown',
  'Completed',
  'Error',
  'Terminating',
  'Evicted',
  'NotReady',
  'OOMKilled',
  'CrashLoopBackOff',
  'ContainerCreating',
  'PodInitializing',
  'ErrImagePull',
  'ImagePullBackOff',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
  'StartError',
  'ContainerCannotRun',
  'ContainerStatusUnknown',
  'DeadlineExceeded',
  'NodeShutdown',
  'NodeLost',
  'NodeAffinity',
  'Preempting',
  'SchedulingGated',
  'Shutdown',
  'Terminated',
  'UnexpectedAdmissionError',
  'TopologyAffinityError',
  'SysctlForbidden',
  'MatchNodeSelector',
]);

/** Reasons that older kubelets wrote as several words: `Topology Affinity Error`. */
const WORDS = /^[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20}){1,3}$/;

/** Ends of a container that a watch shows in passing and that the last row no longer tells. */
const CRASHES = /^(?:Init:)?(?:OOMKilled|Error|CrashLoopBackOff|StartError|ContainerCannotRun|RunContainerError)$/;

function isPodStatus(word: string): boolean {
  return KNOWN_STATUS.has(word) || /^(?:Init:|ExitCode:|Signal:|OutOf[a-z])/.test(word);
}

function fitsPod(cells: Cells): boolean {
  const { name } = splitName(cells.get('NAME') ?? '');
  const ready = cells.get('READY');
  const restarts = cells.get('RESTARTS');
  const status = cells.get('STATUS');
  return (
    isName(name) &&
    name !== 'NAME' &&
    (ready === undefined || /^\d{1,4}\/\d{1,4}$/.test(ready)) &&
    (restarts === undefined || RESTARTS.test(restarts) || restarts === '<none>') &&
    (status === undefined || /^[A-Z]\S*$/.test(status) || WORDS.test(status)) &&
    fitsAge(cells)
  );
}

/** Cells of a row that lost its header to a grep. */
function cutBareRow(line: string, anyStatus: boolean): Cells | undefined {
  const groups = BARE_ROW.exec(line)?.groups;
  if (!groups) return undefined;
  const status = groups['status'] ?? '';
  if (!anyStatus && !isPodStatus(status)) return undefined;
  const { kind, printed, name } = splitName(groups['name'] ?? '');
  if (!isName(name) || (printed !== undefined && kind !== 'Pod')) return undefined;
  const [, node] = (groups['rest'] ?? '').trim().split(/\s+/);
  return new Map([
    ['NAME', name],
    ...(groups['namespace'] !== undefined ? [['NAMESPACE', groups['namespace']] as const] : []),
    ['READY', groups['ready'] ?? ''],
    ['STATUS', status],
    ['RESTARTS', groups['restarts'] ?? ''],
    ['AGE', groups['age'] ?? ''],
    ...(node !== undefined && (isName(node) || node === '<none>') ? [['NODE', node] as const] : []),
  ]);
}

function statusOf(cells: Cells): FactKinds['pod.status'] | undefined {
  const written = someText(cells.get('STATUS') ?? cells.get('PHASE'));
  if (written === undefined) return undefined;
  const status = WORDS.test(written) ? written.replaceAll(' ', '') : written;
  const [ready, containers] = (cells.get('READY') ?? '').split('/').map(Number);
  const restarts = RESTARTS.exec(cells.get('RESTARTS') ?? '')?.groups;
  const lastRestartAgo = restarts?.['ago'] === undefined ? undefined : parseDuration(restarts['ago']);
  const age = cells.get('AGE') ?? '';
  const ageSeconds = isAge(age) ? parseDuration(age) : undefined;
  return {
    status,
    ...(containers !== undefined && ready !== undefined ? { readyContainers: ready, containers } : {}),
    ...(restarts ? { restarts: Number(restarts['count']) } : {}),
    ...(lastRestartAgo !== undefined ? { lastRestartAgo } : {}),
    ...(ageSeconds !== undefined ? { ageSeconds } : {}),
    ...(age === '<invalid>' ? { future: true as const } : {}),
  };
}

function podIn(cells: Cells, scope: Scope): EntityId {
  return podId(someText(cells.get('NAMESPACE')) ?? scope.namespace, splitName(cells.get('NAME') ?? '').name);
}

function emitEdges(pod: EntityId, cells: Cells, scope: Scope, sink: ReadingSink): void {
  const node = someText(cells.get('NODE'));
  if (node !== undefined && isName(node)) sink.edge({ type: 'runs-on', pod, node: nodeId(node) });
  const owner = splitName(cells.get('CONTROLLED-BY') ?? cells.get('CONTROLLED BY') ?? '');
  if (owner.kind && isWorkload(owner.kind)) {
    const namespace = someText(cells.get('NAMESPACE')) ?? scope.namespace;
    sink.edge({ type: 'owned-by', pod, workload: workloadId(owner.kind, namespace, owner.name) });
  }
}

/** A watch prints a pod again at each change: its last row is the present, crashes on the way are kept too. */
function tellingRows(rows: readonly Row[], scope: Scope): Row[] {
  const last = new Map(rows.map((row) => [podIn(row.cells, scope), row]));
  if (last.size === rows.length) return [...rows];
  const crashes = new Map<string, Row>();
  for (const row of rows) {
    const pod = podIn(row.cells, scope);
    const status = row.cells.get('STATUS') ?? '';
    const restarted = !/^0?$/.test(last.get(pod)?.cells.get('RESTARTS') ?? '');
    if (row !== last.get(pod) && restarted && CRASHES.test(status)) crashes.set(`${pod} ${status}`, row);
  }
  return [...crashes.values(), ...last.values()].sort((a, b) => a.line - b.line);
}

function readPods(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const first = view.at(from);
  const header = parseHeader(first);
  if (!header && !/\d\/\d/.test(first)) return from;
  const scope = scopeOf(context);
  if (header && !isPodsHeader(header, scope)) return from;
  const asked = scope.kind === 'Pod' && scope.command?.verb === 'get';
  const cut = (line: string) => (header ? cutRow(header, line, fitsPod) : cutBareRow(line, asked));
  const { rows, next, elided } = readRows(view, header ? from + 1 : from, cut);
  if (rows.length === 0) return header ? from + 1 : from;
  for (const { line, cells } of tellingRows(rows, scope)) {
    const pod = podIn(cells, scope);
    const status = statusOf(cells);
    const cited = citeLines(context.doc, lines, line);
    if (status) sink.fact('pod.status', pod, status, cited);
    if (status?.status === 'Terminating') sink.fact('pod.deleting', pod, {}, cited);
    emitEdges(pod, cells, scope, sink);
  }
  const listing = {
    channel: 'pod-status' as const,
    lines: [from + 1, next] as const,
    entities: rows.map((row) => podIn(row.cells, scope)),
    allNamespaces: rows.some((row) => row.cells.has('NAMESPACE')),
    elided: elided || (!header && !asked),
  };
  coverListing(listing, context, scope, sink);
  return next;
}

function isPodsHeader(header: Header, scope: Scope): boolean {
  if (hasColumns(header, 'NAME', 'READY', 'STATUS', 'RESTARTS')) return true;
  const resources = scope.command?.verb === 'get' ? scope.command.resources : [];
  return resources.length === 1 && kindOf(resources[0]) === 'Pod' && hasColumns(header, 'NAME');
}

export const podsReader: BlockReader = { what: 'kubectl get pods', read: readPods };
