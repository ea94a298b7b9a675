import { describe, expect, it } from 'vitest';
import { factsOfObject } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

function read(object: unknown): TestSink {
  const sink = new TestSink();
  factsOfObject(object, 'pod.json', '', sink);
  return sink;
}

function list(...items: unknown[]) {
  return { apiVersion: 'v1', kind: 'List', items };
}

function healthy(name: string, namespace = 'bank'): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid: `uid-of-${name}`,
      creationTimestamp: '2025-05-02T00:00:00Z',
      ownerReferences: [{ kind: 'DaemonSet', name: 'agent', controller: true }],
    },
    spec: {
      nodeName: 'rack7-n4',
      containers: [{ name: 'agent', image: 'registry.example/agent:9', resources: { limits: { memory: '1Gi' } } }],
    },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2025-05-02T00:00:20Z' }],
      containerStatuses: [{ name: 'agent', ready: true, restartCount: 0, state: { running: { startedAt: '2025-05-02T00:00:10Z' } } }],
    },
  };
}

describe('pods in a list', () => {
  it('keeps of a healthy pod its status and its links only', () => {
    const sink = read(list(healthy('agent-aaaaa')));
    expect(sink.facts.map((fact) => fact.kind)).toEqual(['pod.status']);
    expect(sink.one('pod.status')).toMatchObject({ status: 'Running', readyContainers: 1, containers: 1, restarts: 0, phase: 'Running' });
    expect(sink.one('pod.status').cited[0]).toEqual({ doc: 'pod.json', at: { pointer: '/items/0/status' }, quote: 'phase: Running' });
    expect(sink.edges.map((edge) => edge.type)).toEqual(['runs-on', 'owned-by', 'alias']);
    expect(sink.sayings).toEqual([]);
  });

  it('reads the same pod in full when it is the only object', () => {
    expect(read(healthy('agent-aaaaa')).facts.map((fact) => fact.kind)).toContain('container.memory-limit');
  });

  it.each([
    [
      'a restart',
      (pod: Record<string, unknown>) =>
        Object.assign((pod['status'] as { containerStatuses: object[] }).containerStatuses[0] ?? {}, { restartCount: 1 }),
    ],
    [
      'an unready container',
      (pod: Record<string, unknown>) =>
        Object.assign((pod['status'] as { containerStatuses: object[] }).containerStatuses[0] ?? {}, { ready: false }),
    ],
    ['deletion', (pod: Record<string, unknown>) => Object.assign(pod['metadata'] as object, { deletionTimestamp: '2025-05-02T01:00:00Z' })],
    [
      'a readiness gate',
      (pod: Record<string, unknown>) => Object.assign(pod['status'] as object, { conditions: [{ type: 'Ready', status: 'False' }] }),
    ],
    [
      'a disruption',
      (pod: Record<string, unknown>) =>
        Object.assign(pod['status'] as object, { conditions: [{ type: 'DisruptionTarget', status: 'True' }] }),
    ],
  ])('does not take a pod with %s for healthy', (_, change) => {
    const pod = healthy('agent-bbbbb');
    change(pod);
    expect(read(list(pod)).facts.map((fact) => fact.kind)).toContain('container.running');
  });

  it('tells ages against the newest time stamp of the others', () => {
    const crashed = healthy('agent-zzzzz');
    const terminated = { exitCode: 1, finishedAt: '2025-05-01T10:09:00Z' };
    Object.assign(crashed, {
      metadata: { name: 'agent-zzzzz', namespace: 'bank', creationTimestamp: '2025-05-01T10:00:00Z' },
      status: {
        phase: 'Running',
        containerStatuses: [
          { name: 'agent', restartCount: 6, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated } },
        ],
      },
    });
    const sink = read(list(crashed, healthy('agent-ccccc')));
    const status = sink.all('pod.status').find((fact) => fact.about === 'Pod/bank/agent-zzzzz');
    const newest = Date.UTC(2025, 4, 2, 0, 0, 20);
    expect(status?.lastRestartAgo).toBe((newest - Date.UTC(2025, 4, 1, 10, 9)) / 1000);
    expect(status?.ageSeconds).toBe((newest - Date.UTC(2025, 4, 1, 10)) / 1000);
  });

  it('covers a long list once, by namespace or for the cluster', () => {
    const many = Array.from({ length: 30 }, (_, index) => healthy(`agent-${index}`));
    const abouts = (items: unknown[]) => read(list(...items)).coverage.map((entry) => [entry.channel, entry.about, entry.extent]);
    expect(abouts(many)).toEqual([
      ['pod-status', 'Namespace/bank', 'whole'],
      ['pod-spec', 'Namespace/bank', 'whole'],
    ]);
    expect(abouts([...many, healthy('agent-x', 'shop')])[0]).toEqual(['pod-status', 'Cluster/-', 'whole']);
  });

  it('tells how long a deletion hangs', () => {
    const stuck = healthy('agent-ddddd');
    Object.assign(stuck['metadata'] as object, {
      deletionTimestamp: '2025-05-02T00:30:00Z',
      deletionGracePeriodSeconds: 30,
      finalizers: ['example.com/guard'],
    });
    const other = healthy('agent-eeeee');
    Object.assign(other['metadata'] as object, { creationTimestamp: '2025-05-02T01:00:00Z' });
    const sink = read(list(stuck, other));
    expect(sink.one('pod.deleting')).toMatchObject({ sinceSeconds: 1800, graceSeconds: 30, finalizers: ['example.com/guard'] });
    expect(sink.all('pod.status').map((fact) => fact.status)).toContain('Terminating');
  });

  it('knows a static pod by the hash of its file and not as a workload of its node', () => {
    const mirror = healthy('etcd-rack7-n1', 'kube-system');
    Object.assign(mirror['metadata'] as object, {
      ownerReferences: [{ kind: 'Node', name: 'rack7-n1', controller: true }],
      annotations: { 'kubernetes.io/config.hash': '9f8e7d6c5b4a39281706f5e4d3c2b1a0' },
    });
    const sink = read(list(mirror));
    expect(sink.edges.some((edge) => edge.type === 'owned-by')).toBe(false);
    expect(sink.edges).toContainEqual({
      type: 'alias',
      alias: 'uid:9f8e7d6c5b4a39281706f5e4d3c2b1a0',
      entity: 'Pod/kube-system/etcd-rack7-n1',
    });
  });
});
