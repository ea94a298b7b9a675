import { type EntityId, workloadContainerId, workloadId } from '../../model/entity.ts';
import { isRecord, type JsonRecord, known, listOf, numberOf, recordOf, textOf, timeOf } from './json-value.ts';
import type { ObjectReading } from './object-reading.ts';
import { podSpecFacts } from './pod-spec-facts.ts';
import { podLabelFacts } from './reference-facts.ts';

/** Templates are read from single objects and short lists only: in a dump the pods themselves are there. */
const TEMPLATES = 50;

export function workloadFacts(reading: ObjectReading, type: string, object: JsonRecord, pointer: string): void {
  const metadata = recordOf(object['metadata']);
  const name = textOf(metadata['name']);
  if (name === undefined) return;
  const namespace = textOf(metadata['namespace']) ?? reading.options.namespace;
  const about = workloadId(type, namespace, name);
  const spec = recordOf(object['spec']);
  reading.clock.see(metadata['creationTimestamp']);
  if (isOldRevision(type, spec, metadata)) return;
  if (reading.listed) reading.lookout.listed('workload', about, namespace);
  else reading.lookout.single('workload', about, namespace, isRecord(object['status']) ? 'whole' : 'excerpt');
  replicaFacts(reading, about, type, object, pointer);
  podLabelFacts(reading, type, object, about, pointer);
  conditionFacts(reading, about, listOf(recordOf(object['status'])['conditions']), `${pointer}/status/conditions`);
  if (reading.objects <= TEMPLATES) templateFacts(reading, about, type, spec, `${pointer}/spec`);
}

/** Every rollout leaves a ReplicaSet of size 0 behind; it says nothing. */
function isOldRevision(type: string, spec: JsonRecord, metadata: JsonRecord): boolean {
  return type === 'ReplicaSet' && spec['replicas'] === 0 && listOf(metadata['ownerReferences']).length > 0;
}

const COUNTS: ReadonlyMap<string, readonly [ready: string, available: string, updated: string]> = new Map([
  ['DaemonSet', ['numberReady', 'numberAvailable', 'updatedNumberScheduled']],
  ['Job', ['ready', 'succeeded', 'none']],
]);
const REPLICAS = ['readyReplicas', 'availableReplicas', 'updatedReplicas'] as const;

function replicaFacts(reading: ObjectReading, about: EntityId, type: string, object: JsonRecord, pointer: string): void {
  const spec = recordOf(object['spec']);
  const status = object['status'];
  const desired = desiredOf(type, spec, recordOf(status));
  const [ready, available, updated] = COUNTS.get(type) ?? REPLICAS;
  // The API leaves out counts of zero, so a status without them says zero; a manifest without status says nothing.
  const read = isRecord(status) && Object.keys(status).length > 0 && type !== 'Job' && type !== 'CronJob';
  const count = (key: string) => numberOf(recordOf(status)[key]) ?? (read ? 0 : undefined);
  const payload = known({
    desired,
    ready: count(ready),
    available: count(available),
    updated: updated === 'none' || type === 'ReplicaSet' || type === 'ReplicationController' ? undefined : count(updated),
  });
  if (Object.keys(payload).length === 0) return;
  const words = Object.entries(payload).map(([key, value]) => `${key} ${value}`);
  const at = isRecord(status) ? `${pointer}/status` : `${pointer}/spec`;
  reading.fact('workload.replicas', about, payload, reading.cite(at, `replicas: ${words.join(', ')}`));
}

function desiredOf(type: string, spec: JsonRecord, status: JsonRecord): number | undefined {
  if (type === 'DaemonSet') return numberOf(status['desiredNumberScheduled']);
  if (type === 'Job') return numberOf(spec['completions']);
  if (type === 'CronJob') return undefined;
  return numberOf(spec['replicas']) ?? (Object.keys(spec).length > 0 ? 1 : undefined);
}

const BAD_WHEN_TRUE: ReadonlySet<string> = new Set(['ReplicaFailure', 'Failed', 'FailureTarget']);

function conditionFacts(reading: ObjectReading, about: EntityId, conditions: readonly unknown[], pointer: string): void {
  for (let index = 0; index < conditions.length; index++) {
    const condition = recordOf(conditions[index]);
    const type = textOf(condition['type']);
    const status = textOf(condition['status']);
    if (type === undefined || status === undefined) continue;
    reading.clock.see(condition['lastTransitionTime']);
    const reason = textOf(condition['reason']);
    const message = textOf(condition['message']);
    const when = timeOf(condition['lastTransitionTime']);
    const cited = reading.cite(`${pointer}/${index}`, [`${type}: ${status}`, reason, message].filter(Boolean).join(' '));
    reading.fact('workload.condition', about, { type, status, ...known({ reason, message: reading.message(message) }) }, cited, when);
    const bad = BAD_WHEN_TRUE.has(type) ? status === 'True' : status !== 'True';
    if (message !== undefined && bad) reading.say('workload', about, message, cited, when === undefined ? {} : { when });
  }
}

/** What the template wants stands for pods nobody listed: about the workload and its containers. */
function templateFacts(reading: ObjectReading, about: EntityId, type: string, spec: JsonRecord, pointer: string): void {
  const holder = type === 'CronJob' ? recordOf(recordOf(spec['jobTemplate'])['spec']) : spec;
  const template = recordOf(recordOf(holder['template'])['spec']);
  if (Object.keys(template).length === 0) return;
  const at = type === 'CronJob' ? `${pointer}/jobTemplate/spec/template/spec` : `${pointer}/template/spec`;
  podSpecFacts(reading, { about, container: (name) => workloadContainerId(about, name) }, template, at);
}
