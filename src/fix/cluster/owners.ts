import type { Owner } from './cluster-plan.ts';
import { annotationOf, type Controller, controllerOf, isMirrorPod, labelOf, ownersOf, recordsAt, textAt } from './meta.ts';
import { isName, isNamespace } from './refs.ts';
import { shown } from './values.ts';

const OWN_GROUPS: ReadonlySet<string> = new Set(['v1', 'apps', 'batch', 'policy', 'autoscaling']);

/** Who manages an object, so that a change of it goes where it lasts. */
export function belongsTo(object: unknown): Owner | undefined {
  return staticPod(object) ?? flux(object) ?? argo(object) ?? operator(object) ?? helm(object) ?? byManager(object) ?? applied(object);
}

/** Names from annotations go into commands only where they are names. */
function safe(name: string | undefined, otherwise: string): string {
  return name !== undefined && isName(name) ? name : otherwise;
}

function staticPod(object: unknown): Owner | undefined {
  if (!isMirrorPod(object)) return undefined;
  const node = safe(textAt(object, ['spec', 'nodeName']), 'NODE');
  return {
    by: 'static-pod',
    what: `a manifest file on node ${node}`,
    belongs: [`This is the image of a static pod: change its manifest on node ${node} (usually under /etc/kubernetes/manifests).`],
    reverts: 'always-refused',
  };
}

function flux(object: unknown): Owner | undefined {
  const release = labelOf(object, 'helm.toolkit.fluxcd.io/name');
  const kustomization = labelOf(object, 'kustomize.toolkit.fluxcd.io/name');
  if (release === undefined && kustomization === undefined) return undefined;
  const group = release === undefined ? 'kustomize' : 'helm';
  const kind = release === undefined ? 'Kustomization' : 'HelmRelease';
  const name = safe(release ?? kustomization, 'NAME');
  const namespace = safe(labelOf(object, `${group}.toolkit.fluxcd.io/namespace`), 'flux-system');
  const shows = release === undefined ? `flux get kustomization ${name} -n ${namespace}` : `flux get helmrelease ${name} -n ${namespace}`;
  return {
    by: 'flux',
    what: `Flux ${kind} ${namespace}/${name}`,
    belongs: [
      `Change it in the repository that Flux ${kind} ${namespace}/${name} reads, and commit.`,
      `Which one that is: ${shows}`,
      ...(release === undefined ? [] : [`Its values: kubectl get helmrelease ${name} -n ${namespace} -o yaml`]),
    ],
    reverts: 'within-minutes',
  };
}

function argo(object: unknown): Owner | undefined {
  const tracking = annotationOf(object, 'argocd.argoproj.io/tracking-id');
  const installation = annotationOf(object, 'argocd.argoproj.io/instance') ?? labelOf(object, 'argocd.argoproj.io/instance');
  const isSynced = managersOf(object).some((manager) => /^argocd-(?:application-)?controller$/.test(manager));
  const instance = isSynced ? labelOf(object, 'app.kubernetes.io/instance') : undefined;
  const application = tracking?.split(':')[0] ?? installation ?? instance;
  if (application === undefined && !isSynced) return undefined;
  // With applications in several namespaces the id begins with `namespace_`.
  const name = safe(application?.split('_').at(-1), 'APPLICATION');
  return {
    by: 'argo-cd',
    what: `Argo CD application ${name}`,
    belongs: [
      `Change it in the repository of Argo CD application ${name}, and commit.`,
      `Which one that is: argocd app get ${name}, or kubectl get applications.argoproj.io -A`,
    ],
    reverts: 'within-minutes',
  };
}

function isBuiltIn(owner: Controller): boolean {
  return OWN_GROUPS.has(groupOf(owner));
}

function groupOf({ apiVersion }: Controller): string {
  return apiVersion.split('/')[0] ?? '';
}

