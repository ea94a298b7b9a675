import type { EntityId } from '../../model/entity.ts';
import type { Fact, Symptom } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';

/** Workloads that get no pods, claims that get no volume. */
export function deriveObjectSymptoms(base: FactBase): void {
  const told = new Set<string>();
  function show(from: Fact, symptom: Symptom, detail: string): void {
    const key = `${from.about}|${symptom}`;
    if (told.has(key)) return;
    told.add(key);
    base.add({ kind: 'object.symptom', about: from.about, cited: from.cited, symptom, detail, ...(from.hearsay ? { hearsay: true } : {}) });
  }
  for (const event of base.all('object.event')) {
    if (event.reason === 'FailedCreate') show(event, 'no-pods', event.reason);
    if (/^(?:ProvisioningFailed|FailedBinding|VolumeFailedDelete)$/.test(event.reason) && !isBound(base, event.about))
      show(event, 'volume-pending', event.reason);
  }
  for (const status of base.all('object.status')) {
    if (status.about.startsWith('Object/PersistentVolumeClaim/') && /^(?:Pending|Lost)\b/.test(status.status))
      show(status, 'volume-pending', status.status);
  }
}

function isBound(base: FactBase, claim: EntityId): boolean {
  return base.of('object.status', claim).some(({ status }) => /^Bound\b/.test(status));
}
