import { describe, expect, it } from 'vitest';
import { factsOfObject, otherKinds } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

function read(object: unknown): TestSink {
  const sink = new TestSink();
  factsOfObject(object, 'o.json', '', sink);
  return sink;
}

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'attic-1', creationTimestamp: '2025-01-01T00:00:00Z', labels: { 'node-role.kubernetes.io/control-plane': '', 'node-role.kubernetes.io/master': '' } },
  spec: { unschedulable: true, taints: [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2025-01-02T00:00:00Z' }, { key: 'gpu', value: 'yes', effect: 'NoSchedule' }] },
  status: {
    conditions: [
      { type: 'MemoryPressure', status: 'False', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available', lastHeartbeatTime: '2025-01-02T00:01:00Z' },
      { type: 'Ready', status: 'False', reason: 'KubeletNotReady', message: 'container runtime is down', lastTransitionTime: '2025-01-01T23:59:00Z' },
    ],
    nodeInfo: { kubeletVersion: 'v1.31.2', containerRuntimeVersion: 'containerd://1.7.22', osImage: 'Debian 12', kernelVersion: '6.1.0', architecture: 'amd64', bootID: 'b-1' },
  },
};

describe('nodes', () => {
  const sink = read(NODE);

  it('have a status as kubectl prints it', () => {
    expect(sink.one('node.status')).toMatchObject({ about: 'Node/attic-1', status: 'NotReady,SchedulingDisabled', roles: 'control-plane,master', ageSeconds: 86_460 });
  });

  it('have conditions, taints and versions', () => {
    expect(sink.all('node.condition').map((fact) => [fact.type, fact.status, fact.reason])).toEqual([
      ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
      ['Ready', 'False', 'KubeletNotReady'],
    ]);
    expect(sink.all('node.taint').map((fact) => [fact.key, fact.value, fact.effect])).toEqual([
      ['node.kubernetes.io/unreachable', undefined, 'NoExecute'],
      ['gpu', 'yes', 'NoSchedule'],
    ]);
    expect(sink.one('node.info')).toMatchObject({ kubeletVersion: 'v1.31.2', runtime: 'containerd', runtimeVersion: '1.7.22', kernel: '6.1.0', bootId: 'b-1' });
  });

  it('speak only where a condition is bad', () => {
    expect(sink.sayings.map((saying) => [saying.channel, saying.text])).toEqual([['node-status', 'container runtime is down']]);
  });

  it('are Ready when nothing is wrong', () => {
    const fine = { ...NODE, spec: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    expect(read(fine).one('node.status').status).toBe('Ready');
  });
});

describe('workloads', () => {
  it('count replicas, missing counts being zero', () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'kiosk', namespace: 'mall' },
      spec: { replicas: 3, template: { spec: { hostNetwork: true, containers: [{ name: 'web', image: 'registry.example/kiosk:1' }] } } },
      status: {
        updatedReplicas: 1,
        conditions: [
          { type: 'Available', status: 'False', reason: 'MinimumReplicasUnavailable', message: 'Deployment does not have minimum availability.' },
          { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: 'ReplicaSet "kiosk-1" is progressing.' },
          { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'pods "kiosk-1-" is forbidden: exceeded quota' },
        ],
      },
    };
    const sink = read(deployment);
    expect(sink.one('workload.replicas')).toMatchObject({ about: 'Workload/Deployment/mall/kiosk', desired: 3, ready: 0, available: 0, updated: 1 });
    expect(sink.all('workload.condition')).toHaveLength(3);
    expect(sink.sayings.map((saying) => saying.text)).toEqual(['Deployment does not have minimum availability.', 'pods "kiosk-1-" is forbidden: exceeded quota']);
    expect(sink.one('pod.host-network').about).toBe('Workload/Deployment/mall/kiosk');
    expect(sink.one('container.spec').about).toBe('WorkloadContainer/Deployment/mall/kiosk/web');
    expect(sink.one('container.spec').cited[0]?.at).toEqual({ pointer: '/spec/template/spec/containers/0' });
  });

  it('count daemon sets by nodes, and nothing for a manifest', () => {
    const status = { desiredNumberScheduled: 5, numberReady: 4, numberAvailable: 4, updatedNumberScheduled: 5 };
    expect(read({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec: {}, status }).one('workload.replicas')).toMatchObject({ desired: 5, ready: 4 });
    expect(read({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec: {} }).facts).toEqual([]);
    expect(read({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 's' }, spec: { serviceName: 's' } }).one('workload.replicas')).toMatchObject({ desired: 1 });
  });

  it('leave out what a rollout left behind', () => {
    const old = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name: 'r', ownerReferences: [{ kind: 'Deployment', name: 'd' }] }, spec: { replicas: 0 }, status: { replicas: 0 } };
    expect(read(old).facts).toEqual([]);
  });
});