function operator(object: unknown): Owner | undefined {
  // Some operators do not call themselves the controller of what they make.
  const owner = [controllerOf(object) ?? ownersOf(object)].flat().find((one) => !isBuiltIn(one));
  if (!owner) return undefined;
  const group = groupOf(owner);
  const isSound = /^[a-z0-9.-]{1,253}$/.test(group) && /^[A-Za-z0-9]{1,63}$/.test(owner.kind) && isName(owner.name);
  const what = isSound ? `${owner.kind} ${owner.name} (${group})` : 'an object of another API';
  const namespace = textAt(object, ['metadata', 'namespace']) ?? '';
  const where = isNamespace(namespace) ? ` -n ${namespace}` : '';
  return {
    by: 'operator',
    what,
    belongs: [
      `Its operator makes it from ${what}: change it there.`,
      ...(isSound ? [`kubectl edit ${owner.kind.toLowerCase()}.${group} ${owner.name}${where}`] : []),
    ],
    reverts: 'at-once',
  };
}

function helm(object: unknown): Owner | undefined {
  const release = annotationOf(object, 'meta.helm.sh/release-name');
  const isLabelled =
    labelOf(object, 'app.kubernetes.io/managed-by') === 'Helm' || /^(?:Helm|Tiller)$/.test(labelOf(object, 'heritage') ?? '');
  if (release === undefined && !isLabelled) return undefined;
  const name = safe(release ?? labelOf(object, 'app.kubernetes.io/instance') ?? labelOf(object, 'release'), 'RELEASE');
  const namespace = safe(annotationOf(object, 'meta.helm.sh/release-namespace') ?? textAt(object, ['metadata', 'namespace']), 'NAMESPACE');
  return {
    by: 'helm',
    what: `Helm release ${name} in namespace ${namespace}`,
    belongs: [
      `Change it in the values of Helm release ${name}, else the next upgrade takes it back.`,
      `What they are now: helm get values ${name} -n ${namespace}`,
      `helm upgrade ${name} CHART -n ${namespace} --reuse-values --set …`,
    ],
    reverts: 'at-next-upgrade',
  };
}

/** Managers whose writes to a spec are people's or the cluster's own. */
const USUAL = /^(?:kube-|kubelet|cloud-controller-manager)/;

/** An operator that leaves no owner reference shows by what it writes to the spec. */
function byManager(object: unknown): Owner | undefined {
  const manager = managersOf(object).find(
    (name) => /(?:^|[-_.])(?:operator|controller|reconciler)(?:$|[-_.])/i.test(name) && !USUAL.test(name),
  );
  if (manager === undefined) return undefined;
  return {
    by: 'operator',
    what: `the program ${shown(manager)}`,
    belongs: [`A program that calls itself ${shown(manager)} writes this object's spec: change it where that one takes it from.`],
    reverts: 'at-once',
  };
}

function managersOf(object: unknown): string[] {
  return recordsAt(object, ['metadata', 'managedFields'])
    .filter((entry) => entry['subresource'] === undefined && writesSpec(entry))
    .flatMap(({ manager }) => (typeof manager === 'string' ? [manager.slice(0, 128)] : []));
}

function writesSpec(entry: Readonly<Record<string, unknown>>): boolean {
  const fields = entry['fieldsV1'];
  return typeof fields === 'object' && fields !== null && Object.hasOwn(fields, 'f:spec');
}

function applied(object: unknown): Owner | undefined {
  const isApplied =
    annotationOf(object, 'kubectl.kubernetes.io/last-applied-configuration') !== undefined ||
    recordsAt(object, ['metadata', 'managedFields']).some(({ manager, operation }) => manager === 'kubectl' && operation === 'Apply');
  if (!isApplied) return undefined;
  return {
    by: 'kubectl-apply',
    what: 'a manifest that is applied with kubectl',
    belongs: ['Change it in that manifest too, else the next kubectl apply takes it back.'],
    reverts: 'at-next-apply',
  };
}
