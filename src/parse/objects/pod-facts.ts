import { containerId, type EntityId, nodeId, podId, UNKNOWN, workloadId } from '../../model/entity.ts';
import { containerAlias, containerStatusFacts } from './container-facts.ts';
import { isRecord, type JsonRecord, known, listOf, numberOf, recordOf, textOf, timeOf } from './json-value.ts';
import { type ObjectReading, secondsBefore } from './object-reading.ts';
import { podSpecFacts } from './pod-spec-facts.ts';
import { conditionStatus, type PodStatus, podStatusOf } from './pod-status.ts';

interface Subject {
  readonly about: EntityId;
  readonly namespace: string | undefined;
  readonly named: boolean;
}

function subjectOf(reading: ObjectReading, metadata: JsonRecord): Subject {
  const name = textOf(metadata['name']);
  const namespace = textOf(metadata['namespace']) ?? reading.options.namespace;
  const about = name === undefined ? (reading.options.pod ?? podId(namespace, UNKNOWN)) : podId(namespace, name);
  return { about, namespace, named: name !== undefined };
}

export function podFacts(reading: ObjectReading, pod: JsonRecord, pointer: string): void {
  if (reading.listed && healthyPodFacts(reading, pod, pointer)) return;
  if (reading.listed && !looksWell(pod)) reading.nameItem(pointer, textOf(recordOf(pod['metadata'])['name']));
  const metadata = recordOf(pod['metadata']);
  const status = recordOf(pod['status']);
  const { about, namespace, named } = subjectOf(reading, metadata);
  reading.pods++;
  const own = newestTime(reading, metadata, status);
  edges(reading, about, pod, namespace);
  identities(reading, about, metadata, undefined);
  const hasStatus = textOf(status['phase']) !== undefined || Array.isArray(status['containerStatuses']);
  cover(reading, about, namespace, hasStatus, named && isRecord(pod['spec']));
  if (hasStatus) statusFacts(reading, about, podStatusOf(pod), `${pointer}/status`, timeOf(metadata['creationTimestamp']), own);
  deletionFacts(reading, about, metadata, `${pointer}/metadata`, own);
  statusMessages(reading, about, status, `${pointer}/status`);
  conditionFacts(reading, about, listOf(status['conditions']), `${pointer}/status/conditions`);
  const quiet = reading.listed ? quietContainers(status) : new Set<string>();
  podSpecFacts(reading, { about, container: (part) => containerId(about, part), quiet }, recordOf(pod['spec']), `${pointer}/spec`);
  for (const [key, init] of STATUS_LISTS) {
    const statuses = listOf(status[key]);
    for (let index = 0; index < statuses.length; index++) {
      containerStatusFacts(reading, recordOf(statuses[index]), `${pointer}/status/${key}/${index}`, { pod: about, init, own });
    }
  }
}

const STATUS_LISTS = [
  ['initContainerStatuses', true],
  ['containerStatuses', false],
  ['ephemeralContainerStatuses', false],
] as const;

/** Names of containers that run and never failed, or did their part at the start. */
function quietContainers(status: JsonRecord): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [key, init] of STATUS_LISTS) {
    for (const item of listOf(status[key])) {
      const container = recordOf(item);
      const name = textOf(container['name']);
      if (name === undefined || numberOf(container['restartCount']) !== 0) continue;
      const state = recordOf(container['state']);
      const done = init && recordOf(state['terminated'])['exitCode'] === 0;
      if (done || (container['ready'] === true && state['running'])) names.add(name);
    }
  }
  return names;
}

function looksWell(pod: JsonRecord): boolean {
  const { status, ready, containers, restarts } = podStatusOf(pod);
  return status === 'Running' && ready === containers && !restarts;
}

