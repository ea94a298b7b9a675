import { namespaceId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { entityId, isClusterWide, splitName } from './kinds.ts';
import { isBoundary, viewFrom } from './lines.ts';
import { statusOfRow } from './object-status.ts';
import { coverListing, type Scope, scopeOf } from './scope.ts';
import { type Cells, cutRow, fitsAge, type Row, readRows } from './table.ts';
import { type Header, hasColumns, parseHeader } from './table-header.ts';
import { someText } from './values.ts';

/** Columns that only one kind prints. */
const SIGNATURES: readonly { readonly kind: string; readonly columns: readonly string[] }[] = [
  { kind: 'PersistentVolume', columns: ['CAPACITY', 'RECLAIM POLICY', 'CLAIM'] },
  { kind: 'PersistentVolume', columns: ['CAPACITY', 'RECLAIMPOLICY', 'CLAIM'] },
  { kind: 'PersistentVolumeClaim', columns: ['STATUS', 'VOLUME', 'CAPACITY'] },
  { kind: 'StorageClass', columns: ['PROVISIONER'] },
  { kind: 'VolumeAttachment', columns: ['ATTACHER', 'PV', 'NODE', 'ATTACHED'] },
  { kind: 'Service', columns: ['TYPE', 'CLUSTER-IP', 'PORT(S)'] },
  { kind: 'EndpointSlice', columns: ['ADDRESSTYPE', 'PORTS', 'ENDPOINTS'] },
  { kind: 'Endpoints', columns: ['NAME', 'ENDPOINTS', 'AGE'] },
  { kind: 'Ingress', columns: ['HOSTS', 'ADDRESS', 'PORTS'] },
  { kind: 'Job', columns: ['COMPLETIONS', 'DURATION'] },
  { kind: 'Job', columns: ['DESIRED', 'SUCCESSFUL'] },
  { kind: 'CronJob', columns: ['SCHEDULE', 'SUSPEND', 'ACTIVE'] },
  { kind: 'HorizontalPodAutoscaler', columns: ['REFERENCE', 'TARGETS', 'MINPODS'] },
  { kind: 'PodDisruptionBudget', columns: ['MIN AVAILABLE', 'MAX UNAVAILABLE'] },
  { kind: 'Secret', columns: ['TYPE', 'DATA'] },
  { kind: 'CertificateSigningRequest', columns: ['SIGNERNAME', 'CONDITION'] },
  { kind: 'CertificateSigningRequest', columns: ['REQUESTOR', 'CONDITION'] },
  { kind: 'Lease', columns: ['HOLDER', 'AGE'] },
  { kind: 'APIService', columns: ['SERVICE', 'AVAILABLE', 'AGE'] },
  { kind: 'ClusterOperator', columns: ['AVAILABLE', 'PROGRESSING', 'DEGRADED'] },
  { kind: 'Certificate', columns: ['READY', 'SECRET', 'AGE'] },
  { kind: 'Challenge', columns: ['STATE', 'DOMAIN', 'AGE'] },
  { kind: 'ScaledObject', columns: ['SCALETARGETKIND', 'TRIGGERS', 'READY'] },
  { kind: 'ScaledObject', columns: ['SCALETARGETKIND', 'SCALETARGETNAME', 'READY'] },
  { kind: 'CertificateRequest', columns: ['APPROVED', 'DENIED', 'READY'] },
  { kind: 'ResourceQuota', columns: ['REQUEST', 'LIMIT'] },
];

/** Other programs also list things by NAME. */
const NOT_KUBECTL = ['MAJ:MIN', 'FSTYPE', 'REVISION', 'CHART', 'DRIVER', 'MOUNTPOINT', 'CPU(S)', 'UUID', 'MOUNTPOINTS', 'SNAPSHOTS'];

function isKubectlHeader(header: Header, scope: Scope): boolean {
  if (!hasColumns(header, 'NAME') || NOT_KUBECTL.some((name) => hasColumns(header, name))) return false;
  if (scope.command) return true;
  return (
    hasColumns(header, 'AVAILABLE', 'PROGRESSING', 'DEGRADED') ||
    hasColumns(header, 'AGE') ||
    hasColumns(header, 'CREATED AT') ||
    hasColumns(header, 'CPU(cores)')
  );
}

function kindOfHeader(header: Header): string | undefined {
  return SIGNATURES.find(({ columns }) => hasColumns(header, ...columns))?.kind;
}

/** Many kinds print only NAME, STATUS and AGE; these two states together with nothing else are those of namespaces. */
function kindOfRow(header: Header, { cells }: Row): string | undefined {
  const isShort = header.columns.map(({ name }) => name).join() === 'NAME,STATUS,AGE';
  return isShort && /^(?:Active|Terminating)$/.test(cells.get('STATUS') ?? '') ? 'Namespace' : undefined;
}

function fitsObject(cells: Cells): boolean {
  const name = cells.get('NAME') ?? '';
  if (name === 'NAME' || !/^[A-Za-z0-9][^\s|`"'()]{0,300}(?: \(default\))?$/.test(name)) return false;
  const age = cells.get('AGE');
  if (age !== undefined) return age !== '' && fitsAge(cells);
  return [...cells].some(([column, value]) => column !== 'NAME' && /^(?:\S*\d\S*|<\w+>|[Tt]rue|[Ff]alse)$/.test(value));
}

/** A claim without a volume leaves cells empty: in a row without columns, the first and last tokens still stand. */
function cutPending(header: Header, line: string): Cells | undefined {
  const words = line.trim().split(/\s+/);
  if (words.length < 3 || words.length >= header.columns.length || header.columns.at(-1)?.name !== 'AGE') return undefined;
  const offset = hasColumns(header, 'NAMESPACE') ? 1 : 0;
  const cells = new Map<string, string>([
    ...(offset === 1 ? [['NAMESPACE', words[0] ?? ''] as const] : []),
    ['NAME', words[offset] ?? ''],
    ['STATUS', words[offset + 1] ?? ''],
    ['AGE', words.at(-1) ?? ''],
  ]);
  const storageClass = words.length === offset + 4 ? words[offset + 2] : undefined;
  if (storageClass !== undefined) cells.set('STORAGECLASS', storageClass);
  return /^(?:Pending|Lost|Terminating)$/.test(cells.get('STATUS') ?? '') && fitsObject(cells) ? cells : undefined;
}

function emitRow(
  row: Row,
  fallback: string | undefined,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): string | undefined {
  const named = splitName((row.cells.get('NAME') ?? '').replace(/ \(default\)$/, ''));
  const kind = named.kind ?? (named.printed === undefined ? fallback : undefined);
  const namespace = someText(row.cells.get('NAMESPACE')) ?? scope.namespace;
  const cited = citeLines(context.doc, lines, row.line);
  const text = (lines[row.line] ?? '').trim();
  if (kind === undefined || kind === 'Pod' || kind === 'Node') {
    sink.said({ channel: 'objects', about: namespaceId(namespace), text, cited, level: 'info', component: 'kubectl' });
    return undefined;
  }
  const about = entityId(kind, namespace, named.name);
  sink.fact('object.exists', about, { type: kind }, cited);
  const status = statusOfRow(kind, row.cells);
  const asked = scope.command?.names.includes(named.name) ? ({ asked: true } as const) : {};
  if (status) sink.fact('object.status', about, { ...status, ...asked }, cited);
  sink.said({ channel: 'objects', about, text, cited, level: 'info', component: 'kubectl' });
  return about;
}

function readObjects(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const header = parseHeader(view.at(from));
  if (!header) return from;
  const scope = scopeOf(context);
  if (!isKubectlHeader(header, scope)) return from;
  const kind = scope.command?.verb === 'get' ? (scope.kind ?? kindOfHeader(header)) : kindOfHeader(header);
  const cut = (line: string) => {
    if (isBoundary(line)) return undefined;
    const pending = kind === 'PersistentVolumeClaim' && header.style === 'collapsed' ? cutPending(header, line) : undefined;
    return pending ?? cutRow(header, line, fitsObject);
  };
  const { rows, next, elided } = readRows(view, from + 1, cut);
  if (rows.length === 0) return scope.command && header.columns.length > 2 ? from + 1 : from;
  const entities = rows
    .map((row) => emitRow(row, kind ?? kindOfRow(header, row), lines, context, scope, sink))
    .filter((about) => about !== undefined);
  if (entities.length === 0) return next;
  const allNamespaces = hasColumns(header, 'NAMESPACE');
  const clusterWide = kind !== undefined && isClusterWide(kind);
  const listing = { channel: 'objects', lines: [from + 1, next], entities, allNamespaces, elided, clusterWide, extent: 'excerpt' } as const;
  coverListing(listing, context, scope, sink);
  return next;
}

export const objectsReader: BlockReader = { what: 'kubectl get', read: readObjects };
