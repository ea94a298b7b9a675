import { afterEach, describe, expect, it } from 'vitest';
import { message, startHungRuntime, startRuntime, type TestRuntime } from './cri/testing-runtime.ts';
import { createCriProbe } from './cri-probe.ts';

const V1 = 'runtime.v1.RuntimeService';
const SANDBOX = 'c0ffee'.repeat(10).padEnd(64, '0');
const CONTAINER = 'beef'.repeat(16);
const VERSION = message([1, '0.1.0'], [2, 'containerd'], [3, 'v1.7.13'], [4, 'v1']);
const minutesAgo = (minutes: number) => (Date.now() - minutes * 60_000) * 1e6;

const running: TestRuntime[] = [];
afterEach(async () => {
  for (const runtime of running.splice(0)) await runtime.close();
});

async function probeOf(runtime: Promise<TestRuntime>, milliseconds = 20_000) {
  const started = await runtime;
  running.push(started);
  return { ask: createCriProbe(started.socket, milliseconds), ...started };
}

function status(...conditions: readonly (readonly [type: string, ok: boolean, message?: string])[]): Uint8Array {
  const told = conditions.map(([type, ok, text]) => [1, message([1, type], [2, ok ? 1 : 0], [4, text ?? ''])] as const);
  const registry = { registry: { configs: { 'r.example': { auth: { username: 'joan', password: 'hush', auth: 'am9hbg==' } } } } };
  const info = [
    [
      2,
      message(
        [1, 'config'],
        [2, JSON.stringify({ containerd: { runtimes: { runc: { options: { SystemdCgroup: true } } } }, ...registry })],
      ),
    ],
    [2, message([1, 'lastCNILoadStatus'], [2, 'OK'])],
  ] as const;
  return message([1, message(...told)], ...info);
}

describe('a runtime that answers', () => {
  it('is printed as crictl prints it', async () => {
    const { ask, asked } = await probeOf(
      startRuntime(V1, {
        Version: VERSION,
        Status: status(['RuntimeReady', true], ['NetworkReady', false, 'cni plugin not initialized']),
        RuntimeConfig: message([1, message()]),
      }),
    );
    expect(await ask('cri-version')).toBe('Version:  0.1.0\nRuntimeName:  containerd\nRuntimeVersion:  v1.7.13\nRuntimeApiVersion:  v1\n');
    const info = JSON.parse((await ask('cri-info')) ?? '');
    expect(info.status.conditions).toEqual([
      { type: 'RuntimeReady', status: true, reason: '', message: '' },
      { type: 'NetworkReady', status: false, reason: '', message: 'cni plugin not initialized' },
    ]);
    expect(info.config.containerd.runtimes.runc.options).toEqual({ SystemdCgroup: true });
    expect(info.lastCNILoadStatus).toBe('OK');
    expect(JSON.stringify(info)).not.toMatch(/hush|am9hbg/);
    expect(await ask('cri-runtime-config')).toBe('cgroup driver: SYSTEMD\n');
    expect(asked.find(({ path }) => path.endsWith('/Status'))?.body).toEqual(Buffer.from([8, 1]));
  });

  it('lists pods and containers with whole ids, each container with its pod', async () => {
    const sandbox = message([1, SANDBOX], [2, message([1, 'web-0'], [2, 'uid'], [3, 'shop'], [4, 2])], [3, 1], [4, minutesAgo(5)]);
    const container = (state: number, id: string, attempt: number) =>
      message(
        [1, id],
        [2, SANDBOX],
        [3, message([1, 'app'], [2, attempt])],
        [4, message([1, 'sha256:abc'])],
        [6, state],
        [7, minutesAgo(90)],
      );
    const { ask } = await probeOf(
      startRuntime(V1, {
        Version: VERSION,
        ListPodSandbox: message([1, sandbox]),
        ListContainers: message([1, container(1, CONTAINER, 3)], [1, container(2, CONTAINER.replaceAll('b', 'a'), 2)]),
      }),
    );
    const [, pod = ''] = (await ask('cri-pods'))?.split('\n') ?? [];
    expect(pod.split(/ {2,}/)).toEqual([SANDBOX, '5 minutes ago', 'NotReady', 'web-0', 'shop', '2']);
    const [head = '', first = '', second = ''] = (await ask('cri-ps'))?.split('\n') ?? [];
    expect(head.split(/ {2,}/)).toEqual(['CONTAINER', 'IMAGE', 'CREATED', 'STATE', 'NAME', 'ATTEMPT', 'POD ID', 'POD', 'NAMESPACE']);
    expect(first.split(/ {2,}/)).toEqual([CONTAINER, 'sha256:abc', '90 minutes ago', 'Running', 'app', '3', SANDBOX, 'web-0', 'shop']);
    expect(second).toContain(' Exited ');
  });

  it('of an older time is asked by the older name, and does not know every question', async () => {
    const { ask } = await probeOf(startRuntime('runtime.v1alpha2.RuntimeService', { Version: VERSION }));
    expect(await ask('cri-version')).toContain('RuntimeName:  containerd');
    expect(await ask('cri-runtime-config')).toBe(
      'FATA[0000] RuntimeConfig from runtime service failed: rpc error: code = Unimplemented desc = unknown method RuntimeConfig for service runtime.v1alpha2.RuntimeService\n',
    );
  });
});

describe('a runtime that does not serve', () => {
  it('because it hangs is asked once, and its silence is said', async () => {
    const { ask } = await probeOf(startHungRuntime(), 1000);
    expect(await ask('cri-version')).toBe(
      'FATA[0001] Version from runtime service failed: rpc error: code = DeadlineExceeded desc = context deadline exceeded\n',
    );
    expect(await ask('cri-info')).toBeUndefined();
    expect(await ask('cri-ps')).toBeUndefined();
  });

  it('because its CRI plugin is off says so', async () => {
    const { ask } = await probeOf(startRuntime('containerd.services.tasks.v1.Tasks', {}));
    expect(await ask('cri-version')).toBe(
      'FATA[0000] Version from runtime service failed: rpc error: code = Unimplemented desc = unknown service runtime.v1.RuntimeService\n',
    );
  });

  it('because nobody listens is told as the kubelet tells it', async () => {
    const { socket, close } = await startHungRuntime();
    await close();
    expect(await createCriProbe(socket)('cri-version')).toBe(
      `FATA[0000] Version from runtime service failed: rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix ${socket}: connect: no such file or directory"\n`,
    );
  });

  it('because what listens there is something else', async () => {
    const { ask } = await probeOf(startRuntime(V1, { Version: VERSION, Status: Uint8Array.of(0xff, 0xff, 0xff) }));
    expect(JSON.parse((await ask('cri-info')) ?? '')).toEqual({ status: { conditions: [] } });
  });
});
