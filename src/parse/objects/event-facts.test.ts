import { describe, expect, it } from 'vitest';
import { killedBy } from './event-facts.ts';
import { factsOfObject } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

function read(...items: unknown[]): TestSink {
  const sink = new TestSink();
  factsOfObject({ apiVersion: 'v1', kind: 'List', items }, 'events.json', '', sink);
  return sink;
}

function event(reason: string, message: string, more: Record<string, unknown> = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `e-${reason}`, namespace: 'depot' },
    involvedObject: { kind: 'Pod', name: 'sorter-0', namespace: 'depot', uid: 'aa11bb22-0000-4000-8000-000000000001' },
    type: 'Normal',
    reason,
    message,
    count: 1,
    firstTimestamp: '2025-06-03T12:00:00Z',
    lastTimestamp: '2025-06-03T12:00:00Z',
    source: { component: 'kubelet', host: 'belt-2' },
    ...more,
  };
}

describe('events of pods', () => {
  it('carry count, container, source and ages against the newest', () => {
    const sink = read(
      event('Killing', 'Stopping container sorter', {
        count: 4,
        firstTimestamp: '2025-06-03T11:50:00Z',
        lastTimestamp: '2025-06-03T11:58:20Z',
        involvedObject: { kind: 'Pod', name: 'sorter-0', namespace: 'depot', fieldPath: 'spec.containers{sorter}' },
      }),
      event('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.'),
    );
    expect(sink.all('pod.event')[0]).toMatchObject({
      about: 'Pod/depot/sorter-0',
      type: 'Normal',
      reason: 'Killing',
      count: 4,
      lastAgo: 100,
      firstAgo: 600,
      from: 'kubelet',
      container: 'sorter',
      killedBy: 'stop',
      when: Date.UTC(2025, 5, 3, 11, 58, 20),
    });
    expect(sink.all('pod.event')[0]?.cited[0]).toEqual({
      doc: 'events.json',
      at: { pointer: '/items/0', object: 'sorter-0' },
      quote: 'Normal Killing: Stopping container sorter',
    });
    expect(sink.all('pod.event')[1]).toMatchObject({ lastAgo: 0 });
  });

  it('are said with their count', () => {
    const sink = read(
      event('BackOff', 'Back-off restarting failed container sorter in pod sorter-0_depot(aa11bb22-0000-4000-8000-000000000001)', {
        type: 'Warning',
        count: 9,
      }),
    );
    expect(sink.sayings).toMatchObject([
      { channel: 'pod-events', about: 'Pod/depot/sorter-0', count: 9, level: 'warning', component: 'kubelet' },
    ]);
  });

  it('tell the node, the newest word winning', () => {
    const sink = read(
      event('Scheduled', 'Successfully assigned depot/sorter-0 to belt-9', {
        source: { component: 'default-scheduler' },
        lastTimestamp: '2025-06-03T11:00:00Z',
      }),
      event('Pulled', 'Container image "x" already present on machine'),
      event('Pulling', 'Pulling image "x"', { source: { component: 'kubelet', host: 'belt-1' }, lastTimestamp: '2025-06-03T10:00:00Z' }),
    );
    expect(sink.edges.filter((edge) => edge.type === 'runs-on')).toEqual([
      { type: 'runs-on', pod: 'Pod/depot/sorter-0', node: 'Node/belt-2' },
    ]);
    expect(sink.edges.filter((edge) => edge.type === 'alias')).toHaveLength(1);
  });

  it('leave the node to the pod itself where it is in the same list', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'sorter-0', namespace: 'depot' },
      spec: { nodeName: 'belt-5', containers: [] },
      status: { phase: 'Pending' },
    };
    const sink = read(event('Pulling', 'Pulling image "x"'), pod);
    expect(sink.edges.filter((edge) => edge.type === 'runs-on')).toEqual([
      { type: 'runs-on', pod: 'Pod/depot/sorter-0', node: 'Node/belt-5' },
    ]);
  });

  it('give no age when alone', () => {
    expect(read(event('Pulling', 'Pulling image "x"')).one('pod.event').lastAgo).toBeUndefined();
  });

  it('read the newer API as well', () => {
    const sink = read(event('Started', 'x'), {
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name: 'n', namespace: 'depot', creationTimestamp: '2025-06-03T12:10:00Z' },
      regarding: { kind: 'Pod', name: 'sorter-1', namespace: 'depot', fieldPath: 'spec.initContainers{fetch}' },
      type: 'Warning',
      reason: 'Failed',
      note: 'Error: ErrImagePull',
      eventTime: '2025-06-03T12:10:00.123456Z',
      series: { count: 7, lastObservedTime: '2025-06-03T12:14:00.000000Z' },
      reportingController: 'kubelet',
      reportingInstance: 'belt-4',
    });
    expect(sink.all('pod.event')[1]).toMatchObject({
      about: 'Pod/depot/sorter-1',
      message: 'Error: ErrImagePull',
      count: 7,
      container: 'fetch',
      lastAgo: 0,
      firstAgo: 240,
      from: 'kubelet',
    });
    expect(sink.edges).toContainEqual({ type: 'runs-on', pod: 'Pod/depot/sorter-1', node: 'Node/belt-4' });
  });
});

describe('events of other things', () => {
  it('go to nodes, workloads and objects', () => {
    const sink = read(
      event('NodeNotReady', 'Node belt-2 status is now: NodeNotReady', {
        involvedObject: { kind: 'Node', name: 'belt-2' },
        metadata: { namespace: 'default' },
      }),
      event('FailedCreate', 'Error creating: quota', {
        involvedObject: { kind: 'ReplicaSet', name: 'sorter-5d', namespace: 'depot' },
        source: {},
      }),
      event('ProvisioningFailed', 'no class', {
        involvedObject: { kind: 'PersistentVolumeClaim', name: 'parcels', namespace: 'depot' },
        source: {},
      }),
    );
    expect(sink.one('node.event').about).toBe('Node/belt-2');
    expect(sink.all('object.event').map((fact) => fact.about)).toEqual([
      'Workload/ReplicaSet/depot/sorter-5d',
      'Object/PersistentVolumeClaim/depot/parcels',
    ]);
    expect(sink.sayings.map((saying) => saying.channel)).toEqual(['node-events', 'object-events', 'object-events']);
  });

  it('cover the namespace, and one object where the list holds no other', () => {
    const abouts = (sink: TestSink) => sink.coverage.map((entry) => `${entry.channel} ${entry.about} ${entry.extent}`);
    const other = event('Pulling', 'Pulling image "x"', { involvedObject: { kind: 'Pod', name: 'sorter-1', namespace: 'depot' } });
    expect(abouts(read(event('Pulling', 'Pulling image "x"'), other))).toEqual([
      'pod-events Namespace/depot whole',
      'object-events Namespace/depot whole',
    ]);
    expect(abouts(read(event('Pulling', 'Pulling image "x"')))).toEqual(['pod-events Pod/depot/sorter-0 whole']);
  });
});

describe('killedBy', () => {
  it.each([
    ['Stopping container web', 'stop'],
    ['Container web failed liveness probe, will be restarted', 'liveness-probe'],
    ['Container web failed startup probe, will be restarted', 'startup-probe'],
    ['Container web definition changed, will be restarted', 'definition-changed'],
    ['FailedPostStartHook', 'hook'],
    ['Container is in "unknown" state, try killing it before restart', 'unknown-state'],
    ['something else', undefined],
  ])('%s', (message, expected) => {
    expect(killedBy(message)).toBe(expected);
  });
});
