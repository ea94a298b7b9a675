import { stringify } from 'yaml';
import type { ClusterPlan, ClusterStep, ObjectRef } from './cluster-plan.ts';
import { nameOfRef } from './refs.ts';

export interface PatchFile {
  readonly name: string;
  readonly text: string;
}

type PatchStep = Extract<ClusterStep, { readonly kind: 'patch' }>;

/** A strategic merge patch for each changed object, to be applied or put where its owner takes it from. */
export function patchFiles(plan: ClusterPlan): readonly PatchFile[] {
  return patchesOf(plan).map((step) => ({ name: fileName(step.object), text: patchText(step, [applied(step.object)]) }));
}

/** The same for a repository with kustomize: a kustomization that takes the patches up, and these. Nodes are in none. */
export function kustomizeFiles(plan: ClusterPlan): readonly PatchFile[] {
  const steps = patchesOf(plan).filter(({ object }) => object.kind !== 'Node');
  if (steps.length === 0) return [];
  const files = steps.map((step) => ({ name: fileName(step.object), text: patchText(step, []) }));
  return [{ name: 'kustomization.yaml', text: kustomization(steps.map(({ object }) => object)) }, ...files];
}

function patchesOf({ steps }: ClusterPlan): PatchStep[] {
  return steps.filter((step): step is PatchStep => step.kind === 'patch' && step.fragment !== undefined);
}

/** Names were checked when they were read, so they are also names of files. */
function fileName({ kind, namespace, name }: ObjectRef): string {
  return `${[kind.toLowerCase(), namespace, name].filter((part) => part !== undefined).join('-')}.patch.yaml`;
}

function applied(ref: ObjectRef): string {
  const namespace = ref.namespace === undefined ? '' : ` -n ${ref.namespace}`;
  return `Apply it with: kubectl patch ${ref.kind.toLowerCase()} ${ref.name}${namespace} --type strategic --patch-file ${fileName(ref)}`;
}

function patchText(step: PatchStep, how: readonly string[]): string {
  const told = [step.says, ...step.diff, ...how, ...(step.owner ? [`Managed by ${step.owner.what}.`, ...step.owner.belongs] : [])];
  return `${comment(told)}${yaml(step.fragment)}`;
}

function kustomization(refs: readonly ObjectRef[]): string {
  const patches = refs.map((ref) => ({ path: fileName(ref), target: targetOf(ref) }));
  const told = [
    'Add these patches to the kustomization.yaml of the overlay, beside its resources:',
    ...refs.map((ref) => `${fileName(ref)} changes ${nameOfRef(ref)}`),
  ];
  return `${comment(told)}${yaml({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', patches })}`;
}

/** Without a namespace: in a repository it is often set by the overlay only, and a target would then match nothing. */
function targetOf({ apiVersion, kind, name }: ObjectRef): Readonly<Record<string, string>> {
  const [first = '', second] = apiVersion.split('/');
  return { ...(second === undefined ? {} : { group: first }), version: second ?? first, kind, name };
}

function comment(lines: readonly string[]): string {
  return lines.map((line) => `# ${line.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')}\n`).join('');
}

/** As YAML 1.1 reads it too, where `on` and `1_000` are no texts. */
function yaml(value: unknown): string {
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false });
}
