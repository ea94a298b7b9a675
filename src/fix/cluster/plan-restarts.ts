import type { ClusterPort } from '../../collect/cluster/port.ts';
import { budgetLines, podsOf } from './affected.ts';
import type { LiveObject } from './cluster-plan.ts';
import { textAt, uidOf } from './meta.ts';
import { planRestarts, type RestartStep } from './pod-restarts.ts';
import { nameOfRef, refOf } from './refs.ts';
import type { LivePod, Resolved, Workload } from './resolve.ts';
import type { Surroundings } from './surroundings.ts';

interface PlannedRestarts {
  readonly steps: readonly RestartStep[];
  readonly refused: readonly string[];
  readonly affected: readonly string[];
  readonly notes: readonly string[];
}

/** The incident's pods, but for those that get new ones by a change of their workload anyway. */
export async function planIncidentRestarts(
  port: ClusterPort,
  resolved: Resolved,
  rolling: readonly Workload[],
  around: Surroundings,
): Promise<PlannedRestarts> {
  const pods = await podsOfIncident(resolved, around);
  const replaced = await uidsOf(rolling, around);
  const running = pods.filter(({ object }) => !replaced.has(uidOf(object)) && textAt(object, ['status', 'phase']) !== 'Succeeded');
  const { steps, refused } = await planRestarts(port, running);
  const notes = [
    ...resolved.lost.map((line) => `${line}.`),
    ...pods
      .filter((pod) => replaced.has(uidOf(pod.object)))
      .map(({ ref }) => `${nameOfRef(ref)} is replaced by the change of its workload.`),
    ...(pods.length === 0 ? ['No pod of the incident is there to be restarted.'] : []),
  ];
  return { steps, refused, affected: await budgetsOf(steps, running, around), notes };
}

/** Where victims are workloads, or pods that were replaced since, the pods there are now. */
async function podsOfIncident({ pods, workloads }: Resolved, around: Surroundings): Promise<readonly LivePod[]> {
  if (pods.length > 0) return pods;
  const found: LivePod[] = [];
  for (const workload of workloads) {
    for (const object of (await podsOf(workload, around)) ?? []) {
      const ref = refOf('Pod', workload.ref.namespace, textAt(object, ['metadata', 'name']) ?? '');
      if (ref) found.push({ ref, object });
    }
  }
  return found;
}

async function uidsOf(workloads: readonly Workload[], around: Surroundings): Promise<ReadonlySet<string>> {
  const pods: LiveObject[] = [];
  for (const workload of workloads) pods.push(...((await podsOf(workload, around)) ?? []));
  return new Set(pods.map(uidOf));
}

async function budgetsOf(steps: readonly RestartStep[], pods: readonly LivePod[], around: Surroundings): Promise<string[]> {
  const evicted = new Set(steps.filter(({ by }) => by === 'eviction').map(({ uid }) => uid));
  const lines: string[] = [];
  for (const namespace of new Set(steps.map(({ object }) => object.namespace ?? ''))) {
    const here = pods.filter(({ ref, object }) => ref.namespace === namespace && evicted.has(uidOf(object)));
    lines.push(
      ...(await budgetLines(
        namespace,
        here.map(({ object }) => object),
        'eviction',
        around,
      )),
    );
  }
  return lines;
}
