import { type EntityId, entityOf, THIS_NODE, UNKNOWN } from '../../model/entity.ts';
import type { Fact, Symptom } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';

/** Nodes, kubelets and runtimes that are not well: evidence may hold no pod at all. */
export function deriveNodeSymptoms(base: FactBase): void {
  const told = new Set<string>(base.all('node.symptom').map(({ about, symptom }) => `${about}|${symptom}`));
  function show(about: EntityId, symptom: Symptom, from: Fact, detail?: string): void {
    const key = `${about}|${symptom}`;
    if (told.has(key)) return;
    told.add(key);
    base.add({
      kind: 'node.symptom',
      about,
      cited: from.cited,
      symptom,
      ...(detail ? { detail } : {}),
      ...(from.hearsay ? { hearsay: true } : {}),
    });
  }
  for (const status of base.all('node.status')) {
    if (/NotReady|Unknown/.test(status.status)) show(status.about, 'node-not-ready', status, status.status);
  }
  for (const condition of base.all('node.condition')) {
    const bad = condition.type === 'Ready' ? condition.status !== 'True' : condition.status === 'True' && /Pressure$/.test(condition.type);
    if (bad) show(condition.about, 'node-not-ready', condition, condition.reason);
  }
  for (const status of base.all('object.status')) {
    if (status.status !== 'unreachable' || !status.about.startsWith('Object/APIServer/')) continue;
    const { name } = entityOf(status.about);
    // kubectl names an address, not a host: it speaks of the machine the rest of the evidence is from.
    const detail = name === UNKNOWN ? 'the API server does not answer' : `the API server at ${name} does not answer`;
    show(base.identity.resolve(THIS_NODE), 'control-plane-down', status, detail);
  }
  for (const unit of base.all('unit.state')) {
    const down = /failed|activating|auto-restart|inactive/.test(`${unit.active} ${unit.sub ?? ''}`) || (unit.restarts ?? 0) >= 3;
    if (!down) continue;
    if (/^kubelet(\.service)?$/.test(unit.unit)) show(unit.about, 'kubelet-down', unit, unit.active);
    if (/^(containerd|docker|crio|cri-docker|cri-dockerd)(\.service)?$/.test(unit.unit))
      show(unit.about, 'runtime-down', unit, unit.active);
  }
}