describe('other objects', () => {
  it('exist and have a phase', () => {
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'parcels', namespace: 'depot' }, spec: { storageClassName: 'fast' }, status: { phase: 'Pending' } };
    const sink = read(claim);
    expect(sink.one('object.exists')).toMatchObject({ about: 'Object/PersistentVolumeClaim/depot/parcels', type: 'PersistentVolumeClaim' });
    expect(sink.one('object.status')).toMatchObject({ status: 'Pending', detail: 'STORAGECLASS fast' });
  });

  it('never give away the data of a secret or config map', () => {
    for (const kind of ['Secret', 'ConfigMap']) {
      const sink = read({ apiVersion: 'v1', kind, metadata: { name: 'k', namespace: 'n' }, data: { token: 'aHVudGVyMg==' }, stringData: { p: 'hunter2' } });
      expect(sink.facts).toHaveLength(1);
      expect(JSON.stringify(sink)).not.toMatch(/hunter2|aHVudGVyMg|token/);
    }
  });

  it('tell a default storage class and an ownerless deletion', () => {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const storage = read({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'fast', annotations }, provisioner: 'csi.example' });
    expect(storage.one('object.status')).toMatchObject({ about: 'Object/StorageClass/?/fast', status: 'default', detail: 'PROVISIONER csi.example' });
    const namespace = read({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'old', deletionTimestamp: '2025-01-01T00:00:00Z', finalizers: ['x'] },
      status: { phase: 'Terminating', conditions: [{ type: 'NamespaceContentRemaining', status: 'True', message: 'Some resources are remaining: gadgets.example.com has 1 resource instances' }] },
    });
    expect(namespace.one('object.status')).toMatchObject({ status: 'Terminating', detail: 'finalizers x' });
    expect(namespace.sayings[0]).toMatchObject({ channel: 'objects', about: 'Object/Namespace/?/old' });
  });

  it('do not take the nodes and jobs of others for our own', () => {
    const sink = read({ apiVersion: 'storage.example.com/v1', kind: 'Node', metadata: { name: 'attic-1', namespace: 's' }, status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    expect(sink.facts.map((fact) => [fact.kind, fact.about])).toEqual([['object.exists', 'Object/Node.storage.example.com/s/attic-1']]);
  });

  it('hand on a refusal of the API server', () => {
    const sink = read({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'pods is forbidden: User "x" cannot list resource "pods"', code: 403 });
    expect(sink.sayings).toMatchObject([{ about: 'Cluster/-', text: 'pods is forbidden: User "x" cannot list resource "pods"' }]);
  });
});

describe('kinds that are not ours', () => {
  const config = { apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', cgroupDriver: 'systemd' };

  it('are refused', () => {
    const sink = new TestSink();
    expect(factsOfObject(config, 'o', '', sink)).toBe(false);
    expect(factsOfObject({ apiVersion: 'kubeadm.k8s.io/v1beta4', kind: 'ClusterConfiguration' }, 'o', '', sink)).toBe(false);
    expect(factsOfObject({ apiVersion: 'v1', kind: 'Config', users: [{ token: 'x' }] }, 'o', '', sink)).toBe(false);
    expect(factsOfObject({ apiVersion: 'audit.k8s.io/v1', kind: 'Event', metadata: {} }, 'o', '', sink)).toBe(false);
    expect(sink.facts).toEqual([]);
  });

  it('go to whoever registered for them', () => {
    const seen: unknown[] = [];
    otherKinds.set('KubeletConfiguration', (object, place) => seen.push([object['cgroupDriver'], place.doc, place.pointer]));
    try {
      expect(factsOfObject(config, 'o', '/x', new TestSink())).toBe(true);
    } finally {
      otherKinds.delete('KubeletConfiguration');
    }
    expect(seen).toEqual([['systemd', 'o', '/x']]);
  });
});

describe('lists', () => {
  it('give their items the kind that typed lists leave out', () => {
    const sink = read({ kind: 'NodeList', apiVersion: 'v1', items: [{ metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }] });
    expect(sink.one('node.status').about).toBe('Node/a');
  });

  it('stop at some depth', () => {
    let nested: unknown = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'deep' } };
    for (let depth = 0; depth < 10; depth++) nested = { apiVersion: 'v1', kind: 'List', items: [nested] };
    expect(read(nested).facts).toEqual([]);
  });
});
