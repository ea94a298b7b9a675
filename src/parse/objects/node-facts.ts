import { type EntityId, nodeId, THIS_NODE } from '../../model/entity.ts';
import { type JsonRecord, known, listOf, recordOf, textOf, timeOf } from './json-value.ts';
import { type ObjectReading, secondsBefore } from './object-reading.ts';
import { conditionStatus } from './pod-status.ts';

export function nodeFacts(reading: ObjectReading, node: JsonRecord, pointer: string): void {
  const metadata = recordOf(node['metadata']);
  const spec = recordOf(node['spec']);
  const status = recordOf(node['status']);
  const name = textOf(metadata['name']);
  const about = name === undefined ? (reading.options.node ?? THIS_NODE) : reading.intern(nodeId(name));
  if (reading.listed) reading.lookout.listed('node-status', about, undefined);
  else reading.lookout.single('node-status', about, undefined, name === undefined ? 'excerpt' : 'whole');
  reading.clock.see(metadata['creationTimestamp']);
  const conditions = listOf(status['conditions']);
  statusFact(reading, about, metadata, spec['unschedulable'] === true, conditions, `${pointer}/status`);
  conditionFacts(reading, about, conditions, `${pointer}/status/conditions`);
  infoFact(reading, about, recordOf(status['nodeInfo']), `${pointer}/status/nodeInfo`);
  taintFacts(reading, about, listOf(spec['taints']), `${pointer}/spec/taints`);
}

function statusFact(
  reading: ObjectReading,
  about: EntityId,
  metadata: JsonRecord,
  unschedulable: boolean,
  conditions: readonly unknown[],
  pointer: string,
): void {
  if (conditions.length === 0 && !unschedulable) return;
  const ready = conditionStatus(conditions, 'Ready');
  const word = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  const status = unschedulable ? `${word},SchedulingDisabled` : word;
  const roles = rolesOf(recordOf(metadata['labels']));
  const created = timeOf(metadata['creationTimestamp']);
  const cited = reading.cite(pointer, `status: ${status}`);
  reading.later((now) => {
    reading.fact('node.status', about, { status, ...known({ roles, ageSeconds: secondsBefore(now, created) }) }, cited);
  });
}

const ROLE = 'node-role.kubernetes.io/';

function rolesOf(labels: JsonRecord): string | undefined {
  const roles: string[] = [];
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(ROLE) && key.length > ROLE.length) roles.push(key.slice(ROLE.length));
    else if (key === 'kubernetes.io/role' && textOf(value)) roles.push(String(value));
  }
  return roles.length === 0 ? undefined : [...new Set(roles)].sort().join(',');
}

function conditionFacts(reading: ObjectReading, about: EntityId, conditions: readonly unknown[], pointer: string): void {
  for (let index = 0; index < conditions.length; index++) {
    const condition = recordOf(conditions[index]);
    const type = textOf(condition['type']);
    const status = textOf(condition['status']);
    if (type === undefined || status === undefined) continue;
    reading.clock.see(condition['lastHeartbeatTime']);
    reading.clock.see(condition['lastTransitionTime']);
    const reason = textOf(condition['reason']);
    const message = textOf(condition['message']);
    const when = timeOf(condition['lastTransitionTime']);
    const cited = reading.cite(`${pointer}/${index}`, [`${type}: ${status}`, reason, message].filter(Boolean).join(' '));
    reading.fact('node.condition', about, { type, status, ...known({ reason, message: reading.message(message) }) }, cited, when);
    const good = type === 'Ready' ? 'True' : 'False';
    if (message === undefined || status === good) continue;
    reading.say('node-status', about, message, cited, when === undefined ? {} : { when });
  }
}

function infoFact(reading: ObjectReading, about: EntityId, info: JsonRecord, pointer: string): void {
  const version = textOf(info['containerRuntimeVersion']);
  const split = version?.indexOf('://') ?? -1;
  const keep = (key: string) => {
    const value = textOf(info[key]);
    return value === undefined ? undefined : reading.intern(value);
  };
  const payload = known({
    kubeletVersion: keep('kubeletVersion'),
    runtime: split > 0 ? version?.slice(0, split) : undefined,
    runtimeVersion: split > 0 ? version?.slice(split + 3) : version,
    osImage: keep('osImage'),
    kernel: keep('kernelVersion'),
    architecture: keep('architecture'),
    bootId: textOf(info['bootID']),
  });
  if (Object.keys(payload).length === 0) return;
  const words = [`kubeletVersion: ${payload.kubeletVersion ?? 'unknown'}`, `containerRuntimeVersion: ${version ?? 'unknown'}`];
  reading.fact('node.info', about, payload, reading.cite(pointer, words.join(', ')));
}

function taintFacts(reading: ObjectReading, about: EntityId, taints: readonly unknown[], pointer: string): void {
  for (let index = 0; index < taints.length; index++) {
    const taint = recordOf(taints[index]);
    const key = textOf(taint['key']);
    const effect = textOf(taint['effect']);
    if (key === undefined || effect === undefined) continue;
    const value = textOf(taint['value']);
    const quote = `taint: ${key}${value === undefined ? '' : `=${value}`}:${effect}`;
    reading.fact(
      'node.taint',
      about,
      { key, effect, ...known({ value }) },
      reading.cite(`${pointer}/${index}`, quote),
      timeOf(taint['timeAdded']),
    );
  }
}
