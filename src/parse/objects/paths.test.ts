import { describe, expect, it } from 'vitest';
import { contextOfPath, parseDumpMarker } from './paths.ts';

const UID = '5f0c1d2e-3b4a-4c5d-8e6f-708192a3b4c5';

describe('contextOfPath', () => {
  it.each([
    [`var/log/pods/ferry_dock-7d9f-x1_${UID}/engine/0.log`, { namespace: 'ferry', pod: 'Pod/ferry/dock-7d9f-x1', container: 'engine' }],
    [
      `/var/log/pods/kube-system_etcd-n1_${'ab12'.repeat(8)}/etcd/3.log.20250101-101010.gz`,
      { namespace: 'kube-system', pod: 'Pod/kube-system/etcd-n1', container: 'etcd' },
    ],
    [
      `/var/log/containers/dock-0_ferry_engine-${'0f'.repeat(32)}.log`,
      { namespace: 'ferry', pod: 'Pod/ferry/dock-0', container: 'engine' },
    ],
    [
      'mg/namespaces/ferry/pods/dock-0/engine/engine/logs/previous.log',
      { namespace: 'ferry', pod: 'Pod/ferry/dock-0', container: 'engine', previous: true },
    ],
    [
      'b/cluster-resources/pods/logs/ferry/dock-0/engine-previous.log',
      { namespace: 'ferry', pod: 'Pod/ferry/dock-0', container: 'engine', previous: true },
    ],
    ['b/cluster-resources/pods/logs/ferry/dock-0/engine.log', { namespace: 'ferry', pod: 'Pod/ferry/dock-0', container: 'engine' }],
    ['dump/ferry/dock-0/logs.txt', { namespace: 'ferry', pod: 'Pod/ferry/dock-0' }],
    ['dump\\ferry\\dock-0\\logs.txt', { namespace: 'ferry', pod: 'Pod/ferry/dock-0' }],
  ])('reads %s', (path, expected) => {
    expect(contextOfPath(path)).toEqual({ channel: 'container-log', ...expected });
  });

  it('believes a dump only beside its nodes, where that can be asked', () => {
    const files = new Set(['dump/nodes.json']);
    expect(contextOfPath('dump/ferry/dock-0/logs.txt', (path) => files.has(path))).toMatchObject({ namespace: 'ferry' });
    expect(contextOfPath('case/ferry/dock-0/logs.txt', (path) => files.has(path))).toEqual({});
  });

  it.each(['kubelet.log', 'logs.txt', 'a/logs.txt', 'Ferry/Dock/logs.txt', 'x/0.log', `${'a/'.repeat(5000)}logs.txt`])(
    'tells nothing of %s',
    (path) => {
      expect(contextOfPath(path)).toEqual({});
    },
  );
});

describe('parseDumpMarker', () => {
  it('reads both ends', () => {
    expect(parseDumpMarker('==== START logs for container engine of pod ferry/dock-0 ====')).toEqual({
      type: 'start',
      namespace: 'ferry',
      pod: 'dock-0',
      container: 'engine',
    });
    expect(parseDumpMarker('==== END logs for container engine of pod ferry/dock-0 ====\r')?.type).toBe('end');
  });

  it('reads nothing else', () => {
    for (const line of [
      '',
      '==== START ====',
      ' ==== START logs for container a of pod b/c ====',
      `==== START logs for container ${'a'.repeat(900)}`,
    ]) {
      expect(parseDumpMarker(line)).toBeUndefined();
    }
  });
});
