import { describe, expect, it } from 'vitest';
import { ID, NAMED, POD, WEB, WHOLE } from './described-pod.sample.ts';
import { factsOf, linesOf, readText, saying } from './test-support.ts';

describe('kubectl describe pod', () => {
  const read = readText(WHOLE);
  const only = <K extends Parameters<typeof factsOf>[1]>(kind: K, about?: string) => factsOf(read, kind, about).map(saying);

  it('reads it all as one piece', () => {
    expect(read.left).toEqual([]);
    expect(read.pieces).toEqual([{ doc: 'paste.txt', lines: [1, WHOLE.split('\n').length], what: 'kubectl describe pod' }]);
    expect(new Set(read.facts.map(({ about }) => about))).toEqual(
      new Set([POD, WEB, `Container/shop/cart-7d4b9c6f5d-t8x2m/prepare`, `Container/shop/cart-7d4b9c6f5d-t8x2m/proxy`]),
    );
  });

  it('says what the STATUS column would', () => {
    expect(only('pod.status')).toEqual([
      { about: POD, status: 'CrashLoopBackOff', phase: 'Running', readyContainers: 1, containers: 2, restarts: 17 },
    ]);
    expect(linesOf(factsOf(read, 'pod.status')[0])).toEqual([13, 13]);
  });

  it('places the pod', () => {
    expect(read.edges).toEqual([
      { type: 'runs-on', pod: POD, node: 'Node/worker-4' },
      { type: 'owned-by', pod: POD, workload: 'Workload/ReplicaSet/shop/cart-7d4b9c6f5d' },
      { type: 'alias', alias: `cid:${ID}`, entity: 'Container/shop/cart-7d4b9c6f5d-t8x2m/prepare' },
      { type: 'alias', alias: `cid:${ID.replace('b', 'c')}`, entity: WEB },
      { type: 'alias', alias: 'uid:6a1b2c3d-4e5f-4061-9273-8495a6b7c8d9', entity: POD },
    ]);
    expect(only('pod.host-network')).toEqual([{ about: POD, hostNetwork: true }]);
    expect(only('pod.runtime-class')).toEqual([{ about: POD, name: 'sandboxed' }]);
    expect(only('pod.scheduling')).toEqual([
      {
        about: POD,
        nodeSelector: { disk: 'ssd', 'kubernetes.io/os': 'linux' },
        tolerations: [
          'node.kubernetes.io/not-ready:NoExecute op=Exists for 300s',
          'node.kubernetes.io/unreachable:NoExecute op=Exists for 300s',
        ],
        nodeName: 'worker-4',
      },
    ]);
  });

  it('reads containers in order, with what they run', () => {
    expect(
      factsOf(read, 'container.spec').map(({ about, init, index, image, command, args }) => [
        about.split('/').at(-1),
        init,
        index,
        image,
        command,
        args,
      ]),
    ).toEqual([
      ['prepare', true, 0, 'registry.example/prepare:1', 'sh -c echo one echo two', undefined],
      ['web', false, 0, 'registry.example/cart:7', undefined, '--port 8080'],
      ['proxy', false, 1, 'registry.example/proxy:3', undefined, undefined],
    ]);
  });

  it('reads states, present and last', () => {
    expect(only('container.waiting')).toEqual([{ about: WEB, reason: 'CrashLoopBackOff' }]);
    const last = factsOf(read, 'container.terminated', WEB);
    const finishedAt = Date.UTC(2024, 2, 5, 1, 10, 31);
    expect(last.map(saying)).toEqual([
      {
        about: WEB,
        which: 'last',
        init: false,
        reason: 'Error',
        exitCode: 137,
        signal: 9,
        startedAt: finishedAt - 31_000,
        finishedAt,
        ranSeconds: 31,
        when: finishedAt,
        message: 'panic: cannot open store\ngoroutine 1 [running]:\n\nmain.main()',
      },
    ]);
    expect(linesOf(last[0])).toEqual([53, 62]);
    expect(factsOf(read, 'container.terminated').find(({ init }) => init)).toMatchObject({ which: 'current', exitCode: 0, ranSeconds: 2 });
    expect(factsOf(read, 'container.running').map(saying)).toEqual([
      {
        about: 'Container/shop/cart-7d4b9c6f5d-t8x2m/proxy',
        startedAt: Date.UTC(2024, 2, 5, 1, 0, 9),
        forSeconds: 1200,
        ready: true,
        init: false,
      },
    ]);
    expect(factsOf(read, 'container.restarts').map(({ count }) => count)).toEqual([0, 17, 0]);
  });

  it('reads limits and probes', () => {
    expect(only('container.memory-limit')).toEqual([{ about: WEB, bytes: 256 * 2 ** 20 }]);
    expect(only('container.probe')).toEqual([
      {
        about: WEB,
        probe: 'liveness',
        text: 'http-get http://:8080/healthz delay=15s timeout=1s period=10s #success=1 #failure=3',
        delay: 15,
        timeout: 1,
        period: 10,
        failures: 3,
      },
      {
        about: WEB,
        probe: 'startup',
        text: 'exec [cat /tmp/ready] delay=0s timeout=2s period=5s #success=1 #failure=30',
        delay: 0,
        timeout: 2,
        period: 5,
        failures: 30,
      },
    ]);
  });

  it('reads conditions and volumes', () => {
    expect(factsOf(read, 'pod.condition').map(({ type, status }) => [type, status])).toEqual([
      ['PodReadyToStartContainers', 'True'],
      ['Initialized', 'True'],
      ['Ready', 'False'],
    ]);
    expect(only('pod.volume').map(({ about: _about, ...volume }) => volume)).toEqual([
      { name: 'data', type: 'PersistentVolumeClaim', source: 'data-cart' },
      { name: 'host', type: 'HostPath', hostPath: '/var/lib/cart', source: '/var/lib/cart' },
      { name: 'settings', type: 'ConfigMap', source: 'cart-settings' },
      { name: 'token', type: 'Secret', source: 'cart-token' },
      { name: 'files', type: 'NFS', source: 'files.example:/export' },
    ]);
  });

  it('covers spec, status and events wholly', () => {
    expect(read.coverage.map(({ channel, about, extent }) => [channel, about, extent])).toEqual([
      ['pod-events', POD, 'whole'],
      ['pod-status', POD, 'whole'],
      ['pod-spec', POD, 'whole'],
    ]);
  });

  it('hands on what the container said before it ended', () => {
    expect(read.said.find(({ channel }) => channel === 'pod-status')).toMatchObject({
      about: WEB,
      text: expect.stringContaining('cannot open store'),
    });
  });

  for (const [style, text] of Object.entries({
    quoted: WHOLE.replace(/^/gm, '> '),
    indented: WHOLE.replace(/^/gm, '    '),
    'with Windows line ends': WHOLE.replaceAll('\n', '\r\n'),
    'with hard spaces': WHOLE.replaceAll('  ', '\u00a0\u00a0'),
  })) {
    it(`reads the same ${style}`, () => {
      const again = readText(text);
      expect(again.facts.map(saying)).toEqual(read.facts.map(saying));
      expect(again.left).toEqual([]);
    });
  }

  it('reads much of it without any indent', () => {
    const flat = readText(WHOLE.replace(/^ +/gm, '').replace(/ {2,}/g, ' ').replace('State: not a state\n', ''));
    expect(flat.left).toEqual([]);
    for (const kind of [
      'container.waiting',
      'container.terminated',
      'container.restarts',
      'container.memory-limit',
      'pod.condition',
      'pod.volume',
      'pod.scheduling',
    ] as const) {
      expect(factsOf(flat, kind).map(saying)).toEqual(factsOf(read, kind).map(saying));
    }
  });

  it('reads any tail of it without losing the events', () => {
    const lines = WHOLE.split('\n');
    for (let from = 0; from < lines.length - 5; from++) {
      const tail = readText(lines.slice(from).join('\n'), NAMED);
      expect(factsOf(tail, 'pod.event', POD), `from line ${from + 1}`).toHaveLength(2);
    }
  });

  it('reads any head of it', () => {
    const lines = WHOLE.split('\n');
    const message = [55, 56, 57, 58];
    for (let until = 3; until < lines.length; until++) {
      // Without the exit code below it, nothing tells a message's end from prose.
      if (message.includes(until)) continue;
      const head = readText(lines.slice(0, until).join('\n'));
      expect(head.left, `until line ${until}`).toEqual([]);
      expect(head.facts.every(({ about }) => about.includes('shop/cart-7d4b9c6f5d-t8x2m'))).toBe(true);
    }
  });
});
