import { isRecord } from '../../collect/cluster/list-meta.ts';
import { RISKS } from '../risk.ts';
import type { ClusterStep, DryRun, JsonPatch, LiveObject, ObjectRef, PatchOperation } from './cluster-plan.ts';
import { textAt, textsAt } from './meta.ts';
import { OWN_NAMESPACE } from './own-objects.ts';
import { plainLine } from './plain-line.ts';
import { isName, refOf } from './refs.ts';

const TRIED_BEFORE: DryRun = { outcome: 'not-tried', why: 'it was tried when it was planned' };
const OPERATIONS: ReadonlySet<unknown> = new Set<PatchOperation['op']>(['test', 'add', 'replace', 'remove']);
const MOST_OPERATIONS = 1000;
const FINALIZER = /^[A-Za-z0-9](?:[-A-Za-z0-9._/]{0,300}[A-Za-z0-9])?$/;
const UID = /^[A-Za-z0-9-]{1,100}$/;

/** A step as a journal has it; undefined where it is none that podcause would write. */
export function decodeStep(value: unknown): ClusterStep | undefined {
  if (!isRecord(value)) return undefined;
  const object = refIn(value['object']);
  const risk = RISKS.find((one) => one === value['risk']);
  const says = textAt(value, ['says']);
  if (!object || !risk || says === undefined) return undefined;
  const base = {
    object,
    says: plainLine(says, 1000),
    diff: textsAt(value, ['diff']).map((line) => plainLine(line, 1000)),
    risk,
    undo: plainLine(textAt(value, ['undo']) ?? ''),
    dryRun: TRIED_BEFORE,
    notes: [],
  };
  const own = ownPart(value, object);
  return own && { ...base, ...own };
}

type OwnPart<S> = S extends ClusterStep
  ? Omit<S, 'object' | 'says' | 'diff' | 'risk' | 'undo' | 'dryRun' | 'notes' | 'owner' | 'fragment'>
  : never;

function ownPart(value: LiveObject, object: ObjectRef): OwnPart<ClusterStep> | undefined {
  switch (value['kind']) {
    case 'patch':
      return patchPart(value, object.kind === 'ConfigMap' ? '/data' : '/spec');
    case 'restart-pod':
      return restartPart(value);
    case 'remove-finalizer':
      return finalizerPart(value);
    case 'rollout':
      return rolloutPart(value);
    default:
      return undefined;
  }
}

function patchPart(value: LiveObject, part: string): OwnPart<ClusterStep> | undefined {
  const patch = patchIn(value['patch'], part);
  const reverse = patchIn(value['reverse'], part);
  return patch && reverse && { kind: 'patch', patch, reverse };
}

function restartPart(value: LiveObject): OwnPart<ClusterStep> | undefined {
  const { uid, by } = value;
  if (!isUid(uid) || (by !== 'eviction' && by !== 'deletion')) return undefined;
  return { kind: 'restart-pod', uid, by, controller: plainLine(textAt(value, ['controller']) ?? '') };
}

function finalizerPart(value: LiveObject): OwnPart<ClusterStep> | undefined {
  const { uid, finalizer, at } = value;
  if (!isUid(uid) || typeof finalizer !== 'string' || !FINALIZER.test(finalizer)) return undefined;
  return at === 'metadata' || at === 'spec' ? { kind: 'remove-finalizer', uid, finalizer, at } : undefined;
}

function rolloutPart(value: LiveObject): OwnPart<ClusterStep> | undefined {
  const { from, to } = value;
  if (typeof from !== 'string' || typeof to !== 'string' || !isName(from) || !isName(to)) return undefined;
  return { kind: 'rollout', from, to };
}

/** Only kinds that podcause changes, their path worked out anew, and no journal by another journal. */
function refIn(value: unknown): ObjectRef | undefined {
  const name = textAt(value, ['name']);
  const ref = name === undefined ? undefined : refOf(textAt(value, ['kind']) ?? '', textAt(value, ['namespace']), name);
  return ref?.kind === 'ConfigMap' && ref.namespace === OWN_NAMESPACE ? undefined : ref;
}

/** What is written is in one part of the object; labels, owners and finalizers are changed by no patch. */
function patchIn(value: unknown, part: string): JsonPatch | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_OPERATIONS) return undefined;
  const isSound = (one: unknown): one is PatchOperation => {
    if (!isRecord(one) || !OPERATIONS.has(one['op']) || typeof one['path'] !== 'string') return false;
    const { op, path } = one;
    return path === part || path.startsWith(`${part}/`) || (op === 'test' && path.startsWith('/metadata/'));
  };
  return value.every(isSound) ? value : undefined;
}

function isUid(value: unknown): value is string {
  return typeof value === 'string' && UID.test(value);
}
