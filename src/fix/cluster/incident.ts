import type { ClusterPort } from '../../collect/cluster/port.ts';
import { entityOf, UNKNOWN } from '../../model/entity.ts';
import type { ClusterIncident } from './cluster-plan.ts';
import { type Resolved, resolveVictims } from './resolve.ts';

/** By the victims; where those lead nowhere, by the place of the fault. */
export async function resolveIncident(port: ClusterPort, { victims, placeId }: ClusterIncident): Promise<Resolved> {
  const byVictims = await resolveVictims(port, victims);
  if (byVictims.workloads.length > 0) return byVictims;
  const byPlace = isInWorkload(placeId) && !victims.includes(placeId) ? await resolveVictims(port, [placeId]) : undefined;
  return byPlace === undefined ? byVictims : { ...byPlace, lost: [...byVictims.lost, ...byPlace.lost] };
}

function isInWorkload(id: string): boolean {
  return ['Pod', 'Container', 'Workload', 'WorkloadContainer'].includes(entityOf(id).kind);
}

/** The one container that an incident is about; undefined where it is about none, or about several. */
export function containerOf({ placeId, victims }: ClusterIncident): string | undefined {
  const place = containerName(placeId);
  if (place !== undefined) return place;
  const names = new Set(victims.map(containerName));
  return names.size === 1 ? [...names][0] : undefined;
}

function containerName(id: string): string | undefined {
  const { kind, name } = entityOf(id);
  return (kind === 'Container' || kind === 'WorkloadContainer') && name !== UNKNOWN ? name : undefined;
}
