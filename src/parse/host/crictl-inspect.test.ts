import { describe, expect, it } from 'vitest';
import { hear, linesOf, told } from './testing.ts';

const ID = 'c0ffee'.padEnd(64, '0');
const SANDBOX = 'ba5eba11'.padEnd(64, '1');
const UID = '5b0f3c1a-7e2d-4f6b-8a9c-0d1e2f3a4b5c';

function inspected(state: string, more: object = {}, info: object = {}) {
  return JSON.stringify(
    {
      status: {
        id: ID,
        metadata: { attempt: 4, name: 'web' },
        state,
        labels: {
          'io.kubernetes.container.name': 'web',
          'io.kubernetes.pod.name': 'store-7wq2x',
          'io.kubernetes.pod.namespace': 'shop',
          'io.kubernetes.pod.uid': UID,
        },
        ...more,
      },
      info: { sandboxID: SANDBOX, pid: 4711, ...info },
    },
    null,
    2,
  );
}

describe('crictl inspect', () => {
  it('tells an ended container, its words and its pod', () => {
    const text = inspected('CONTAINER_EXITED', {
      startedAt: '2025-03-04T10:00:00Z',
      finishedAt: '2025-03-04T10:00:12Z',
      exitCode: 128,
      reason: 'StartError',
      message: 'failed to create task: exec: "/run.sh": no such file or directory',
    });
    const heard = hear(text);
    expect(told(heard, 'container.runtime-state')).toMatchObject([
      { about: 'Container/shop/store-7wq2x/web', state: 'exited', attempt: 4, id: ID },
    ]);
    expect(told(heard, 'container.terminated')).toMatchObject([{ exitCode: 128, reason: 'StartError', ranSeconds: 12, which: 'last' }]);
    expect(heard.sayings).toMatchObject([{ about: 'Container/shop/store-7wq2x/web', channel: 'runtime-state' }]);
    expect(heard.edges).toContainEqual({ type: 'alias', alias: `sandbox:${SANDBOX}`, entity: 'Pod/shop/store-7wq2x' });
    expect(heard.taken).toMatchObject([{ what: 'crictl inspect' }]);
  });

  it('does not take the path that was asked for as the path where it sits', () => {
    const asked = (cgroupsPath: string) =>
      told(hear(inspected('CONTAINER_RUNNING', {}, { runtimeSpec: { linux: { cgroupsPath } } })), 'container.cgroup-path').map(
        ({ shape }) => shape,
      );
    expect(asked(`kubepods-burstable-pod${UID.replaceAll('-', '_')}.slice:cri-containerd:${ID}`)).toEqual(['other']);
    expect(asked(`/kubepods/burstable/pod${UID}/${ID}`)).toEqual(['cgroupfs']);
  });

  it('tells the driver the container was made with', () => {
    const heard = hear(inspected('CONTAINER_RUNNING', {}, { runtimeOptions: { systemd_cgroup: true } }));
    expect(told(heard, 'runtime.cgroup-driver')).toMatchObject([{ driver: 'systemd', source: 'effective' }]);
    expect(linesOf(heard.facts.find(({ kind }) => kind === 'runtime.cgroup-driver'))).toBeDefined();
  });

  it('keeps what stands before a cut', () => {
    const text = inspected('CONTAINER_RUNNING');
    const heard = hear(text.slice(0, text.indexOf('"info"')));
    expect(told(heard, 'container.runtime-state')).toMatchObject([{ state: 'running' }]);
  });

  it('reads a sandbox', () => {
    const text = JSON.stringify(
      { status: { id: SANDBOX, metadata: { name: 'store-7wq2x', namespace: 'shop', uid: UID }, state: 'SANDBOX_NOTREADY' } },
      null,
      2,
    );
    const heard = hear(text, { node: 'Node/elm-1' });
    expect(heard.edges).toEqual([
      { type: 'alias', alias: `sandbox:${SANDBOX}`, entity: 'Pod/shop/store-7wq2x' },
      { type: 'alias', alias: `uid:${UID}`, entity: 'Pod/shop/store-7wq2x' },
    ]);
    expect(heard.facts).toEqual([]);
  });

  it('leaves other objects alone', () => {
    for (const text of ['{\n  "destination": "/rootfs"\n}', '{"status":{"state":"CONTAINER_RUNNING"}}', '{"sandboxID":"x"}'])
      expect(hear(text).taken).toEqual([]);
  });
});
