import { describe, expect, it } from 'vitest';
import { ProtobufPodSkim } from './skim-pod.ts';
import { encode, POD } from './testing-encoder.ts';

type Loose = Record<string, unknown>;

const FINISHED = { terminated: { exitCode: 0, finishedAt: '2026-01-02T03:04:09Z' } };

function healthy() {
  return {
    metadata: {
      name: 'tern-0',
      namespace: 'reef',
      creationTimestamp: '2026-01-02T03:04:05Z',
      labels: { app: 'tern' },
      ownerReferences: [{ kind: 'StatefulSet', name: 'tern', controller: true }] as Loose[],
    } as Loose,
    spec: {
      nodeName: 'kelp-1',
      containers: [{ name: 'a' }, { name: 'b' }],
      initContainers: [{ name: 'first' }] as Loose[],
    },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', reason: 'Fine', lastTransitionTime: '2026-01-02T03:04:20Z' }] as Loose[],
      initContainerStatuses: [{ name: 'first', state: FINISHED, restartCount: 3 }] as Loose[],
      containerStatuses: ['a', 'b'].map((name) => ({
        name,
        ready: true,
        restartCount: 0,
        state: { running: { startedAt: '2026-01-02T03:04:10Z' } } as Loose,
        lastState: {} as Loose,
      })),
    } as Loose & { conditions: Loose[]; containerStatuses: Loose[]; initContainerStatuses: Loose[] },
  };
}

type Pod = ReturnType<typeof healthy>;

function skim(pod: Pod, newest?: number): ProtobufPodSkim | undefined {
  const bytes = encode(pod, POD);
  const reader = new ProtobufPodSkim();
  const text = newest === undefined ? '' : 'known before';
  return reader.read(bytes, 0, bytes.length, newest, text) ? reader : undefined;
}

describe('a healthy pod', () => {
  it('is known by what is kept of it', () => {
    expect(skim(healthy())).toMatchObject({
      about: 'Pod/reef/tern-0',
      namespace: 'reef',
      node: 'Node/kelp-1',
      workload: 'Workload/StatefulSet/reef/tern',
      containers: 2,
      newest: '2026-01-02T03:04:20Z',
    });
  });

  it('tells its newest time only where none is newer', () => {
    expect(skim(healthy(), Date.UTC(2026, 0, 2, 3, 4, 19))?.newest).toBe('2026-01-02T03:04:20Z');
    expect(skim(healthy(), Date.UTC(2026, 0, 2, 3, 4, 20))?.newest).toBe('known before');
    const late = healthy();
    late.metadata['creationTimestamp'] = '2027-01-01T00:00:00Z';
    expect(skim(late)?.newest).toBe('2027-01-01T00:00:00Z');
    late.status.initContainerStatuses[0] = { state: { terminated: { exitCode: 0, finishedAt: '2028-01-01T00:00:00Z' } } };
    expect(skim(late)?.newest).toBe('2028-01-01T00:00:00Z');
    late.status.containerStatuses[1] = { ready: true, state: { running: { startedAt: '2029-01-01T00:00:00Z' } } };
    expect(skim(late)?.newest).toBe('2029-01-01T00:00:00Z');
  });

  it('has no workload where a node owns it, or nobody', () => {
    const mirror = healthy();
    mirror.metadata['ownerReferences'] = [{ kind: 'Node', name: 'kelp-1', controller: true }];
    expect(skim(mirror)?.workload).toBeUndefined();
    mirror.metadata['ownerReferences'] = undefined;
    expect(skim(mirror)).toMatchObject({ about: 'Pod/reef/tern-0', workload: undefined });
  });
});

const TROUBLE: readonly (readonly [string, (pod: Pod) => void])[] = [
  ['is being deleted', ({ metadata }) => Object.assign(metadata, { deletionTimestamp: '2026-01-02T04:00:00Z' })],
  ['has no name', ({ metadata }) => Object.assign(metadata, { name: '' })],
  ['has a name that is not plain', ({ metadata }) => Object.assign(metadata, { name: 'möwe' })],
  ['has two owners', ({ metadata }) => (metadata['ownerReferences'] as Loose[]).push({ kind: 'Job', name: 'x', controller: true })],
  ['has an owner that does not control it', ({ metadata }) => Object.assign(metadata, { ownerReferences: [{ kind: 'Job', name: 'x' }] })],
  ['has a sidecar', ({ spec }) => Object.assign(spec.initContainers[0] ?? {}, { restartPolicy: 'Always' })],
  ['has no containers', ({ spec, status }) => [spec.containers.splice(0), status.containerStatuses.splice(0)]],
  ['lacks a status', ({ status }) => status.containerStatuses.pop()],
  ['waits', ({ status }) => Object.assign(status, { phase: 'Pending' })],
  ['says why', ({ status }) => Object.assign(status, { reason: 'Evicted' })],
  ['is not ready', ({ status }) => Object.assign(status.conditions[0] ?? {}, { status: 'False' })],
  ['is disrupted', ({ status }) => status.conditions.push({ type: 'DisruptionTarget', status: 'True' })],
  ['is gated', ({ status }) => Object.assign(status.conditions[0] ?? {}, { reason: 'SchedulingGated' })],
  ['has a guest', ({ status }) => Object.assign(status, { ephemeralContainerStatuses: [{ name: 'debug' }] })],
  ['has a container that is not ready', ({ status }) => Object.assign(status.containerStatuses[1] ?? {}, { ready: false })],
  ['has restarts', ({ status }) => Object.assign(status.containerStatuses[0] ?? {}, { restartCount: 1 })],
  ['has a waiting container', ({ status }) => Object.assign(status.containerStatuses[0] ?? {}, { state: { waiting: { reason: 'X' } } })],
  ['has an ended container', ({ status }) => Object.assign(status.containerStatuses[0] ?? {}, { state: FINISHED })],
  ['has a container without state', ({ status }) => Object.assign(status.containerStatuses[0] ?? {}, { state: {} })],
  ['has a past', ({ status }) => Object.assign(status.containerStatuses[0] ?? {}, { lastState: FINISHED })],
  [
    'has an init container that failed',
    ({ status }) => Object.assign(status.initContainerStatuses[0] ?? {}, { state: { terminated: { exitCode: 1 } } }),
  ],
  ['has an init container that runs', ({ status }) => Object.assign(status.initContainerStatuses[0] ?? {}, { state: { running: {} } })],
  ['has an init container with a past', ({ status }) => Object.assign(status.initContainerStatuses[0] ?? {}, { lastState: FINISHED })],
];

describe('a pod is left to the decoder when it', () => {
  it.each(TROUBLE)('%s', (_, change) => {
    const pod = healthy();
    change(pod);
    expect(skim(pod)).toBeUndefined();
  });

  it('is cut anywhere', () => {
    const bytes = encode(healthy(), POD);
    const reader = new ProtobufPodSkim();
    for (let end = 0; end < bytes.length; end++) expect(reader.read(bytes, 0, end, undefined, '')).toBe(false);
    expect(reader.read(bytes, 0, bytes.length, undefined, '')).toBe(true);
  });
});