/** Of a healthy pod in a list only status and links are kept; false, and nothing told, when it is not healthy. */
function healthyPodFacts(reading: ObjectReading, pod: JsonRecord, pointer: string): boolean {
  const summary = podStatusOf(pod);
  const { status, phase } = summary;
  if (status === undefined || phase === undefined || !isHealthy(pod, summary)) return false;
  const metadata = recordOf(pod['metadata']);
  const { about, namespace } = subjectOf(reading, metadata);
  const named = reading.namesPods;
  reading.pods++;
  newestTime(reading, metadata, recordOf(pod['status']));
  edges(reading, about, pod, namespace);
  cover(reading, about, namespace, true, true);
  const payload = { status, readyContainers: summary.ready, containers: summary.containers, restarts: summary.restarts, phase };
  reading.fact('pod.status', about, payload, reading.cite(`${pointer}/status`, `phase: ${phase}`));
  if (named) identities(reading, about, metadata, recordOf(pod['status']));
  return true;
}

const TROUBLE_CONDITIONS: ReadonlySet<string> = new Set(['DisruptionTarget', 'PodResizePending', 'PodResizeInProgress']);

function isHealthy(pod: JsonRecord, summary: PodStatus): boolean {
  if (recordOf(pod['metadata'])['deletionTimestamp']) return false;
  if (summary.phase === 'Succeeded') return summary.status === 'Completed' || summary.status === 'Succeeded';
  if (summary.phase !== 'Running' || summary.status !== 'Running') return false;
  if (summary.restarts > 0 || summary.ready !== summary.containers) return false;
  const conditions = listOf(recordOf(pod['status'])['conditions']);
  if (conditionStatus(conditions, 'Ready') === 'False') return false;
  return !conditions.some((item) => TROUBLE_CONDITIONS.has(textOf(recordOf(item)['type']) ?? '') && recordOf(item)['status'] === 'True');
}

function newestTime(reading: ObjectReading, metadata: JsonRecord, status: JsonRecord): number | undefined {
  const { clock } = reading;
  let newest = '';
  const see = (value: unknown) => {
    if (typeof value !== 'string') return;
    clock.see(value);
    if (value > newest) newest = value;
  };
  see(metadata['creationTimestamp']);
  for (const condition of listOf(status['conditions'])) see(recordOf(condition)['lastTransitionTime']);
  for (const [key] of STATUS_LISTS) {
    for (const item of listOf(status[key])) {
      const container = recordOf(item);
      for (const state of [recordOf(container['state']), recordOf(container['lastState'])]) {
        see(recordOf(state['running'])['startedAt']);
        see(recordOf(state['terminated'])['finishedAt']);
      }
    }
  }
  return timeOf(newest);
}

function edges(reading: ObjectReading, about: EntityId, pod: JsonRecord, namespace: string | undefined): void {
  const node = textOf(recordOf(pod['spec'])['nodeName']);
  if (node !== undefined) {
    reading.sink.edge({ type: 'runs-on', pod: about, node: reading.intern(nodeId(node)) });
    reading.placed(about);
  }
  const workload = controllerOf(recordOf(pod['metadata']), namespace);
  if (workload !== undefined) reading.sink.edge({ type: 'owned-by', pod: about, workload: reading.intern(workload) });
}

/** Mirror pods are owned by their Node, which is no workload. */
function controllerOf(metadata: JsonRecord, namespace: string | undefined): EntityId | undefined {
  for (const item of listOf(metadata['ownerReferences'])) {
    const owner = recordOf(item);
    const kind = textOf(owner['kind']);
    const name = textOf(owner['name']);
    if (owner['controller'] !== true || kind === undefined || name === undefined || kind === 'Node') continue;
    return workloadId(kind, namespace, name);
  }
  return undefined;
}

function identities(reading: ObjectReading, about: EntityId, metadata: JsonRecord, status: JsonRecord | undefined): void {
  const uid = textOf(metadata['uid']);
  if (uid !== undefined) reading.alias(`uid:${uid}`, about);
  // The kubelet logs a static pod under the hash of its file, not under the uid of its mirror.
  const hash = textOf(recordOf(metadata['annotations'])['kubernetes.io/config.hash']);
  if (hash !== undefined && hash !== uid) reading.alias(`uid:${hash}`, about);
  for (const item of listOf(status?.['containerStatuses'])) {
    const container = recordOf(item);
    const alias = containerAlias(container['containerID']);
    const name = textOf(container['name']);
    if (alias !== undefined && name !== undefined) reading.alias(alias, containerId(about, name));
  }
}

