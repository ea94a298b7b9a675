import type { LiveObject, ObjectRef } from './cluster-plan.ts';
import { recordsAt, textAt } from './meta.ts';
import { plainLine } from './plain-line.ts';
import { nameOfRef } from './refs.ts';
import type { Surroundings } from './surroundings.ts';
import { shown } from './values.ts';

interface Protection {
  /** What is lost or left behind when it goes. */
  readonly says: string;
  /** Words that pods of its controller carry in their names or images; empty where it is in the control plane. */
  readonly controller: readonly string[];
}

const KNOWN: Readonly<Record<string, Protection>> = {
  'kubernetes.io/pvc-protection': {
    says: 'keeps a claim as long as a pod uses it; without it the volume may be deleted under a running pod',
    controller: [],
  },
  'kubernetes.io/pv-protection': {
    says: 'keeps a volume as long as a claim is bound to it; without it the record of the volume goes, its data is orphaned',
    controller: [],
  },
  foregroundDeletion: { says: 'keeps it until everything it owns is deleted; without it those are left without an owner', controller: [] },
  orphan: { says: 'keeps it until what it owns is let go of; without it those may be deleted with it', controller: [] },
  kubernetes: {
    says: 'keeps the namespace until everything in it is deleted; without it what is left in it stays behind, out of sight',
    controller: [],
  },
  'service.kubernetes.io/load-balancer-cleanup': {
    says: 'keeps the service until its load balancer is taken down; without it the balancer stays, and goes on costing',
    controller: ['cloud-controller-manager', 'metallb', 'servicelb', 'kube-vip', 'cilium-operator'],
  },
  'batch.kubernetes.io/job-tracking': {
    says: 'keeps a pod until its job has counted it; without it the job may run it again',
    controller: [],
  },
  'external-provisioner.volume.kubernetes.io/finalizer': {
    says: 'keeps the volume until its storage is deleted; without it the storage stays and nothing points to it',
    controller: ['csi-provisioner'],
  },
};

/** What a finalizer protects, by its name or at least by whose it is. */
export function protectionOf(finalizer: string): Protection {
  const known = Object.hasOwn(KNOWN, finalizer) ? KNOWN[finalizer] : undefined;
  if (known) return known;
  const [domain = '', rest] = finalizer.split('/');
  if (domain === 'external-attacher') {
    return {
      says: 'keeps the attachment until the volume is detached from its node; without it the volume may be attached twice and its data damaged',
      controller: ['csi-attacher'],
    };
  }
  return {
    says: `belongs to a program of ${shown(rest === undefined ? finalizer : domain)}, which does something before the object goes; that will then not be done`,
    controller: wordsOf(domain),
  };
}

const COMMON: ReadonlySet<string> = new Set(['kubernetes', 'finalizer', 'finalizers', 'controller', 'operator', 'example']);

function wordsOf(domain: string): string[] {
  return domain.split(/[.-]/).filter((word) => word.length > 3 && !COMMON.has(word));
}

const MOST = 5;

/** Whether what should take the finalizer away is there at all. */
export async function controllerLine({ controller }: Protection, around: Surroundings): Promise<string> {
  if (controller.length === 0) return 'It is taken away by the control plane itself.';
  const all = await around.allPods();
  if (all === undefined) return 'Whether the controller that should take it away runs may not be read.';
  const pods = all.filter((pod) => namesOf(pod).some((name) => controller.some((word) => name.includes(word))));
  const names = pods.map((pod) => `${shown(textAt(pod, ['metadata', 'namespace']))}/${shown(textAt(pod, ['metadata', 'name']))}`);
  if (names.length === 0) return 'No pod looks like the controller that should take it away: it may have been removed.';
  return `These pods may be the controller that should take it away; see first what stops it: ${names.slice(0, MOST).join(', ')}`;
}

function namesOf(pod: LiveObject): string[] {
  const images = recordsAt(pod, ['spec', 'containers']).map(({ image }) => (typeof image === 'string' ? image : ''));
  return [textAt(pod, ['metadata', 'name']) ?? '', textAt(pod, ['metadata', 'namespace']) ?? '', ...images].filter((name) => name !== '');
}

/** Why the finalizer is still doing its work; then it is not to be taken away. */
export async function stillNeeded(
  ref: ObjectRef,
  object: LiveObject,
  finalizer: string,
  around: Surroundings,
): Promise<string | undefined> {
  if (finalizer === 'kubernetes.io/pvc-protection' && ref.kind === 'PersistentVolumeClaim') {
    const pods = await around.pods(ref.namespace ?? '');
    if (pods === undefined) return `whether a pod still uses ${nameOfRef(ref)} may not be read, so its protection stays`;
    const users = pods.filter((pod) => usesClaim(pod, ref.name));
    if (users.length === 0) return undefined;
    const names = users.slice(0, MOST).map((pod) => shown(textAt(pod, ['metadata', 'name'])));
    return `${nameOfRef(ref)} is still used by ${users.length === 1 ? 'pod' : 'pods'} ${names.join(', ')}: end ${users.length === 1 ? 'that' : 'those'} first, then the finalizer goes by itself`;
  }
  if (finalizer === 'kubernetes.io/pv-protection' && textAt(object, ['status', 'phase']) === 'Bound') {
    const claim = `${shown(textAt(object, ['spec', 'claimRef', 'namespace']))}/${shown(textAt(object, ['spec', 'claimRef', 'name']))}`;
    return `${nameOfRef(ref)} is still bound to claim ${claim}: delete that first, then the finalizer goes by itself`;
  }
  return undefined;
}

function usesClaim(pod: LiveObject, claim: string): boolean {
  const phase = textAt(pod, ['status', 'phase']);
  if (phase === 'Succeeded' || phase === 'Failed') return false;
  return recordsAt(pod, ['spec', 'volumes']).some((volume) => textAt(volume, ['persistentVolumeClaim', 'claimName']) === claim);
}

/** What the namespace controller says is left in a namespace. */
export function remainsIn(object: LiveObject): string[] {
  return recordsAt(object, ['status', 'conditions'])
    .filter(({ type, status }) => status === 'True' && /^Namespace(?:ContentRemaining|FinalizersRemaining|Deletion)/.test(String(type)))
    .map(({ message }) => plainLine(String(message)));
}
