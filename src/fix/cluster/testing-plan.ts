import { expect } from 'vitest';
import type { ClusterChange } from '../../model/change.ts';
import type { ClusterPlan, ClusterStep } from './cluster-plan.ts';
import { planCluster } from './plan-cluster.ts';
import { applyJsonPatch } from './testing-json-patch.ts';
import * as make from './testing-objects.ts';
import { type ApiOptions, type Stored, startApi, type TestApi } from './testing-plan-api.ts';

export type PatchStep = Extract<ClusterStep, { readonly kind: 'patch' }>;

const POD = 'Pod/shop/web-6b7f-abcde';
export const APP = ['spec', 'template', 'spec', 'containers', 0];

export interface Setup extends ApiOptions {
  readonly objects?: readonly Stored[];
  readonly victim?: string;
  readonly place?: string;
  readonly answers?: Readonly<Record<string, string>>;
}

/** A plan made against a server that has these objects; it must have written nothing. */
export async function planned(changes: readonly ClusterChange[], setup: Setup = {}): Promise<ClusterPlan & { readonly api: TestApi }> {
  const { objects = make.shop(), victim = POD, place = victim, answers = {}, ...options } = setup;
  const api = await startApi(objects, options);
  const plan = await planCluster(api.port, changes, make.incident(victim, place), new Map(Object.entries(answers)));
  expect(api.writes()).toEqual([]);
  return { ...plan, api };
}

export function patchIn({ steps }: ClusterPlan): PatchStep {
  expect(steps.map(({ kind }) => kind)).toEqual(['patch']);
  return steps[0] as PatchStep;
}

/** The object after the patch, having seen that the way back leads to what it was. */
export function changed(step: PatchStep, before: unknown): unknown {
  const after = applyJsonPatch(before, step.patch);
  expect(applyJsonPatch(after, step.reverse)).toEqual(before);
  // Whoever comes back after a cut-off must be able to tell which of the two it finds.
  expect(() => applyJsonPatch(after, step.patch)).toThrow();
  expect(() => applyJsonPatch(before, step.reverse)).toThrow();
  return after;
}

/** The change of most tests. */
export const raise = {
  do: 'workload-set',
  container: 'app',
  field: 'resources.limits.memory',
  value: 'x2',
} as const satisfies ClusterChange;
