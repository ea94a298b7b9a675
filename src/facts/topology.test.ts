import { describe, expect, it } from 'vitest';
import type { Edge } from '../model/evidence.ts';
import { createIdentity } from './identity.ts';
import { createTopology } from './topology.ts';

function topologyOf(edges: readonly Edge[]) {
  return createTopology(edges, createIdentity({ facts: [], edges: [...edges], coverage: [], pieces: [], unrecognised: [], unread: [] }));
}

describe('topology', () => {
  it('climbs from a container to everything above it', () => {
    const topology = topologyOf([
      { type: 'runs-on', pod: 'Pod/shop/api-7d9f6c5b8b-x2kpl', node: 'Node/w1' },
      { type: 'owned-by', pod: 'Pod/shop/api-7d9f6c5b8b-x2kpl', workload: 'Workload/ReplicaSet/shop/api-7d9f6c5b8b' },
    ]);
    const container = 'Container/shop/api-7d9f6c5b8b-x2kpl/app';
    expect(topology.climb(container, 'Pod')).toBe('Pod/shop/api-7d9f6c5b8b-x2kpl');
    expect(topology.climb(container, 'Node')).toBe('Node/w1');
    expect(topology.climb(container, 'Workload')).toBe('Workload/Deployment/shop/api');
    expect(topology.climb(container, 'WorkloadContainer')).toBe('WorkloadContainer/Deployment/shop/api/app');
    expect(topology.climb(container, 'Namespace')).toBe('Namespace/shop');
    expect(topology.climb(container, 'Cluster')).toBe('Cluster/-');
  });

  it('reads the workload out of a pod name where no owner is shown', () => {
    const topology = topologyOf([]);
    expect(topology.workloadOf('Pod/a/coredns-6f6b679f8f-4zk9m')).toBe('Workload/Deployment/a/coredns');
    expect(topology.workloadOf('Pod/a/kube-proxy-8sxm4')).toBe('Workload/?/a/kube-proxy');
    expect(topology.workloadOf('Pod/a/db-0')).toBe('Workload/StatefulSet/a/db');
    expect(topology.workloadOf('Pod/a/debug')).toBe('Workload/Pod/a/debug');
  });

  it('puts replicas without an owner under the owner their siblings show', () => {
    const topology = topologyOf([{ type: 'owned-by', pod: 'Pod/a/kube-proxy-8sxm4', workload: 'Workload/DaemonSet/a/kube-proxy' }]);
    expect(topology.workloadOf('Pod/a/kube-proxy-zz2kd')).toBe('Workload/DaemonSet/a/kube-proxy');
  });
});
