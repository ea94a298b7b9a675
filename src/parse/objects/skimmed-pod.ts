import type { EntityId } from '../../model/entity.ts';
import type { ObjectReading } from './object-reading.ts';

/** What a list keeps of a healthy pod. */
export interface SkimmedPod {
  readonly about: EntityId;
  readonly namespace: string | undefined;
  readonly node: EntityId | undefined;
  readonly workload: EntityId | undefined;
  readonly containers: number;
  /** The newest time stamp, or the one known before when none is newer. */
  readonly newest: string;
}

/** Tells of a healthy pod that was only skimmed what is told of one that was read. */
export function skimmedPodFacts(reading: ObjectReading, pod: SkimmedPod, pointer: string): void {
  const { about, namespace, node, workload, containers } = pod;
  reading.pods++;
  reading.objects++;
  reading.clock.see(pod.newest);
  if (node !== undefined) {
    reading.sink.edge({ type: 'runs-on', pod: about, node });
    reading.placed(about);
  }
  if (workload !== undefined) reading.sink.edge({ type: 'owned-by', pod: about, workload });
  reading.lookout.listed('pod-status', about, namespace);
  reading.lookout.listed('pod-spec', about, namespace);
  const payload = { status: 'Running', readyContainers: containers, containers, restarts: 0, phase: 'Running' };
  const cited = { doc: reading.doc, at: { pointer: `${pointer}/status` }, quote: reading.clean('phase: Running') };
  reading.fact('pod.status', about, payload, cited);
}
