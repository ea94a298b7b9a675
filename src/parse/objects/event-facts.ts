import type { Channel } from '../../model/channel.ts';
import type { Citation } from '../../model/citation.ts';
import { type EntityId, nodeId, objectId, podId, workloadId } from '../../model/entity.ts';
import type { EventPayload, KilledBy } from '../../model/facts.ts';
import { type JsonRecord, known, numberOf, recordOf, textOf, timeOf } from './json-value.ts';
import { CLUSTER_WIDE, WORKLOADS } from './kinds.ts';
import { type ObjectReading, secondsBefore } from './object-reading.ts';

interface Target {
  readonly about: EntityId;
  readonly kind: 'pod.event' | 'node.event' | 'object.event';
  readonly channel: Channel;
  readonly namespace: string | undefined;
}

interface Happening {
  readonly target: Target;
  readonly payload: EventPayload;
  readonly cited: Citation;
  readonly first: number | undefined;
  readonly last: number | undefined;
}

/** An event of `v1` or `events.k8s.io/v1`. */
export function eventFacts(reading: ObjectReading, event: JsonRecord, pointer: string): void {
  const involved = recordOf(event['involvedObject'] ?? event['regarding']);
  const target = targetOf(reading, involved, recordOf(event['metadata']));
  if (!target) return;
  const payload = payloadOf(reading, event, involved);
  const series = recordOf(event['series']);
  const created = recordOf(event['metadata'])['creationTimestamp'];
  const single = event['eventTime'] ?? created;
  const last = firstTime(event['lastTimestamp'], series['lastObservedTime'], event['deprecatedLastTimestamp'], single, created);
  const first = firstTime(event['firstTimestamp'], event['deprecatedFirstTimestamp'], single, created);
  for (const time of [event['lastTimestamp'], series['lastObservedTime'], event['deprecatedLastTimestamp'], single])
    reading.clock.see(time);
  const cited = reading.cite(pointer, `${payload.type} ${payload.reason}: ${payload.message}`);
  cover(reading, target);
  links(reading, event, involved, target, payload, last);
  say(reading, target, payload, cited, last);
  happened(reading, { target, payload, cited, first, last });
}

/** Kept apart so that what waits holds the facts, not the object they came from. */
function happened(reading: ObjectReading, { target, payload, cited, first, last }: Happening): void {
  reading.later((now) => {
    const alone = reading.objects < 2 && reading.options.now === undefined;
    const lastAgo = alone ? undefined : secondsBefore(now, last);
    const firstAgo = alone ? undefined : secondsBefore(now, first);
    reading.fact(target.kind, target.about, { ...payload, ...known({ lastAgo, firstAgo }) }, cited, last);
  });
}

function firstTime(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    const time = timeOf(value);
    if (time !== undefined) return time;
  }
  return undefined;
}

function targetOf(reading: ObjectReading, involved: JsonRecord, metadata: JsonRecord): Target | undefined {
  const type = textOf(involved['kind']);
  const name = textOf(involved['name']);
  if (type === undefined || name === undefined) return undefined;
  const namespace = textOf(involved['namespace']) ?? textOf(metadata['namespace']) ?? reading.options.namespace;
  if (type === 'Pod') return { about: podId(namespace, name), kind: 'pod.event', channel: 'pod-events', namespace };
  if (type === 'Node') return { about: reading.intern(nodeId(name)), kind: 'node.event', channel: 'node-events', namespace };
  const about = WORKLOADS.has(type)
    ? workloadId(type, namespace, name)
    : objectId(type, CLUSTER_WIDE.has(type) ? undefined : namespace, name);
  return { about, kind: 'object.event', channel: 'object-events', namespace };
}

