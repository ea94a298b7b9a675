// Deployments and ReplicaSets of the bench's cluster.
import { REPLICAS } from './layout.mjs';
import { named } from './others.mjs';
import { podSpec } from './pods.mjs';
import { managed, mark } from './template.mjs';

const app = `svc-${mark('A')}`;

function podTemplateOf(shape, way) {
  return { metadata: { creationTimestamp: null, labels: { app, 'pod-template-hash': mark('H') } }, spec: podSpec(shape, way) };
}

export function deploymentTemplate({ shape, way, times }) {
  const ready = way ? {} : { readyReplicas: REPLICAS, availableReplicas: REPLICAS };
  const condition = (type, status, reason, message) => ({
    type,
    status,
    lastUpdateTime: times.started,
    lastTransitionTime: times.started,
    reason,
    message,
  });
  const spec = {
    replicas: REPLICAS,
    selector: { matchLabels: { app } },
    template: podTemplateOf(shape, way),
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
  };
  return {
    metadata: { ...named(app, 'D', times), generation: 3, managedFields: [managed('kubectl', times.started, { spec })] },
    spec,
    status: {
      observedGeneration: 3,
      replicas: REPLICAS,
      updatedReplicas: REPLICAS,
      ...ready,
      ...(way ? { unavailableReplicas: REPLICAS } : {}),
      conditions: [
        way
          ? condition('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.')
          : condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'),
        condition('Progressing', 'True', 'NewReplicaSetAvailable', `ReplicaSet "${app}-${mark('H')}" has successfully progressed.`),
      ],
    },
  };
}

export function replicaSetTemplate({ shape, way, old, times }) {
  const replicas = old ? 0 : REPLICAS;
  const spec = { replicas, selector: { matchLabels: { app, 'pod-template-hash': mark('H') } }, template: podTemplateOf(shape, way) };
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: app, uid: mark('D'), controller: true, blockOwnerDeletion: true };
  return {
    metadata: {
      ...named(`${app}-${mark('H')}`, 'O', times),
      generation: 2,
      ownerReferences: [owner],
      managedFields: [managed('kube-controller-manager', times.started, { metadata: { ownerReferences: [owner] }, spec })],
    },
    spec,
    status: {
      replicas,
      observedGeneration: 2,
      ...(old ? {} : { fullyLabeledReplicas: replicas, ...(way ? {} : { readyReplicas: replicas, availableReplicas: replicas }) }),
    },
  };
}
