import type { EntityId } from '../../model/entity.ts';
import type { Fact, Symptom } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';

const JOB_OVER = /^(?:BackoffLimitExceeded|DeadlineExceeded|FailedIndexes|MaxFailedIndexesExceeded|PodFailurePolicy)$/;

/** Workloads that get no pods, claims that get no volume. */
export function deriveObjectSymptoms(base: FactBase): void {
  const told = new Set<string>();
  /** Jobs whose pods show the trouble themselves. */
  let spoken: ReadonlySet<EntityId> | undefined;
  function isSpokenFor(job: EntityId): boolean {
    spoken ??= new Set(base.all('pod.symptom').map(({ about }) => base.topology.workloadOf(about)));
    return spoken.has(job);
  }
  function show(from: Fact, symptom: Symptom, detail: string): void {
    const key = `${from.about}|${symptom}`;
    if (told.has(key)) return;
    told.add(key);
    base.add({ kind: 'object.symptom', about: from.about, cited: from.cited, symptom, detail, ...(from.hearsay ? { hearsay: true } : {}) });
  }
  for (const event of base.all('object.event')) {
    if (event.reason === 'FailedCreate') show(event, 'no-pods', event.reason);
    if (
      JOB_OVER.test(event.reason) &&
      event.about.startsWith('Workload/Job/') &&
      (event.lastAgo ?? 0) < DAY_SECONDS &&
      !isSpokenFor(event.about)
    )
      show(event, 'failed', event.reason);
    if (/^(?:ProvisioningFailed|FailedBinding|VolumeFailedDelete)$/.test(event.reason) && !isBound(base, event.about))
      show(event, 'volume-pending', event.reason);
  }
  for (const status of base.all('object.status')) {
    if (status.about.startsWith('Object/PersistentVolumeClaim/') && /^(?:Pending|Lost)\b/.test(status.status) && !isYoung(status))
      show(status, 'volume-pending', status.status);
    if (status.about.startsWith('Workload/Job/') && /^Failed\b/.test(status.status) && !isOldRun(status) && !isSpokenFor(status.about))
      show(status, 'failed', status.status);
    if (status.about.startsWith('Object/EtcdMember/') && /^(?:unhealthy|alarm)\b/.test(status.status))
      show(status, 'control-plane-down', status.detail ?? status.status);
  }
}

const YOUNG_SECONDS = 30;
const DAY_SECONDS = 24 * 60 * 60;

/** Binding takes a few seconds where all is well. */
function isYoung({ ageSeconds }: Fact<'object.status'>): boolean {
  return ageSeconds !== undefined && ageSeconds < YOUNG_SECONDS;
}

/** A cron job keeps its last failed run for as long as it runs: their names end in the minute they were due. */
function isOldRun({ about, ageSeconds }: Fact<'object.status'>): boolean {
  return /-\d{8,10}$/.test(about) && (ageSeconds ?? 0) > DAY_SECONDS;
}

function isBound(base: FactBase, claim: EntityId): boolean {
  return base.of('object.status', claim).some(({ status }) => /^Bound\b/.test(status));
}