function payloadOf(reading: ObjectReading, event: JsonRecord, involved: JsonRecord): EventPayload {
  const type = event['type'] === 'Normal' || event['type'] === 'Warning' ? event['type'] : 'Unknown';
  const reason = reading.intern(textOf(event['reason']) ?? 'Unknown');
  const message = textOf(event['message'] ?? event['note']) ?? '';
  const count = numberOf(event['count']) ?? numberOf(recordOf(event['series'])['count']) ?? numberOf(event['deprecatedCount']);
  const from =
    textOf(recordOf(event['source'] ?? event['deprecatedSource'])['component']) ??
    textOf(event['reportingComponent']) ??
    textOf(event['reportingController']);
  const details = known({
    from: from === undefined ? undefined : reading.intern(from),
    container: containerOf(textOf(involved['fieldPath'])) ?? containerIn(reason, message),
    killedBy: reason === 'Killing' ? killedBy(message) : undefined,
  });
  return { type, reason, message: reading.message(message) ?? '', count: Math.max(1, count ?? 1), ...details };
}

const FIELD_PATH = /^spec\.(?:containers|initContainers|ephemeralContainers)\{(?<name>[^{}]{1,253})\}$/;

function containerOf(fieldPath: string | undefined): string | undefined {
  return fieldPath === undefined ? undefined : FIELD_PATH.exec(fieldPath)?.groups?.['name'];
}

const NAMED_IN: ReadonlyMap<string, RegExp> = new Map([
  ['Created', /^Created container:? (?<name>[\w.-]+)$/],
  ['Started', /^Started container (?<name>[\w.-]+)$/],
  ['Killing', /^(?:Stopping container|Container) (?<name>[\w.-]+)(?: (?:failed|definition)\b|$)/],
  ['BackOff', /^Back-off restarting failed container (?<name>[\w.-]+) in pod /],
]);

function containerIn(reason: string, message: string): string | undefined {
  return NAMED_IN.get(reason)?.exec(message)?.groups?.['name'];
}

/** Who ordered the end: the kubelet's words under `Killing` are the only place that says it. */
export function killedBy(message: string): KilledBy | undefined {
  if (message.includes('failed liveness probe') || message.includes('is unhealthy, it will be killed')) return 'liveness-probe';
  if (message.includes('failed startup probe')) return 'startup-probe';
  if (message.includes('definition changed') || message.includes('hash changed')) return 'definition-changed';
  if (message.includes('PostStartHook')) return 'hook';
  if (message.includes('"unknown" state')) return 'unknown-state';
  return message.startsWith('Stopping container') || message.includes('Need to kill Pod') ? 'stop' : undefined;
}

function cover(reading: ObjectReading, target: Target): void {
  const { about, channel, namespace } = target;
  if (!reading.listed) {
    reading.lookout.single(channel, about, namespace, 'excerpt');
    return;
  }
  reading.lookout.listed('pod-events', about, namespace);
  reading.lookout.listed('object-events', about, namespace);
  // Events about nodes live in the namespace `default`, whoever asks for them.
  if (channel === 'node-events' || namespace === 'default') reading.lookout.listed('node-events', about, undefined);
}

const ASSIGNED = /^Successfully assigned \S{1,600} to (?<node>[\w.-]{1,253})$/;

function links(
  reading: ObjectReading,
  event: JsonRecord,
  involved: JsonRecord,
  target: Target,
  payload: EventPayload,
  when: number | undefined,
): void {
  if (target.kind !== 'pod.event') return;
  const uid = textOf(involved['uid']);
  if (uid !== undefined) reading.aliasOnce(`uid:${uid}`, target.about);
  const source = recordOf(event['source'] ?? event['deprecatedSource']);
  const host = payload.from === 'kubelet' ? (textOf(source['host']) ?? textOf(event['reportingInstance'])) : undefined;
  const assigned = payload.reason === 'Scheduled' ? ASSIGNED.exec(payload.message)?.groups?.['node'] : undefined;
  const node = assigned ?? host;
  if (node !== undefined) reading.sighted(target.about, nodeId(node), when);
}

function say(reading: ObjectReading, target: Target, payload: EventPayload, cited: Citation, when: number | undefined): void {
  if (payload.message === '') return;
  reading.say(target.channel, target.about, payload.message, cited, {
    ...known({ component: payload.from, when }),
    count: payload.count,
    ...(payload.type === 'Unknown' ? {} : { level: payload.type === 'Warning' ? 'warning' : 'info' }),
  });
}
