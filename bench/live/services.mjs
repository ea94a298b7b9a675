// Services of the bench's cluster and the slices that say where their pods are.
import { named } from './others.mjs';
import { mark } from './template.mjs';
import { names } from './ways.mjs';

const app = `svc-${mark('A')}`;

export const serviceTemplate = ({ times }) => ({
  metadata: named(app, 'U', times),
  spec: {
    ports: [{ name: 'http', protocol: 'TCP', port: 80, targetPort: 8080 }],
    selector: { app },
    clusterIP: mark('K'),
    clusterIPs: [mark('K')],
    type: 'ClusterIP',
    sessionAffinity: 'None',
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    internalTrafficPolicy: 'Cluster',
  },
  status: { loadBalancer: {} },
});

export function endpointSliceTemplate({ ready, replicas, times }) {
  const { labels, ...rest } = named(`${app}-${mark('S')}`, 'O', times);
  const service = { apiVersion: 'v1', kind: 'Service', name: app, uid: mark('U'), controller: true, blockOwnerDeletion: true };
  return {
    metadata: {
      ...rest,
      generateName: `${app}-`,
      labels: { ...labels, 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io', 'kubernetes.io/service-name': app },
      ownerReferences: [service],
    },
    // Without endpoints servers write null.
    endpoints:
      replicas === 0
        ? null
        : Array.from({ length: replicas }, (_, row) => ({
            addresses: [mark('I', row)],
            conditions: { ready, serving: ready, terminating: false },
            targetRef: { kind: 'Pod', namespace: names.namespace, name: `${app}-${mark('H')}-${mark('S', row)}`, uid: mark('U', row) },
            nodeName: `node-${mark('W', row)}`,
          })),
    ports: [{ name: 'http', protocol: 'TCP', port: 8080 }],
    addressType: 'IPv4',
  };
}
