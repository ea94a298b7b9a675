import { describe, expect, it } from 'vitest';
import { factsOfObject } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

const MAIN_ID = 'a3f1'.repeat(16);
const OLD_ID = 'b7c2'.repeat(16);

function crashing(): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'ledger-6c9d8f7b5-x2k4q',
      namespace: 'bank',
      uid: '0b0c7a3e-52d1-4f5a-9e57-3f6d6f0a1c22',
      creationTimestamp: '2025-05-01T10:00:00Z',
      ownerReferences: [{ kind: 'ReplicaSet', name: 'ledger-6c9d8f7b5', controller: true }],
    },
    spec: {
      nodeName: 'rack7-n3',
      hostNetwork: true,
      restartPolicy: 'Always',
      runtimeClassName: 'kata',
      nodeSelector: { disk: 'ssd' },
      schedulerName: 'default-scheduler',
      securityContext: { runAsUser: 1000, runAsNonRoot: true },
      tolerations: [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'team', operator: 'Equal', value: 'bank', effect: 'NoSchedule' },
        { operator: 'Exists' },
      ],
      initContainers: [{ name: 'prepare', image: 'registry.example/prepare:1', command: ['sh', '-c', 'true'] }],
      containers: [
        {
          name: 'app',
          image: 'registry.example/ledger:4.2',
          args: ['--listen', ':8080'],
          resources: { limits: { memory: '512Mi', cpu: '1' } },
          livenessProbe: {
            httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' },
            initialDelaySeconds: 5,
            successThreshold: 1,
            timeoutSeconds: 1,
            periodSeconds: 10,
            failureThreshold: 3,
          },
          readinessProbe: { exec: { command: ['cat', '/tmp/ready'] } },
          startupProbe: { tcpSocket: { port: 'http' } },
          securityContext: { readOnlyRootFilesystem: true, runAsUser: 0 },
          volumeMounts: [{ name: 'host', mountPath: '/host', mountPropagation: 'Bidirectional' }],
        },
      ],
      volumes: [
        { name: 'host', hostPath: { path: '/var/lib/ledger', type: '' } },
        { name: 'settings', configMap: { name: 'ledger-settings' } },
        { name: 'keys', secret: { secretName: 'ledger-keys' } },
        { name: 'data', persistentVolumeClaim: { claimName: 'ledger-data' } },
        { name: 'mixed', projected: { sources: [{ configMap: { name: 'kube-root-ca.crt' } }, { secret: { name: 'extra' } }] } },
        { name: 'share', nfs: { server: 'files.example', path: '/srv' } },
      ],
    },
    status: {
      phase: 'Running',
      conditions: [
        { type: 'Initialized', status: 'True', lastTransitionTime: '2025-05-01T10:00:09Z' },
        {
          type: 'Ready',
          status: 'False',
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [app]',
          lastTransitionTime: '2025-05-01T10:09:00Z',
        },
        { type: 'ContainersReady', status: 'False', reason: 'ContainersNotReady', message: 'containers with unready status: [app]' },
      ],
      initContainerStatuses: [
        {
          name: 'prepare',
          ready: true,
          restartCount: 0,
          state: {
            terminated: { exitCode: 0, reason: 'Completed', startedAt: '2025-05-01T10:00:05Z', finishedAt: '2025-05-01T10:00:08Z' },
          },
        },
      ],
      containerStatuses: [
        {
          name: 'app',
          ready: false,
          restartCount: 6,
          containerID: `containerd://${MAIN_ID}`,
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container=app pod=ledger' } },
          lastState: {
            terminated: {
              exitCode: 137,
              reason: 'OOMKilled',
              message: 'loading journal\nout of heap\n',
              containerID: `containerd://${OLD_ID}`,
              startedAt: '2025-05-01T10:08:30Z',
              finishedAt: '2025-05-01T10:09:00Z',
            },
          },
        },
      ],
    },
  };
}

function read(object: unknown): TestSink {
  const sink = new TestSink();
  factsOfObject(object, 'pod.json', '', sink);
  return sink;
}

const POD = 'Pod/bank/ledger-6c9d8f7b5-x2k4q';
const APP = 'Container/bank/ledger-6c9d8f7b5-x2k4q/app';

