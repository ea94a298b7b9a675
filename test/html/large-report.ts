import type { Incident, Report } from '../../src/model/report.ts';
import { cite, reason } from './cite.ts';
import { NODE_INCIDENT } from './node-incident.ts';
import { FOUND } from './sample-report.ts';

/** Thirty victims, two hundred citations, five incidents, one of each kind of place. */
export function largeReport(): Report {
  const victims = Array.from({ length: 30 }, (_, index) => ({
    id: `Pod/team-${index % 5}/service-${index}-6d5f7c8b9-abc${index}`,
    name: `team-${index % 5}/service-${index}-6d5f7c8b9-abc${index}`,
    symptoms: [index % 3 === 0 ? ('pending' as const) : ('image-pull' as const)],
    node: `heron-${index % 4}`,
    cited: [cite('all.log', index * 5 + 1, `service-${index} failed`)],
  }));
  const lines = Array.from(
    { length: 260 },
    (_, index) =>
      `2025-05-04T09:${String(index % 60).padStart(2, '0')}:00Z service-${index} failed: dial tcp 10.0.0.${index % 250}:443: i/o timeout`,
  );
  const many = Array.from({ length: 200 }, (_, index) => cite('all.log', index + 1, `dial tcp 10.0.0.${index % 250}:443: i/o timeout`));
  const places = [
    ['Cluster/-', 'the cluster', 'network'],
    ['Namespace/team-1', 'namespace team-1', 'policy'],
    ['Object/PersistentVolumeClaim/team-2/data-db-0', 'claim team-2/data-db-0', 'storage'],
    ['Container/team-3/service-3-6d5f7c8b9-abc3/web', 'container web of team-3/service-3', 'app'],
    ['Workload/StatefulSet/team-4/db', 'statefulset team-4/db', 'config'],
    ['Node/?', 'this node', 'kubelet'],
  ] as const;
  const incidents = places.map(
    ([placeId, place, area], index): Incident => ({
      ...NODE_INCIDENT,
      number: index + 1,
      placeId,
      place,
      area,
      title: `fault number ${index + 1} at ${place}`,
      confidence: (['certain', 'probable', 'possible'] as const)[index % 3] ?? 'possible',
      victims: index === 0 ? victims : victims.slice(index, index + 5 - (index % 5)),
      victimCount: index === 0 ? 34 : 5 - (index % 5),
      because: index === 0 ? [{ ...reason('many', 'proves', 'connections time out', ...many), count: 412 }] : NODE_INCIDENT.because,
      timeline: Array.from({ length: 24 }, (_, at) => ({
        ago: at < 20 ? at * 11 + 3 : at * 90_000,
        what: 'Restart',
        about: victims[at % 11]?.name ?? '',
        tone: at % 3 === 0 ? 'bad' : 'normal',
        count: 1 + (at % 4),
        cited: [],
      })),
    }),
  );
  return { ...FOUND, incidents, excerpts: [...FOUND.excerpts, { doc: 'all.log', first: 1, lines }] };
}
