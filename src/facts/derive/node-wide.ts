import type { EntityId } from '../../model/entity.ts';
import type { Fact } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

/** Several unrelated workloads that restart on one node point below them. */
export function deriveNodeWide(base: FactBase): void {
  const byNode = new Map<EntityId, Fact<'pod.symptom'>[]>();
  for (const symptom of base.all('pod.symptom')) {
    if (symptom.symptom !== 'crash-loop' && symptom.symptom !== 'restarts') continue;
    const node = base.topology.nodeOf(symptom.about);
    if (node === undefined) continue;
    const known = byNode.get(node);
    if (known) known.push(symptom);
    else byNode.set(node, [symptom]);
  }
  for (const [node, symptoms] of byNode) {
    const pods = [...new Set(symptoms.map(({ about }) => about))];
    const workloads = new Set(pods.map((pod) => base.topology.workloadOf(pod))).size;
    if (workloads < 2) continue;
    base.add({ kind: 'node.unrelated-restarts', about: node, cited: citedOf(symptoms, 6), pods, workloads });
  }
}
