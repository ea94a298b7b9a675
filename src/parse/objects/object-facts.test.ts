import { describe, expect, it } from 'vitest';
import { factsOfObject, otherKinds } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

function read(object: unknown): TestSink {
  const sink = new TestSink();
  factsOfObject(object, 'o.json', '', sink);
  return sink;
}

describe('other objects', () => {
  it('exist and have a phase', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'parcels', namespace: 'depot' },
      spec: { storageClassName: 'fast' },
      status: { phase: 'Pending' },
    };
    const sink = read(claim);
    expect(sink.one('object.exists')).toMatchObject({ about: 'Object/PersistentVolumeClaim/depot/parcels', type: 'PersistentVolumeClaim' });
    expect(sink.one('object.status')).toMatchObject({ status: 'Pending', detail: 'STORAGECLASS fast' });
  });

  it('never give away the data of a secret or config map', () => {
    for (const kind of ['Secret', 'ConfigMap']) {
      const sink = read({
        apiVersion: 'v1',
        kind,
        metadata: { name: 'k', namespace: 'n' },
        data: { token: 'aHVudGVyMg==' },
        stringData: { p: 'hunter2' },
      });
      expect(sink.facts.map(({ about }) => about)).toEqual([`Object/${kind}/n/k`, `Object/${kind}Key/n/k/token`]);
      expect(sink.facts[1]?.cited[0]?.at).toEqual({ pointer: '/metadata/name' });
      expect(JSON.stringify(sink)).not.toMatch(/hunter2|aHVudGVyMg/);
    }
  });

  it('tell a default storage class and an ownerless deletion', () => {
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
    const storage = read({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast', annotations },
      provisioner: 'csi.example',
    });
    expect(storage.one('object.status')).toMatchObject({
      about: 'Object/StorageClass/?/fast',
      status: 'default',
      detail: 'PROVISIONER csi.example',
    });
    const namespace = read({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'old', deletionTimestamp: '2025-01-01T00:00:00Z', finalizers: ['x'] },
      status: {
        phase: 'Terminating',
        conditions: [
          {
            type: 'NamespaceContentRemaining',
            status: 'True',
            message: 'Some resources are remaining: gadgets.example.com has 1 resource instances',
          },
        ],
      },
    });
    expect(namespace.one('object.status')).toMatchObject({ status: 'Terminating', detail: 'finalizers x' });
    expect(namespace.sayings[0]).toMatchObject({ channel: 'objects', about: 'Object/Namespace/?/old' });
  });

  it('do not take the nodes and jobs of others for our own', () => {
    const sink = read({
      apiVersion: 'storage.example.com/v1',
      kind: 'Node',
      metadata: { name: 'attic-1', namespace: 's' },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    });
    expect(sink.facts.map((fact) => [fact.kind, fact.about])).toEqual([['object.exists', 'Object/Node.storage.example.com/s/attic-1']]);
  });

  it('hand on a refusal of the API server', () => {
    const sink = read({
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      message: 'pods is forbidden: User "x" cannot list resource "pods"',
      code: 403,
    });
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
    const sink = read({
      kind: 'NodeList',
      apiVersion: 'v1',
      items: [{ metadata: { name: 'a' }, status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
    });
    expect(sink.one('node.status').about).toBe('Node/a');
  });

  it('stop at some depth', () => {
    let nested: unknown = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'deep' } };
    for (let depth = 0; depth < 10; depth++) nested = { apiVersion: 'v1', kind: 'List', items: [nested] };
    expect(read(nested).facts).toEqual([]);
  });
});
