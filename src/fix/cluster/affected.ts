import type { LiveObject } from './cluster-plan.ts';
import { valueAt } from './json-pointer.ts';
import { numberAt, recordAt, textAt } from './meta.ts';
import { nameOfRef } from './refs.ts';
import type { Workload } from './resolve.ts';
import { labelsOf, selects } from './selectors.ts';
import type { Listed, Surroundings } from './surroundings.ts';
import { shown } from './values.ts';

const MOST_NAMES = 10;

/** Which pods a change of a workload's template replaces, and how fast. */
export async function restartsOf(workload: Workload, around: Surroundings): Promise<string> {
  const { ref, object } = workload;
  const name = nameOfRef(ref);
  if (ref.kind === 'CronJob') return `${name}: from its next run on; jobs that run now stay as they are.`;
  const pods = await podsOf(workload, around);
  if (pods === undefined) return `${name}: its pods ${paceOf(ref.kind, object)}; which ones they are may not be read.`;
  if (ref.kind === 'Pod') return `${name} restarts its container in place.`;
  if (pods.length === 0) return `${name}: has no pods now; the next ones are made from the new template.`;
  const many = pods.length === 1 ? 'one pod, which will' : `${pods.length} pods, which will`;
  return `${name}: ${many} ${paceOf(ref.kind, object)}: ${namesOf(pods)}.`;
}

/** All that a workload runs now. */
export async function podsOf({ ref, object }: Workload, around: Surroundings): Promise<Listed> {
  if (ref.kind === 'Pod') return [object];
  const selector = valueAt(object, ['spec', 'selector']);
  const wanted = ref.kind === 'ReplicationController' ? { matchLabels: selector } : selector;
  if (Object.keys(recordAt(object, ['spec', 'selector'])).length === 0) return [];
  return (await around.pods(ref.namespace ?? ''))?.filter((pod) => selects(wanted, labelsOf(pod)));
}

/** Whether a new template brings new pods by itself. */
export function replacesPods({ ref, object }: Workload): boolean {
  if (ref.kind === 'Deployment') return valueAt(object, ['spec', 'paused']) !== true;
  return (ref.kind === 'DaemonSet' || ref.kind === 'StatefulSet') && textAt(object, ['spec', 'updateStrategy', 'type']) !== 'OnDelete';
}

function paceOf(kind: string, object: unknown): string {
  const strategy = textAt(object, ['spec', 'strategy', 'type']) ?? textAt(object, ['spec', 'updateStrategy', 'type']);
  if (kind === 'ReplicaSet' || kind === 'ReplicationController') return 'stay as they are until they are deleted';
  if (strategy === 'OnDelete') return 'stay as they are until they are deleted (update strategy OnDelete)';
  if (kind === 'Deployment' && valueAt(object, ['spec', 'paused']) === true) return 'stay as they are until it is resumed (it is paused)';
  if (kind === 'Deployment' && strategy === 'Recreate') return 'restart, all at once (strategy Recreate)';
  const partition = numberAt(object, ['spec', 'updateStrategy', 'rollingUpdate', 'partition']) ?? 0;
  return partition > 0 ? `restart from number ${partition} on, one at a time (partition)` : 'restart, a few at a time';
}

function namesOf(pods: readonly LiveObject[]): string {
  const names = pods.map((pod) => shown(textAt(pod, ['metadata', 'name'])));
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** What the budgets over some pods of a namespace allow right now; a rollout does not ask them, an eviction does. */
export async function budgetLines(
  namespace: string,
  pods: readonly LiveObject[],
  by: 'rollout' | 'eviction',
  around: Surroundings,
): Promise<string[]> {
  return ((await around.budgets(namespace)) ?? []).flatMap((budget) => {
    const covered = pods.filter((pod) => selects(valueAt(budget, ['spec', 'selector']), labelsOf(pod))).length;
    return covered === 0 ? [] : [budgetLine(budget, namespace, covered, by)];
  });
}

function budgetLine(budget: LiveObject, namespace: string, covered: number, by: 'rollout' | 'eviction'): string {
  const name = `PodDisruptionBudget ${namespace}/${shown(textAt(budget, ['metadata', 'name']))}`;
  const allowed = numberAt(budget, ['status', 'disruptionsAllowed']) ?? 0;
  const healthy = `${numberAt(budget, ['status', 'currentHealthy']) ?? 0} healthy, ${numberAt(budget, ['status', 'desiredHealthy']) ?? 0} wanted`;
  const over = covered === 1 ? 'one of these pods' : `${covered} of these pods`;
  const many = allowed === 0 ? 'no disruption' : allowed === 1 ? 'one disruption' : `${allowed} disruptions`;
  const then = by === 'rollout' ? '; a rollout does not ask it' : allowed === 0 ? '; evictions wait' : '';
  return `${name} covers ${over} and allows ${many} now (${healthy})${then}.`;
}
