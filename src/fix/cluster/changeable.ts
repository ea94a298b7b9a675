import { isMirrorPod } from './meta.ts';
import { belongsTo } from './owners.ts';
import type { WorkloadChange } from './plan-workload.ts';
import type { Workload } from './resolve.ts';
import { shown } from './values.ts';

/** Why a workload takes no change of its template, whatever the server would say. */
export function whyNot(workload: Workload, change: WorkloadChange): string | undefined {
  const { ref, object, cutOff } = workload;
  if (isMirrorPod(object)) return belongsTo(object)?.belongs.join(' ') ?? 'it is the image of a static pod';
  if (cutOff !== undefined) return `it is not the place for a change: ${cutOff}`;
  if (ref.kind === 'Job') {
    return `the template of a Job cannot be changed once it is made (see it with: kubectl -n ${ref.namespace} get job ${ref.name} -o yaml). Delete the Job and make it anew from its manifest, changed there`;
  }
  return ref.kind === 'Pod' ? whyNotPod(object, change) : undefined;
}

/** A live pod takes another image and more tolerations; the rest of it is as it was made. */
function whyNotPod(pod: unknown, change: WorkloadChange): string | undefined {
  const isTaken =
    (change.do === 'workload-set' && change.field === 'image') || (change.do === 'workload-add' && change.field === 'tolerations');
  if (isTaken) return undefined;
  const owner = belongsTo(pod);
  const fixed = `${shown(change.field)} of a pod cannot be changed while it lives`;
  if (owner?.by === 'operator') return `${fixed}. ${owner.belongs.join(' ')}`;
  return `${fixed}, and it has no controller that would make it anew. Delete it and make it anew from its manifest, changed there`;
}
