import * as fc from 'fast-check';

/** Strings full of what could mislead whoever looks for brackets, quotes or line ends. */
export const nasty = fc
  .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', 'items', 'a', 'é', '},{"metadata":{', '        }', ' '), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

const running = { running: { startedAt: '2025-08-01T00:00:00Z' } };
const state = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom<object>(running, running, { running: { startedAt: '2025-08-02T10:00:00Z' } }, { running: {} }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<object>(
      { waiting: { reason: 'CrashLoopBackOff', message: 'back-off } { "status": {' } },
      { terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2025-08-01T00:00:09Z' } },
      { terminated: { exitCode: 1, reason: 'Error' } },
      {},
    ),
  },
);
const done = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom<object>({ terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2025-08-03T00:00:09Z' } }),
  },
  { weight: 1, arbitrary: state },
);

function containers(states: fc.Arbitrary<object>, minLength: number): fc.Arbitrary<readonly object[]> {
  return fc.array(
    fc.record(
      {
        state: states,
        restartCount: fc.oneof({ weight: 20, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(2) }),
        ready: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
        started: fc.boolean(),
        lastState: fc.oneof(
          { weight: 20, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: fc.constant({ terminated: { exitCode: 2, finishedAt: '2025-08-04T00:00:00Z' } }) },
        ),
        imageID: nasty,
      },
      { requiredKeys: ['state', 'ready'] },
    ),
    { minLength, maxLength: 3 },
  );
}

const condition = fc.record(
  {
    lastProbeTime: fc.constant(null),
    lastTransitionTime: fc.constantFrom(
      '2025-08-01T00:00:05Z',
      '2025-08-01T00:00:06Z',
      null,
      '2025-08-05T00:00:00.5Z',
      '0001-01-01T00:00:00Z',
    ),
    type: fc.constantFrom('Ready', 'Initialized', 'PodScheduled', 'PodScheduled', 'ContainersReady', 'DisruptionTarget'),
    status: fc.constantFrom('True', 'True', 'True', 'True', 'True', 'True', 'False'),
    reason: fc.constantFrom('SchedulingGated', 'Fine', 'Fine', 'Fine'),
  },
  { requiredKeys: ['type', 'status'] },
);

const owners = fc.constantFrom<unknown>(
  [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'p-6f5d8c7b9', controller: true }],
  [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'p-6f5d8c7b9', controller: true }],
  [{ apiVersion: 'v1', kind: 'Node', name: 'kelp-1', controller: true }],
  [{ kind: 'Other', name: 'x' }],
  [
    { kind: 'Other', name: 'x', controller: false },
    { kind: 'Job', name: 'p', controller: true },
  ],
  [],
  undefined,
);

/** The same members in another order. */
function shuffled<T extends object>(value: T, order: readonly number[]): T {
  const entries = Object.entries(value).map((entry, index) => ({ entry, rank: order[index % order.length] ?? 0 }));
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ entry }) => entry)) as T;
}

const made = fc.record({
  name: fc.constantFrom('tern-0', 'tern-1', 'tern-2', '', 'möwe'),
  namespace: fc.constantFrom('reef', 'dune', undefined),
  phase: fc.constantFrom('Running', 'Running', 'Running', 'Running', 'Succeeded', 'Pending'),
  main: containers(state, 0),
  init: fc.oneof({ weight: 2, arbitrary: fc.constant<readonly object[]>([]) }, { weight: 1, arbitrary: containers(done, 1) }),
  sidecar: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  missing: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  deletionTimestamp: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, null, '2025-08-01T01:00:00Z'),
  conditions: fc.array(condition, { maxLength: 4 }),
  node: fc.constantFrom('kelp-1', 'kelp-2', 'kelp-2', undefined, ''),
  owners,
  reason: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 'Evicted', ''),
  text: nasty,
  template: fc.boolean(),
  order: fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }),
});

/** Pods as the API server might list them, most of them well, some odd. */
export const anyPod = made.map((pod) => {
  const named = (list: readonly object[], prefix: string) => list.map((status, index) => ({ name: `${prefix}${index}`, ...status }));
  const metadata = {
    annotations: { note: pod.text, '"spec":{': '"status":{' },
    creationTimestamp: '2025-08-01T00:00:00Z',
    deletionTimestamp: pod.deletionTimestamp,
    labels: { [pod.text]: pod.text },
    name: pod.name,
    namespace: pod.namespace,
    ownerReferences: pod.owners,
    uid: 'u-1',
  };
  const spec = {
    containers: [...pod.main, ...pod.init.slice(0, pod.missing)].map((_, index) => ({
      name: `c${index}`,
      image: 'y',
      env: [{ name: 'A', value: pod.text }],
    })),
    initContainers: pod.init.map((_, index) => ({
      name: `i${index}`,
      image: 'x',
      ...(pod.sidecar && index === 0 ? { restartPolicy: 'Always' } : {}),
    })),
    nodeName: pod.node,
    restartPolicy: 'Always',
    ...(pod.template ? { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' } } } }] } : {}),
  };
  const status = {
    conditions: pod.conditions,
    ...(pod.main.length > 0 ? { containerStatuses: named(pod.main, 'c') } : {}),
    ...(pod.init.length > 0 ? { initContainerStatuses: named(pod.init, 'i') } : {}),
    phase: pod.phase,
    reason: pod.reason,
    zone: { last: { of: { all: [{}] } } },
  };
  return shuffled(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: shuffled(metadata, pod.order),
      spec: shuffled(spec, pod.order),
      status: shuffled(status, pod.order),
    },
    pod.order,
  );
});

export interface AnyPod {
  readonly metadata: object;
  readonly spec: object;
  readonly status: object;
}

export type Print = (value: unknown) => string;

/** JSON as various programs lay it out. */
export const layout: fc.Arbitrary<Print> = fc.oneof(
  fc.constantFrom(0, 1, 2, 4, '\t').map((indent) => (value: unknown) => JSON.stringify(value, null, indent)),
  fc.constant((value: unknown) => JSON.stringify(value, null, 4).replaceAll('\n', '\r\n')),
  fc.constant((value: unknown) => JSON.stringify(value, null, 4).replaceAll(/^ +/gm, '')),
);

/** Lines as far in as it happens: valid, but nothing can be told by columns. */
export const disorder: fc.Arbitrary<Print> = fc.array(fc.nat(3), { minLength: 1, maxLength: 7 }).map((widths) => (value: unknown) => {
  let line = 0;
  return JSON.stringify(value, null, 1).replaceAll(/^ */gm, () => '  '.repeat(widths[line++ % widths.length] ?? 0));
});
