import { entityOf } from '../model/entity.ts';
import type { Incident, Report, Touched, Victim } from '../model/report.ts';

/** The report without the incidents that do not touch the thing; how many those were stays in it. */
export function about(report: Report, thing: Touched): Report {
  const incidents = report.incidents.filter(
    (incident) => isPlacedAt(incident, thing) || incident.victims.some((victim) => isHit(victim, thing)),
  );
  const undecided = report.undecided.filter(({ victims }) => victims.length === 0 || victims.some((victim) => isHit(victim, thing)));
  const others = report.incidents.length - incidents.length;
  const verdict = incidents.length > 0 ? 'found' : undecided.length > 0 ? 'undecided' : 'healthy';
  return {
    ...report,
    verdict,
    incidents: incidents.map((one, index) => ({ ...one, number: index + 1 })),
    undecided,
    ...(others > 0 ? { elsewhere: others } : {}),
  };
}

function isPlacedAt({ placeId }: Incident, thing: Touched): boolean {
  return isIt(placeId, thing);
}

function isHit({ id, node }: Victim, thing: Touched): boolean {
  return isIt(id, thing) || (thing.kind === 'Node' && node === thing.name);
}

/** Pods of a workload carry its name before their own suffix. */
function isIt(id: string, { kind, name }: Touched): boolean {
  const entity = entityOf(id);
  if (kind === 'Namespace') return entity.namespace === name || (entity.kind === 'Namespace' && entity.name === name);
  const parts = id.split('/');
  if (kind === 'Pod' || kind === 'Node') return parts.includes(name);
  return parts.includes(name) || (entity.kind === 'Pod' && entity.name.startsWith(`${name}-`));
}
