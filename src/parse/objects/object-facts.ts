import type { ReadingSink } from '../../model/reading.ts';
import { eventFacts } from './event-facts.ts';
import { isRecord, type JsonRecord, recordOf, textOf } from './json-value.ts';
import { WORKLOADS } from './kinds.ts';
import { nodeFacts } from './node-facts.ts';
import { type LineFinder, ObjectReading } from './object-reading.ts';
import { apiStatusFacts, otherFacts } from './other-facts.ts';
import { podFacts } from './pod-facts.ts';
import { workloadFacts } from './workload-facts.ts';

/** Where a foreign kind stands, for whoever reads it. */
export interface Place {
  readonly doc: string;
  readonly pointer: string;
  readonly sink: ReadingSink;
  readonly lines?: LineFinder;
}

/** Kinds that are no cluster objects (`KubeletConfiguration`, …): filled by those who know them. */
export const otherKinds = new Map<string, (object: JsonRecord, place: Place) => void>();

const FOREIGN =
  /^(?:kubelet\.config|kubeadm|kubeproxy\.config|kubescheduler\.config|audit)\.k8s\.io\/|^(?:config\.k8s\.io|client\.authentication)\b/;
const LIST_DEPTH = 3;

/** Whether `readObject` would read it: a Kubernetes object or list, by kind and version. */
export function isReadable(value: unknown): value is JsonRecord {
  if (!isRecord(value)) return false;
  const kind = textOf(value['kind']);
  const version = textOf(value['apiVersion']);
  if (kind === undefined || version === undefined) return false;
  if (isForeign(kind, version)) return otherKinds.has(kind);
  return kind !== 'Table' && (kind !== 'List' || Array.isArray(value['items']));
}

function isForeign(kind: string, version: string): boolean {
  return FOREIGN.test(version) || kind === 'Config';
}

/** Reads one object or list; false when its kind is not a Kubernetes object that we read. */
export function readObject(reading: ObjectReading, object: unknown, pointer: string, lines?: LineFinder): boolean {
  let mine = false;
  reading.positioned(lines, () => {
    mine = readKind(reading, object, pointer, lines, undefined, 0);
  });
  return mine;
}

/** One item of a list that is being read piece by piece; `listKind` is the list's own kind. */
export function readItem(
  reading: ObjectReading,
  object: unknown,
  pointer: string,
  listKind: string | undefined,
  lines?: LineFinder,
): boolean {
  const listed = reading.listed;
  reading.listed = true;
  let mine = false;
  reading.positioned(lines, () => {
    mine = readKind(reading, object, pointer, lines, itemKind(listKind), 1);
  });
  reading.listed = listed;
  return mine;
}

/** Reads a whole object or list and finishes at once. */
export function factsOfObject(object: unknown, doc: string, pointer: string, sink: ReadingSink, lines?: LineFinder): boolean {
  const reading = new ObjectReading(doc, sink);
  const mine = readObject(reading, object, pointer, lines);
  reading.finish();
  return mine;
}

function readKind(
  reading: ObjectReading,
  value: unknown,
  pointer: string,
  lines: LineFinder | undefined,
  impliedKind: string | undefined,
  depth: number,
): boolean {
  if (!isRecord(value)) return false;
  const kind = textOf(value['kind']) ?? impliedKind ?? kindByShape(value);
  if (kind === undefined) return false;
  const version = textOf(value['apiVersion']) ?? '';
  if (isForeign(kind, version)) return foreign(reading, kind, value, pointer, lines);
  if (Array.isArray(value['items']) && kind.endsWith('List')) return readList(reading, value['items'], kind, pointer, lines, depth);
  if (kind === 'List' || kind === 'Table') return false;
  reading.objects++;
  // A healthy pod is cited by nobody, so pods are named where they turn out not to be.
  if (reading.listed && kind !== 'Pod') reading.nameItem(pointer, nameOf(kind, value));
  dispatch(reading, isBuiltIn(version) ? kind : foreignKind(kind, version), value, pointer);
  return true;
}

/** An event is known by what it is about. */
function nameOf(kind: string, value: JsonRecord): string | undefined {
  const about = kind === 'Event' ? (value['involvedObject'] ?? value['regarding']) : undefined;
  return textOf(recordOf(about ?? value['metadata'])['name']);
}

const GROUPS: ReadonlySet<string> = new Set(['apps', 'extensions', 'batch', 'events.k8s.io']);
const TAKEN: ReadonlySet<string> = new Set([...WORKLOADS, 'Pod', 'Event', 'Node', 'Status']);

function isBuiltIn(version: string): boolean {
  const slash = version.indexOf('/');
  return slash < 0 || GROUPS.has(version.slice(0, slash));
}

/** Custom resources reuse names (a storage system's `Node`, a batch system's `Job`); those keep their group. */
function foreignKind(kind: string, version: string): string {
  return TAKEN.has(kind) ? `${kind}.${version.slice(0, version.indexOf('/'))}` : kind;
}

function dispatch(reading: ObjectReading, kind: string, object: JsonRecord, pointer: string): void {
  if (kind === 'Pod') podFacts(reading, object, pointer);
  else if (kind === 'Event') eventFacts(reading, object, pointer);
  else if (kind === 'Node') nodeFacts(reading, object, pointer);
  else if (WORKLOADS.has(kind)) workloadFacts(reading, kind, object, pointer);
  else if (kind === 'Status') apiStatusFacts(reading, object, pointer);
  else otherFacts(reading, kind, object, pointer);
}

function foreign(reading: ObjectReading, kind: string, object: JsonRecord, pointer: string, lines: LineFinder | undefined): boolean {
  const read = otherKinds.get(kind);
  if (!read) return false;
  read(object, { doc: reading.doc, pointer, sink: reading.sink, ...(lines ? { lines } : {}) });
  return true;
}

function readList(
  reading: ObjectReading,
  items: readonly unknown[],
  kind: string,
  pointer: string,
  lines: LineFinder | undefined,
  depth: number,
): boolean {
  if (depth >= LIST_DEPTH) return false;
  const listed = reading.listed;
  reading.listed = true;
  for (let index = 0; index < items.length; index++) {
    readKind(reading, items[index], `${pointer}/items/${index}`, lines, itemKind(kind), depth + 1);
  }
  reading.listed = listed;
  return true;
}

/** Typed lists (`PodList`) leave the kind out of their items. */
function itemKind(listKind: string | undefined): string | undefined {
  return listKind !== undefined && listKind !== 'List' && listKind.endsWith('List') ? listKind.slice(0, -'List'.length) : undefined;
}

function kindByShape(value: JsonRecord): string | undefined {
  if (isRecord(value['involvedObject']) || isRecord(value['regarding'])) return 'Event';
  if (!isRecord(value['metadata'])) return undefined;
  if (Array.isArray(recordOf(value['spec'])['containers'])) return 'Pod';
  return isRecord(recordOf(value['status'])['nodeInfo']) ? 'Node' : undefined;
}
