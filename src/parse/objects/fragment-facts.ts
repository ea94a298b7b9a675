import { objectId, UNKNOWN } from '../../model/entity.ts';
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from './json-value.ts';
import { nodeFacts } from './node-facts.ts';
import { readItem } from './object-facts.ts';
import type { LineFinder, ObjectReading } from './object-reading.ts';
import { objectStatusFacts } from './other-facts.ts';
import { podFacts } from './pod-facts.ts';

/** A fragment put back into the object it was cut from, and the path that put it there. */
interface Whole {
  readonly type: 'Pod' | 'Node' | 'Namespace';
  readonly object: JsonRecord;
  readonly added: string;
}

/** Reads part of an object (a lone `status:`, container statuses, a list's items); false when its shape says nothing. */
export function readFragment(reading: ObjectReading, value: unknown, lines?: LineFinder): boolean {
  if (Array.isArray(value) && value.some(isObject)) {
    for (let index = 0; index < value.length; index++) readItem(reading, value[index], `/${index}`, undefined, lines);
    return true;
  }
  if (isRecord(value) && Array.isArray(value['items']) && value['items'].some(isObject)) {
    for (const [index, item] of value['items'].entries()) readItem(reading, item, `/items/${index}`, undefined, lines);
    return true;
  }
  const whole = wholeOf(value);
  if (!whole) return false;
  reading.objects++;
  reading.positioned(lines, () => readWhole(reading, whole), whole.added);
  return true;
}

export function isFragment(value: unknown): boolean {
  const items = Array.isArray(value) ? value : listOf(recordOf(value)['items']);
  return (textOf(recordOf(value)['kind']) === undefined && items.some(isObject)) || wholeOf(value) !== undefined;
}

function isObject(value: unknown): boolean {
  return isRecord(value) && (textOf(value['kind']) !== undefined || isRecord(value['involvedObject'])) && isRecord(value['metadata']);
}

function readWhole(reading: ObjectReading, { type, object }: Whole): void {
  if (type === 'Pod') podFacts(reading, object, '');
  else if (type === 'Node') nodeFacts(reading, object, '');
  else objectStatusFacts(reading, type, object, objectId(type, undefined, UNKNOWN), '');
}

function wholeOf(value: unknown): Whole | undefined {
  if (Array.isArray(value)) {
    return value.length > 0 && value.every(isContainerStatus)
      ? podOf({ containerStatuses: value }, '/status/containerStatuses')
      : undefined;
  }
  if (!isRecord(value)) return undefined;
  if (textOf(value['kind']) !== undefined) return undefined;
  const inside = typeOf(recordOf(value['status']), recordOf(value['spec']));
  if (inside !== undefined) return { type: inside, object: value, added: '' };
  const asStatus = typeOf(value, {});
  if (asStatus !== undefined) return { type: asStatus, object: { status: value }, added: '/status' };
  if (typeOf({}, value) === 'Pod') return { type: 'Pod', object: { spec: value }, added: '/spec' };
  if (isContainerStatus(value)) return podOf({ containerStatuses: [value] }, '/status/containerStatuses/0');
  return containerStateOf(value);
}

function podOf(status: JsonRecord, added: string): Whole {
  return { type: 'Pod', object: { status }, added };
}

function isContainerStatus(value: unknown): boolean {
  return (
    isRecord(value) &&
    textOf(value['name']) !== undefined &&
    (isRecord(value['state']) || isRecord(value['lastState'])) &&
    'restartCount' in value
  );
}

/** `state:` or `lastState:` alone: the container it belongs to stays unknown. */
function containerStateOf(value: JsonRecord): Whole | undefined {
  const named = isRecord(value['state']) || isRecord(value['lastState']);
  if (named && (isState(value['state']) || isState(value['lastState']))) {
    return podOf({ containerStatuses: [{ name: UNKNOWN, ...value }] }, '/status/containerStatuses/0');
  }
  if (!isState(value)) return undefined;
  return podOf({ containerStatuses: [{ name: UNKNOWN, state: value }] }, '/status/containerStatuses/0/state');
}

function isState(value: unknown): boolean {
  const state = recordOf(value);
  return (
    'exitCode' in recordOf(state['terminated']) ||
    textOf(recordOf(state['waiting'])['reason']) !== undefined ||
    textOf(recordOf(state['running'])['startedAt']) !== undefined
  );
}

/** Claims, volumes and namespaces have a phase too; only pods start, have an address, or are thrown out by a kubelet. */
function isPodPhase(status: JsonRecord): boolean {
  if (!/^(?:Pending|Running|Succeeded|Failed|Unknown)$/.test(textOf(status['phase']) ?? '')) return false;
  const own = ['startTime', 'podIP', 'hostIP', 'qosClass'].some((key) => textOf(status[key]) !== undefined);
  return (
    own ||
    /^(?:Evicted|OutOf\w{2,60}|NodeAffinity|NodeLost|NodeShutdown|Preempting|UnexpectedAdmissionError)$/.test(
      textOf(status['reason']) ?? '',
    )
  );
}

const POD_CONDITIONS: ReadonlySet<string> = new Set(['PodScheduled', 'ContainersReady', 'Initialized', 'PodReadyToStartContainers']);
const NODE_CONDITIONS: ReadonlySet<string> = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure']);

function typeOf(status: JsonRecord, spec: JsonRecord): Whole['type'] | undefined {
  if (Array.isArray(status['containerStatuses']) || Array.isArray(status['initContainerStatuses'])) return 'Pod';
  if (listOf(spec['containers']).some((item) => textOf(recordOf(item)['image']) !== undefined)) return 'Pod';
  if (isRecord(status['nodeInfo'])) return 'Node';
  if (isPodPhase(status)) return 'Pod';
  const types = listOf(status['conditions']).map((item) => textOf(recordOf(item)['type']) ?? '');
  if (types.some((type) => POD_CONDITIONS.has(type))) return 'Pod';
  if (types.some((type) => NODE_CONDITIONS.has(type))) return 'Node';
  return types.some((type) => /^Namespace(?:Deletion|Content|Finalizers)/.test(type)) ? 'Namespace' : undefined;
}
