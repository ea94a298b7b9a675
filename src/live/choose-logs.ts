import type { LogWanted } from '../collect/cluster/container-logs.ts';
import type { FactBase } from '../facts/fact-base.ts';
import { containerId, type EntityId, entityOf } from '../model/entity.ts';
import type { Scope } from '../reason/scope.ts';
import type { Wanted } from '../reason/wanted.ts';

/** Replicas that fail alike say alike, so two of a workload are heard. */
const PODS_PER_WORKLOAD = 2;
const CONTAINERS_PER_POD = 4;

/** What was asked for over all rounds. */
export interface LogsHeard {
  readonly tried: Set<string>;
  readonly podsOf: Map<EntityId, Set<EntityId>>;
}

/** The containers whose logs tell most; at most `limit` over all rounds. */
export function chooseLogs(wanted: readonly Wanted[], base: FactBase, scope: Scope, heard: LogsHeard, limit: number): LogWanted[] {
  const { tried, podsOf } = heard;
  const chosen: LogWanted[] = [];
  for (const { about } of wanted) {
    const pod = podOf(about);
    if (pod === undefined) continue;
    const workload = base.topology.workloadOf(pod);
    const pods = podsOf.get(workload) ?? new Set<EntityId>();
    podsOf.set(workload, pods);
    if (!pods.has(pod) && pods.size >= PODS_PER_WORKLOAD) continue;
    pods.add(pod);
    for (const log of logsOf(pod, about, base, scope)) {
      const key = `${log.namespace}/${log.pod}/${log.container}/${log.previous}`;
      if (tried.has(key)) continue;
      if (tried.size >= limit) return chosen;
      tried.add(key);
      chosen.push(log);
    }
  }
  return chosen;
}

function podOf(about: EntityId): EntityId | undefined {
  const entity = entityOf(about);
  if (entity.kind === 'Pod') return about;
  return entity.kind === 'Container' ? entity.parent : undefined;
}

function logsOf(pod: EntityId, about: EntityId, base: FactBase, scope: Scope): LogWanted[] {
  const { namespace, name } = entityOf(pod);
  if (namespace === undefined) return [];
  const logs: LogWanted[] = [];
  for (const container of containersOf(pod, about, base, scope)) {
    const id = containerId(pod, container);
    const restarted = base.of('container.restarts', id).some(({ count }) => count > 0);
    const ended = base.of('container.terminated', id);
    const started = restarted || ended.length > 0 || base.of('container.running', id).length > 0;
    if (!started) continue;
    const of = { namespace, pod: name, container };
    if (restarted || ended.some(({ which }) => which === 'last')) logs.push({ ...of, previous: true });
    logs.push({ ...of, previous: false });
  }
  return logs;
}

/** The ones in trouble; all of a pod's when none stands out. */
function containersOf(pod: EntityId, about: EntityId, base: FactBase, scope: Scope): readonly string[] {
  if (entityOf(about).kind === 'Container') return [entityOf(about).name];
  const names = scope.containers(pod).map((id) => entityOf(id).name);
  const troubled = names.filter((name) => isTroubled(containerId(pod, name), base));
  return (troubled.length > 0 ? troubled : names).slice(0, CONTAINERS_PER_POD);
}

function isTroubled(id: EntityId, base: FactBase): boolean {
  return (
    base.of('container.waiting', id).some(({ reason }) => reason !== 'PodInitializing' && reason !== 'ContainerCreating') ||
    base.of('container.restarts', id).some(({ count }) => count > 0) ||
    base.of('container.terminated', id).some(({ exitCode }) => exitCode !== 0) ||
    base.of('container.running', id).some(({ ready, init }) => ready === false || init === true)
  );
}
