import { describe, expect, it } from 'vitest';
import { podStatusOf } from './pod-status.ts';

const RUNNING = { running: { startedAt: '2025-03-02T08:00:05Z' } };
const READY = [
  { type: 'Initialized', status: 'True' },
  { type: 'Ready', status: 'True' },
];
const UNREADY = [
  { type: 'Initialized', status: 'True' },
  { type: 'Ready', status: 'False' },
];

function ended(reason: string | undefined, exitCode: number, signal?: number) {
  return { terminated: { exitCode, ...(reason ? { reason } : {}), ...(signal ? { signal } : {}) } };
}

function container(name: string, state: object, more: object = {}) {
  return { name, state, ready: 'running' in state, restartCount: 0, lastState: {}, ...more };
}

function pod(spec: object, status: object, metadata: object = {}) {
  return { metadata: { name: 'cart-0', ...metadata }, spec, status };
}

const ONE = { containers: [{ name: 'app' }] };
const TWO = { containers: [{ name: 'app' }, { name: 'proxy' }] };
const WITH_INIT = { ...ONE, initContainers: [{ name: 'wait-db' }, { name: 'migrate' }, { name: 'seed' }] };
const WITH_SIDECAR = { ...ONE, initContainers: [{ name: 'mesh', restartPolicy: 'Always' }, { name: 'migrate' }] };

describe('podStatusOf', () => {
  it.each([
    ['Running', pod(ONE, { phase: 'Running', conditions: READY, containerStatuses: [container('app', RUNNING)] })],
    ['Pending', pod(ONE, { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] })],
    ['SchedulingGated', pod(ONE, { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] })],
    ['Evicted', pod(ONE, { phase: 'Failed', reason: 'Evicted' })],
    [
      'ContainerCreating',
      pod(ONE, { phase: 'Pending', containerStatuses: [container('app', { waiting: { reason: 'ContainerCreating' } })] }),
    ],
    [
      'CrashLoopBackOff',
      pod(ONE, { phase: 'Running', containerStatuses: [container('app', { waiting: { reason: 'CrashLoopBackOff' } })] }),
    ],
    ['OOMKilled', pod(ONE, { phase: 'Running', containerStatuses: [container('app', ended('OOMKilled', 137))] })],
    ['ExitCode:3', pod(ONE, { phase: 'Running', containerStatuses: [container('app', ended(undefined, 3))] })],
    ['Signal:9', pod(ONE, { phase: 'Running', containerStatuses: [container('app', ended(undefined, 137, 9))] })],
    ['Completed', pod(ONE, { phase: 'Succeeded', containerStatuses: [container('app', ended('Completed', 0))] })],
    ['Init:0/3', pod(WITH_INIT, { phase: 'Pending', initContainerStatuses: [container('wait-db', RUNNING, { ready: false })] })],
    [
      'Init:0/3',
      pod(WITH_INIT, { phase: 'Pending', initContainerStatuses: [container('wait-db', { waiting: { reason: 'PodInitializing' } })] }),
    ],
    [
      'Init:1/3',
      pod(WITH_INIT, {
        phase: 'Pending',
        initContainerStatuses: [container('wait-db', ended('Completed', 0)), container('migrate', RUNNING)],
      }),
    ],
    ['Init:Error', pod(WITH_INIT, { phase: 'Pending', initContainerStatuses: [container('wait-db', ended('Error', 1))] })],
    ['Init:ExitCode:4', pod(WITH_INIT, { phase: 'Pending', initContainerStatuses: [container('wait-db', ended(undefined, 4))] })],
    ['Init:Signal:15', pod(WITH_INIT, { phase: 'Pending', initContainerStatuses: [container('wait-db', ended(undefined, 143, 15))] })],
    [
      'Init:CrashLoopBackOff',
      pod(WITH_INIT, { phase: 'Pending', initContainerStatuses: [container('wait-db', { waiting: { reason: 'CrashLoopBackOff' } })] }),
    ],
    [
      'NotReady',
      pod(TWO, {
        phase: 'Running',
        conditions: UNREADY,
        containerStatuses: [container('app', ended('Completed', 0)), container('proxy', RUNNING)],
      }),
    ],
    [
      'Running',
      pod(TWO, {
        phase: 'Running',
        conditions: READY,
        containerStatuses: [container('app', ended('Completed', 0)), container('proxy', RUNNING)],
      }),
    ],
    [
      'Error',
      pod(TWO, { phase: 'Failed', containerStatuses: [container('app', ended('Completed', 0)), container('proxy', ended('Error', 2))] }),
    ],
    [
      'Terminating',
      pod(ONE, { phase: 'Running', containerStatuses: [container('app', RUNNING)] }, { deletionTimestamp: '2025-03-02T08:00:05Z' }),
    ],
    [
      'Completed',
      pod(
        ONE,
        { phase: 'Succeeded', containerStatuses: [container('app', ended('Completed', 0))] },
        { deletionTimestamp: '2025-03-02T08:00:05Z' },
      ),
    ],
    ['Unknown', pod(ONE, { phase: 'Running', reason: 'NodeLost' }, { deletionTimestamp: '2025-03-02T08:00:05Z' })],
  ])('prints %s as kubectl does', (expected, object) => {
    expect(podStatusOf(object).status).toBe(expected);
  });

  it('lets the first container in order speak when several have a reason', () => {
    const object = pod(TWO, {
      phase: 'Pending',
      containerStatuses: [
        container('app', { waiting: { reason: 'ImagePullBackOff' } }),
        container('proxy', { waiting: { reason: 'ContainerCreating' } }),
      ],
    });
    expect(podStatusOf(object).status).toBe('ImagePullBackOff');
  });

  it('counts native sidecars as containers and their restarts as restarts', () => {
    const object = pod(WITH_SIDECAR, {
      phase: 'Running',
      conditions: READY,
      initContainerStatuses: [
        container('mesh', RUNNING, {
          started: true,
          restartCount: 2,
          lastState: { terminated: { exitCode: 1, finishedAt: '2025-03-02T09:00:00Z' } },
        }),
        container('migrate', ended('Completed', 0), { restartCount: 5 }),
      ],
      containerStatuses: [container('app', RUNNING, { restartCount: 1 })],
    });
    expect(podStatusOf(object)).toMatchObject({
      status: 'Running',
      ready: 2,
      containers: 2,
      restarts: 3,
      lastRestart: Date.UTC(2025, 2, 2, 9),
    });
  });

  it('waits for a sidecar that has not started', () => {
    const object = pod(WITH_SIDECAR, { phase: 'Pending', initContainerStatuses: [container('mesh', RUNNING, { started: false })] });
    expect(podStatusOf(object).status).toBe('Init:0/2');
  });

  it('counts restarts of init containers while they are at it', () => {
    const object = pod(WITH_INIT, {
      phase: 'Pending',
      initContainerStatuses: [container('wait-db', { waiting: { reason: 'CrashLoopBackOff' } }, { restartCount: 7 })],
      containerStatuses: [container('app', { waiting: { reason: 'PodInitializing' } })],
    });
    expect(podStatusOf(object)).toMatchObject({ restarts: 7, ready: 0, containers: 1 });
  });

  it('says nothing of a fragment without phase whose containers run', () => {
    expect(podStatusOf({ status: { containerStatuses: [container('app', RUNNING)] } })).toMatchObject({ status: undefined, containers: 1 });
  });
});
