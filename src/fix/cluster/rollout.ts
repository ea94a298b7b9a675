import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../collect/cluster/list-meta.ts';
import type { ClusterPort } from '../../collect/cluster/port.ts';
import { getObject, listObjects, patchObject, tried } from './api.ts';
import type { ClusterStep, LiveObject, ObjectRef } from './cluster-plan.ts';
import { annotationOf, controllerOf, numberAt, recordAt, textAt, uidOf } from './meta.ts';
import { belongsTo } from './owners.ts';
import { nameOfRef, refOf } from './refs.ts';
import type { Workload } from './resolve.ts';
import { templateDiff } from './template-diff.ts';

export type RolloutStep = Extract<ClusterStep, { readonly kind: 'rollout' }>;

interface Revision {
  readonly name: string;
  readonly number: number;
  readonly template: unknown;
}

const REVISED: Readonly<Record<string, 'ReplicaSet' | 'ControllerRevision'>> = {
  Deployment: 'ReplicaSet',
  StatefulSet: 'ControllerRevision',
  DaemonSet: 'ControllerRevision',
};

function revisionOf(object: LiveObject, kind: string): Revision {
  const name = textAt(object, ['metadata', 'name']) ?? '';
  if (kind === 'ControllerRevision') {
    return { name, number: numberAt(object, ['revision']) ?? 0, template: plain(recordAt(object, ['data', 'spec', 'template'])) };
  }
  const number = Number(annotationOf(object, 'deployment.kubernetes.io/revision') ?? 0);
  return { name, number: Number.isFinite(number) ? number : 0, template: plain(recordAt(object, ['spec', 'template'])) };
}

/** Without what controllers add to a template and what is only there as null. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key, inner]) => inner !== null && key !== '$patch' && key !== 'pod-template-hash');
  return Object.fromEntries(kept.map(([key, inner]) => [key, plain(inner)]));
}

function templateOf(object: LiveObject): unknown {
  return plain(recordAt(object, ['spec', 'template']));
}

export async function planRollout(port: ClusterPort, { ref, object }: Workload): Promise<RolloutStep | { readonly why: string }> {
  const kind = REVISED[ref.kind];
  if (!kind) return { why: `${nameOfRef(ref)} keeps no earlier revisions to go back to` };
  if (recordAt(object, ['spec'])['paused'] === true) return { why: `${nameOfRef(ref)} is paused; resume it first: kubectl rollout resume` };
  const collection = { apiVersion: 'apps/v1', plural: kind === 'ReplicaSet' ? 'replicasets' : 'controllerrevisions' };
  const all = await listObjects(port, { ...collection, ...(ref.namespace !== undefined ? { namespace: ref.namespace } : {}) });
  const revisions = all.filter((one) => controllerOf(one)?.uid === uidOf(object)).map((one) => revisionOf(one, kind));
  revisions.sort((one, other) => other.number - one.number);
  const from = revisions.find(({ template }) => isDeepStrictEqual(template, templateOf(object)));
  const to = revisions.find(({ number, template }) => number < (from?.number ?? 0) && !isDeepStrictEqual(template, from?.template));
  if (!from) return { why: `${nameOfRef(ref)} is in the middle of a change: no revision has its template yet` };
  if (!to) return { why: `${nameOfRef(ref)} has no earlier revision than the one it has now` };
  const owner = belongsTo(object);
  return {
    kind: 'rollout',
    object: ref,
    from: from.name,
    to: to.name,
    says: `Take ${nameOfRef(ref)} back from revision ${from.number} to revision ${to.number}`,
    diff: templateDiff(from.template, to.template),
    risk: 'restarts-pods',
    undo: `Its template is set to that of revision ${from.number} again.`,
    dryRun: await tried(() => setTemplate(port, ref, object, to.template, true)),
    notes: [],
    ...(owner ? { owner } : {}),
  };
}

type Moved = 'done' | 'already' | { readonly why: string };

/** Both templates are read when they are needed, so that no journal has to hold one. */
export async function moveTo(port: ClusterPort, ref: ObjectRef, from: string, to: string): Promise<Moved> {
  const kind = REVISED[ref.kind];
  const toRef = kind && refOf(kind, ref.namespace, to);
  const fromRef = kind && refOf(kind, ref.namespace, from);
  if (!kind || !toRef || !fromRef) return { why: `${nameOfRef(ref)} keeps no revisions` };
  const object = await getObject(port, ref);
  const wanted = revisionOf(await getObject(port, toRef), kind).template;
  if (isDeepStrictEqual(templateOf(object), wanted)) return 'already';
  const left = revisionOf(await getObject(port, fromRef), kind).template;
  if (!isDeepStrictEqual(templateOf(object), left)) return { why: `the template of ${nameOfRef(ref)} was changed by somebody else since` };
  await setTemplate(port, ref, object, wanted, false);
  return 'done';
}

async function setTemplate(port: ClusterPort, ref: ObjectRef, object: LiveObject, template: unknown, dryRun: boolean): Promise<void> {
  const body = [
    // Grows with every change of the spec, but not with those of the status.
    { op: 'test', path: '/metadata/generation', value: numberAt(object, ['metadata', 'generation']) ?? null },
    { op: 'replace', path: '/spec/template', value: template },
  ];
  await patchObject(port, ref, { type: 'application/json-patch+json', body, dryRun });
}