function cover(reading: ObjectReading, about: EntityId, namespace: string | undefined, status: boolean, whole: boolean): void {
  for (const channel of status ? (['pod-status', 'pod-spec'] as const) : (['pod-spec'] as const)) {
    if (reading.listed) reading.lookout.listed(channel, about, namespace);
    else reading.lookout.single(channel, about, namespace, whole ? 'whole' : 'excerpt');
  }
}

function statusFacts(
  reading: ObjectReading,
  about: EntityId,
  summary: PodStatus,
  pointer: string,
  created: number | undefined,
  own: number | undefined,
): void {
  const { status } = summary;
  if (status === undefined) return;
  const cited = reading.cite(pointer, summary.phase === undefined ? `status: ${status}` : `phase: ${summary.phase}, status: ${status}`);
  reading.later((now) => {
    const limit = reading.options.now === undefined ? own : undefined;
    const payload = {
      status,
      readyContainers: summary.ready,
      containers: summary.containers,
      restarts: summary.restarts,
      ...known({
        lastRestartAgo: secondsBefore(now, summary.lastRestart, limit),
        ageSeconds: secondsBefore(now, created, limit),
        phase: summary.phase,
      }),
    };
    reading.fact('pod.status', about, payload, cited);
  });
}

function deletionFacts(reading: ObjectReading, about: EntityId, metadata: JsonRecord, pointer: string, own: number | undefined): void {
  const text = textOf(metadata['deletionTimestamp']);
  if (text === undefined) return;
  const deadline = timeOf(text);
  const graceSeconds = numberOf(metadata['deletionGracePeriodSeconds']);
  const finalizers = listOf(metadata['finalizers']).flatMap((item) => textOf(item) ?? []);
  const cited = reading.cite(`${pointer}/deletionTimestamp`, `deletionTimestamp: ${text}`);
  reading.later((now) => {
    const sinceSeconds = secondsBefore(now, deadline, reading.options.now === undefined ? own : undefined);
    // Without the time of day the pod's own newest time stamp says nothing about how far the deletion is.
    const dated = reading.options.now !== undefined || (own ?? 0) < (now ?? 0);
    const inGrace = dated && now !== undefined && deadline !== undefined && deadline > now ? (true as const) : undefined;
    const payload = known({ sinceSeconds, graceSeconds, inGrace, finalizers: finalizers.length > 0 ? finalizers : undefined });
    reading.fact('pod.deleting', about, payload, cited, deadline);
  });
}

function statusMessages(reading: ObjectReading, about: EntityId, status: JsonRecord, pointer: string): void {
  const message = textOf(status['message']);
  if (message === undefined) return;
  const reason = textOf(status['reason']);
  const cited = reading.cite(`${pointer}/message`, reason === undefined ? message : `${reason}: ${message}`);
  reading.say('pod-status', about, message, cited, { component: 'kubelet' });
}

function conditionFacts(reading: ObjectReading, about: EntityId, conditions: readonly unknown[], pointer: string): void {
  const said = new Set<string>();
  for (let index = 0; index < conditions.length; index++) {
    const condition = recordOf(conditions[index]);
    const type = textOf(condition['type']);
    const status = textOf(condition['status']);
    if (type === undefined || status === undefined) continue;
    if (reading.listed && status === 'True' && !TROUBLE_CONDITIONS.has(type)) continue;
    const reason = textOf(condition['reason']);
    const message = textOf(condition['message']);
    const cited = reading.cite(`${pointer}/${index}`, [`${type}: ${status}`, reason, message].filter(Boolean).join(' '));
    const when = timeOf(condition['lastTransitionTime']);
    reading.fact('pod.condition', about, { type, status, ...known({ reason, message: reading.message(message) }) }, cited, when);
    if (message === undefined || said.has(message)) continue;
    said.add(message);
    reading.say('pod-status', about, message, cited, {
      component: type === 'PodScheduled' ? 'scheduler' : 'kubelet',
      ...(when === undefined ? {} : { when }),
    });
  }
}
