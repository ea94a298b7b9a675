import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

const LIST = `LAST SEEN   TYPE      REASON             OBJECT                        MESSAGE
5m9s        Normal    SuccessfulCreate   statefulset/db                create Pod db-0 in StatefulSet db successful
64s         Normal    Killing            pod/web-5d9c7f8b4d-k2x8w      Stopping container web
12m         Warning   FailedBinding      persistentvolumeclaim/data    no persistent volumes available for this claim and no storage class is set
4m          Warning   SystemOOM          node/worker-1                 System OOM encountered, victim process: java, pid: 4711`;

describe('kubectl get events', () => {
  for (const [style, text] of Object.entries({
    aligned: LIST,
    collapsed: LIST.replace(/ {2,}/g, ' '),
    tabs: LIST.replace(/ {2,}/g, '\t'),
    quoted: LIST.replace(/^/gm, '> '),
    'without header': LIST.split('\n').slice(1).join('\n'),
  })) {
    it(`reads a list ${style}`, () => {
      const read = readText(text, { namespace: 'shop' });
      expect(factsOf(read, 'pod.event').map(saying)).toEqual([
        {
          about: 'Pod/shop/web-5d9c7f8b4d-k2x8w',
          type: 'Normal',
          reason: 'Killing',
          message: 'Stopping container web',
          count: 1,
          lastAgo: 64,
          container: 'web',
          killedBy: 'stop',
        },
      ]);
      expect(factsOf(read, 'object.event').map(({ about, reason }) => [about, reason])).toEqual([
        ['Workload/StatefulSet/shop/db', 'SuccessfulCreate'],
        ['Object/PersistentVolumeClaim/shop/data', 'FailedBinding'],
      ]);
      expect(factsOf(read, 'node.event')[0]).toMatchObject({ about: 'Node/worker-1', type: 'Warning', lastAgo: 240 });
      expect(read.left).toEqual([]);
    });
  }

  it('reads namespaces and covers the cluster', () => {
    const read = readText(
      'NAMESPACE   LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\nshop        5m          Warning   BackOff   pod/web-0   Back-off restarting failed container',
    );
    expect(factsOf(read, 'pod.event')[0]?.about).toBe('Pod/shop/web-0');
    expect(read.coverage.map(({ channel, about, extent }) => [channel, about, extent])).toEqual([
      ['pod-events', 'Cluster/-', 'whole'],
      ['object-events', 'Cluster/-', 'whole'],
      ['node-events', 'Cluster/-', 'whole'],
    ]);
  });

  it('reads kubectl events with its counts', () => {
    const read = readText(
      'LAST SEEN               TYPE      REASON             OBJECT      MESSAGE\n2m31s (x4 over 7m12s)   Warning   FailedScheduling   Pod/web-0   0/5 nodes are available: 5 Insufficient memory.',
      { command: 'kubectl events --for pod/web-0 -n shop', namespace: 'shop' },
    );
    expect(factsOf(read, 'pod.event').map(saying)).toEqual([
      {
        about: 'Pod/shop/web-0',
        type: 'Warning',
        reason: 'FailedScheduling',
        message: '0/5 nodes are available: 5 Insufficient memory.',
        count: 4,
        lastAgo: 151,
        firstAgo: 432,
      },
    ]);
    expect(read.coverage).toMatchObject([{ about: 'Pod/shop/web-0', extent: 'whole' }]);
  });

  it('reads wide lists, also where source and path are empty', () => {
    const read =
      readText(`LAST SEEN   TYPE      REASON      OBJECT      SUBOBJECT              SOURCE              MESSAGE                                FIRST SEEN   COUNT   NAME
4m          Warning   Unhealthy   pod/web-0   spec.containers{web}   kubelet, worker-1   Liveness probe failed: connection refused   9m      12      web-0.17a2b3c4d5e6f708
3m          Normal    Noted       pod/web-0                                              something was noted                    3m           1       web-0.17a2b3c4d5e6f709`);
    expect(factsOf(read, 'pod.event').map(saying)).toEqual([
      {
        about: 'Pod/?/web-0',
        type: 'Warning',
        reason: 'Unhealthy',
        message: 'Liveness probe failed: connection refused',
        count: 12,
        lastAgo: 240,
        firstAgo: 540,
        from: 'kubelet',
        container: 'web',
      },
      { about: 'Pod/?/web-0', type: 'Normal', reason: 'Noted', message: 'something was noted', count: 1, lastAgo: 180, firstAgo: 180 },
    ]);
    expect(read.edges).toEqual([{ type: 'runs-on', pod: 'Pod/?/web-0', node: 'Node/worker-1' }]);
    const collapsed = readText(`LAST SEEN TYPE REASON OBJECT SUBOBJECT SOURCE MESSAGE FIRST SEEN COUNT NAME
4m Warning Unhealthy pod/web-0 spec.containers{web} kubelet, worker-1 Liveness probe failed: refused 9m 12 web-0.17a2b3c4d5e6f708`);
    expect(factsOf(collapsed, 'pod.event')[0]).toMatchObject({
      message: 'Liveness probe failed: refused',
      count: 12,
      firstAgo: 540,
      container: 'web',
      from: 'kubelet',
    });
  });

  it('reads the very old list, whose names are those of events', () => {
    const read =
      readText(`LASTSEEN   FIRSTSEEN   COUNT     NAME                       KIND      SUBOBJECT              TYPE      REASON      SOURCE               MESSAGE
1m         5m          5         web-0.14c9b5f2a3d1e0f7     Pod       spec.containers{web}   Warning   BackOff     kubelet, minion-1    Back-off restarting failed docker container
2m         2m          1         minion-1                   Node                             Normal    NodeReady   {kubelet minion-1}   Node minion-1 status is now: NodeReady`);
    expect(factsOf(read, 'pod.event').map(saying)).toEqual([
      {
        about: 'Pod/?/web-0',
        type: 'Warning',
        reason: 'BackOff',
        message: 'Back-off restarting failed docker container',
        count: 5,
        lastAgo: 60,
        firstAgo: 300,
        from: 'kubelet',
        container: 'web',
      },
    ]);
    expect(factsOf(read, 'node.event')[0]).toMatchObject({ about: 'Node/minion-1', message: 'Node minion-1 status is now: NodeReady' });
  });

  it('finds the pod in the message where only the kind is listed', () => {
    const read = readText(
      'LAST SEEN   TYPE     REASON      KIND   MESSAGE\n11m         Normal   Scheduled   Pod    Successfully assigned shop/web-0 to worker-1\n10m         Normal   Pulled      Pod    Container image "a" already present on machine',
    );
    expect(factsOf(read, 'pod.event').map(({ about }) => about)).toEqual(['Pod/shop/web-0', 'Pod/?/?']);
  });

  it('covers only what it shows when filtered', () => {
    const read = readText(LIST.split('\n').slice(2, 3).join('\n'), { command: 'kubectl get events -n shop | grep web' });
    expect(read.coverage).toMatchObject([{ channel: 'pod-events', about: 'Pod/shop/web-5d9c7f8b4d-k2x8w', extent: 'excerpt' }]);
    const whole = readText(LIST, { command: 'kubectl get events -n shop --sort-by=.lastTimestamp', namespace: 'shop' });
    expect(whole.coverage.map(({ about }) => about)).toEqual(['Namespace/shop', 'Namespace/shop']);
  });

  it('keeps kinds it does not know as they are printed', () => {
    const read = readText('5m   Warning   Degraded   volume/vol-01   volume vol-01 became degraded');
    expect(factsOf(read, 'object.event')[0]?.about).toBe('Object/volume/?/vol-01');
  });

  it('joins further lines of a message, not prose', () => {
    const read = readText(`LAST SEEN   TYPE      REASON      OBJECT      MESSAGE
4m          Warning   Unhealthy   pod/web-0   Readiness probe failed: first
second
3m          Normal    Pulled      pod/web-0   Container image "a" already present on machine
That was all.`);
    expect(factsOf(read, 'pod.event')[0]?.message).toBe('Readiness probe failed: first\nsecond');
    expect(read.left).toEqual(['That was all.']);
  });
});
