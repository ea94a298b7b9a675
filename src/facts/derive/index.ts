import type { FactBase } from '../fact-base.ts';
import { deriveHangs } from './hangs.ts';
import { deriveLonePulls } from './lone-pulls.ts';
import { deriveMinorSymptoms } from './minor-symptoms.ts';
import { deriveDockerLink, deriveDockerRuntime, deriveDriverFollowsRuntime } from './node-runtime.ts';
import { deriveNodeSymptoms } from './node-symptoms.ts';
import { deriveNodeWide } from './node-wide.ts';
import { deriveObjectSymptoms } from './object-symptoms.ts';
import { deriveProbeFailures } from './probe-failures.ts';
import { deriveReferences } from './references.ts';
import { deriveStops } from './stops.ts';
import { deriveSymptoms } from './symptoms.ts';
import { deriveUnschedulable } from './unschedulable.ts';

/** Shared arithmetic, done once: symptoms, silence, contradictions. Rules see only the results. */
export function deriveFacts(base: FactBase): void {
  deriveStops(base);
  deriveHangs(base);
  deriveSymptoms(base);
  deriveLonePulls(base);
  deriveNodeSymptoms(base);
  deriveObjectSymptoms(base);
  deriveNodeWide(base);
  deriveDriverFollowsRuntime(base);
  deriveDockerRuntime(base);
  deriveDockerLink(base);
  deriveReferences(base);
  deriveUnschedulable(base);
  deriveProbeFailures(base);
  deriveMinorSymptoms(base);
}