describe('a sick pod', () => {
  const sink = read(crashing());

  it('tells its status with counts', () => {
    const status = sink.one('pod.status');
    expect(status).toMatchObject({
      about: POD,
      status: 'CrashLoopBackOff',
      phase: 'Running',
      readyContainers: 0,
      containers: 1,
      restarts: 6,
    });
    expect(status.cited).toEqual([{ doc: 'pod.json', at: { pointer: '/status' }, quote: 'phase: Running, status: CrashLoopBackOff' }]);
  });

  it('tells no ages where its own time stamps are the newest', () => {
    expect(sink.one('pod.status').lastRestartAgo).toBeUndefined();
  });

  it('cites the state of the last run by pointer', () => {
    const last = sink.all('container.terminated').find((fact) => fact.which === 'last');
    expect(last).toMatchObject({ about: APP, reason: 'OOMKilled', exitCode: 137, ranSeconds: 30, when: Date.UTC(2025, 4, 1, 10, 9) });
    expect(last?.cited[0]).toEqual({
      doc: 'pod.json',
      at: { pointer: '/status/containerStatuses/0/lastState/terminated' },
      quote: 'lastState: terminated OOMKilled (137)',
    });
  });

  it('tells what the container waits for and how often it came back', () => {
    expect(sink.one('container.waiting')).toMatchObject({ about: APP, reason: 'CrashLoopBackOff' });
    expect(sink.all('container.restarts').map((fact) => [fact.about, fact.count])).toContainEqual([APP, 6]);
  });

  it('marks facts of init containers', () => {
    const current = sink.all('container.terminated').find((fact) => fact.which === 'current');
    expect(current).toMatchObject({ init: true, reason: 'Completed', exitCode: 0, ranSeconds: 3 });
    expect(sink.all('container.spec').map((fact) => [fact.image, fact.init, fact.index, fact.command, fact.args])).toEqual([
      ['registry.example/prepare:1', true, 0, 'sh -c true', undefined],
      ['registry.example/ledger:4.2', false, 0, undefined, '--listen :8080'],
    ]);
  });

  it('reads limits, probes and security', () => {
    expect(sink.one('container.memory-limit')).toMatchObject({ about: APP, bytes: 512 * 1024 * 1024 });
    expect(sink.one('container.memory-limit').cited[0]?.at).toEqual({ pointer: '/spec/containers/0/resources/limits/memory' });
    expect(
      sink.all('container.probe').map((fact) => [fact.probe, fact.text, fact.delay, fact.timeout, fact.period, fact.failures]),
    ).toEqual([
      ['liveness', 'http-get http://:8080/healthz delay=5s timeout=1s period=10s #success=1 #failure=3', 5, 1, 10, 3],
      ['readiness', 'exec [cat /tmp/ready]', undefined, undefined, undefined, undefined],
      ['startup', 'tcp-socket :http', undefined, undefined, undefined, undefined],
    ]);
    expect(sink.all('container.security').find((fact) => fact.about === APP)).toMatchObject({
      runAsUser: 0,
      runAsNonRoot: true,
      readOnlyRoot: true,
    });
  });

  it('reads the pod spec', () => {
    expect(sink.one('pod.host-network').cited[0]?.quote).toBe('hostNetwork: true');
    expect(sink.one('pod.runtime-class').name).toBe('kata');
    expect(sink.one('pod.restart-policy').policy).toBe('Always');
    expect(sink.one('pod.scheduling')).toMatchObject({
      nodeSelector: { disk: 'ssd' },
      nodeName: 'rack7-n3',
      tolerations: ['node.kubernetes.io/not-ready:NoExecute op=Exists for 300s', 'team=bank:NoSchedule', 'op=Exists'],
    });
    expect(sink.all('pod.volume').map((fact) => [fact.name, fact.type, fact.source, fact.mountPropagation])).toEqual([
      ['host', 'HostPath', '/var/lib/ledger', 'Bidirectional'],
      ['settings', 'ConfigMap', 'ledger-settings', undefined],
      ['keys', 'Secret', 'ledger-keys', undefined],
      ['data', 'PersistentVolumeClaim', 'ledger-data', undefined],
      ['mixed', 'Projected', undefined, undefined],
      ['mixed', 'Secret', 'extra', undefined],
      ['share', 'NFS', 'files.example:/srv', undefined],
    ]);
  });

  it('links names, ids, node and owner', () => {
    expect(sink.edges).toEqual(
      expect.arrayContaining([
        { type: 'runs-on', pod: POD, node: 'Node/rack7-n3' },
        { type: 'owned-by', pod: POD, workload: 'Workload/ReplicaSet/bank/ledger-6c9d8f7b5' },
        { type: 'alias', alias: 'uid:0b0c7a3e-52d1-4f5a-9e57-3f6d6f0a1c22', entity: POD },
        { type: 'alias', alias: `cid:${MAIN_ID}`, entity: APP },
        { type: 'alias', alias: `cid:${OLD_ID}`, entity: APP },
      ]),
    );
  });

  it('hands over messages once each, line by line, except that it backs off', () => {
    expect(sink.sayings.map((saying) => [saying.about, saying.text])).toEqual([
      [POD, 'containers with unready status: [app]'],
      [APP, 'loading journal'],
      [APP, 'out of heap'],
    ]);
    expect(sink.sayings.every((saying) => saying.channel === 'pod-status')).toBe(true);
  });

  it('is covered by name', () => {
    expect(sink.coverage).toEqual([
      { channel: 'pod-status', about: POD, extent: 'whole', doc: 'pod.json' },
      { channel: 'pod-spec', about: POD, extent: 'whole', doc: 'pod.json' },
    ]);
  });
});

describe('strange pods', () => {
  it('reads a manifest without status as a spec', () => {
    const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'probe' }, spec: { containers: [{ name: 'a', image: 'x' }] } };
    const sink = read(manifest);
    expect(sink.all('pod.status')).toEqual([]);
    expect(sink.coverage.map((entry) => [entry.channel, entry.about])).toEqual([['pod-spec', 'Pod/?/probe']]);
  });

  it.each([
    [{ kind: 'Pod', metadata: 5, spec: [], status: 'x' }],
    [
      {
        kind: 'Pod',
        metadata: { name: 7 },
        spec: { containers: [null, 3, { name: {} }], volumes: 'v', tolerations: [1] },
        status: { phase: {}, containerStatuses: [null, []], conditions: [[]] },
      },
    ],
    [{ kind: 'PodList', items: [null, 1, 'x', [], {}] }],
    [null],
    ['text'],
  ])('never throws on %j', (object) => {
    expect(() => read(object)).not.toThrow();
  });
});
