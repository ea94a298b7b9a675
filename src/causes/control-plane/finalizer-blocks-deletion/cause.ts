import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const namespaceHeld = line(
  'finalizers remaining',
  ['objects', 'control-plane-log'],
  /has finalizers remaining: (?<finalizer>\S{1,253}) in (?<count>\d{1,9}) resource instances?/,
);
const contentLeft = line(
  'Some resources are remaining',
  'objects',
  /resources are remaining: (?<resource>\S{1,253}) has (?<count>\d{1,9}) resource instances?/,
);
/** A definition waits for its objects: they are deleted first. */
const definitionHeld = line(
  [
    'CustomResource deletion is in progress',
    'InstanceDeletionInProgress',
    'customresourcecleanup.apiextensions',
    'custom resource definition is terminating',
  ],
  'objects',
  /CustomResource deletion is in progress|InstanceDeletionInProgress|InstanceDeletionFailed|customresourcecleanup\.apiextensions\.k8s\.io|create not allowed while custom resource definition is terminating/,
);
const cannotStop = line(['error killing pod', 'FailedKillPod', 'KillPodSandboxError', 'KillContainerError'], ['pod-events', 'kubelet-log']);

/** Set and removed by Kubernetes itself in the ordinary course of a deletion. */
const ORDINARY = new Set(['foregroundDeletion', 'orphan', 'kubernetes', 'batch.kubernetes.io/job-tracking']);

function foreign(finalizers: readonly string[] | undefined): string[] {
  return (finalizers ?? []).filter((finalizer) => !ORDINARY.has(finalizer));
}

export const cause = defineCause({
  id: 'finalizer-blocks-deletion',
  area: 'control-plane',
  at: 'Object',
  maturity: 'stable',
  explains: ['stuck-terminating', 'other-trouble'],
  wakesOn: [on('pod.deleting')],

  text: {
    name: 'Finalizer blocks deletion',
    title: '{thing} cannot go: the finalizer {finalizer} is still on {holder}',
    why: 'An object with finalizers is only marked for deletion; it disappears when the controller that set the finalizer {finalizer} has done its work and removed it. That controller is gone, broken or not allowed to, so {thing} stays Terminating.',
  },

  clues: {
    onPod: proves('pod.deleting', ({ finalizers, sinceSeconds }) => foreign(finalizers).length > 0 && (sinceSeconds ?? 3600) > 60),
    inNamespace: proves(namespaceHeld),
    definitionHeld: supports(definitionHeld),
    contentLeft: supports(contentLeft),
    cannotStop: excludes(cannotStop),
    stillRuns: excludes('container.running'),
  },
  says: {
    onPod: 'the pod is marked for deletion and carries {finalizer}',
    inNamespace: 'the namespace waits for objects that carry {finalizer}',
    definitionHeld: 'the definition (CRD) waits until all its objects are deleted',
    contentLeft: 'still there: {resource}',
    cannotStop: 'the containers cannot be stopped on the node',
    stillRuns: 'a container of it still runs',
  },
  slots: (place, { onPod, inNamespace, definitionHeld: definition, contentLeft: left }) => {
    const resource = left?.fields['resource'];
    const isPod = place.kind !== 'Object';
    const own = foreign(onPod?.finalizers)[0];
    const count = inNamespace?.fields['count'] ?? 'some';
    return {
      thing:
        isPod && own !== undefined
          ? `pod ${place.name}`
          : place.name.includes(' ') || isPod
            ? definition && !inNamespace
              ? 'the CustomResourceDefinition'
              : 'the namespace'
            : `${(place.type ?? 'object').toLowerCase()} ${place.name}`,
      finalizer: own ?? inNamespace?.fields['finalizer'] ?? (definition ? 'of an operator' : 'of some object'),
      holder:
        own !== undefined
          ? 'it'
          : definition && !inNamespace
            ? 'objects (instances) of that definition (CRD), which are deleted first'
            : `${count === '1' ? '1 object' : `${count} objects`} in it${resource ? ` (${resource})` : ''}`,
      object: isPod && own !== undefined && /^[a-z0-9-]+$/.test(place.namespace ?? '') ? `Pod/${place.namespace}/${place.name}` : '',
      own: own ?? '',
      resource: resource ?? 'objects of the namespace',
      kind: own !== undefined ? 'pod' : (resource ?? 'KIND'),
      name: own !== undefined ? place.name : 'NAME',
      namespace: own !== undefined ? (place.namespace ?? 'NAMESPACE') : place.name,
    };
  },

  fixes: [
    {
      say: 'Get the controller that owns {finalizer} working again (reinstall or restart its operator): it removes the finalizer itself',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'who still carries finalizers',
          run: "kubectl -n {{namespace}} get {{kind}} -o custom-columns='NAME:.metadata.name,DELETED:.metadata.deletionTimestamp,FINALIZERS:.metadata.finalizers'",
          on: 'cluster',
        },
        {
          say: 'the name of the finalizer names its owner: look for that operator and its log',
          run: 'kubectl get deployments,statefulsets -A',
          on: 'cluster',
        },
      ],
      verified: 'the object is gone',
    },
    {
      say: 'Last resort: remove the finalizer by hand; what it was to clean up (volumes, cloud resources, data) is then yours',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'on each object that still carries it',
          run: `kubectl -n {{namespace}} patch {{kind}} {{name}} --type=merge -p '{"metadata":{"finalizers":null}}'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'remove-finalizer', object: '{{object}}', finalizer: '{{own}}' }],
      verified: 'the object is gone',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go',
    'kubernetes pkg/controller/namespace/deletion/namespaced_resources_deleter.go',
  ],
});
