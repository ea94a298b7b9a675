import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

describe('kubectl top', () => {
  it('reads nodes, and where there are no figures', () => {
    const read = readText(
      'NAME       CPU(cores)   CPU%        MEMORY(bytes)   MEMORY%\ncp-1       412m         10%         3Gi             83%\nworker-1   <unknown>    <unknown>   <unknown>       <unknown>',
    );
    expect(factsOf(read, 'node.usage').map(saying)).toEqual([
      { about: 'Node/cp-1', cpuMillis: 412, cpuShare: 0.1, memoryBytes: 3 * 2 ** 30, memoryShare: 0.83 },
      { about: 'Node/worker-1', unknown: true },
    ]);
    expect(read.left).toEqual([]);
  });

  it('reads pods and their containers', () => {
    const pods = readText('web-1   2   511Mi', { command: 'kubectl top pods -n shop --no-headers' });
    expect(factsOf(pods, 'pod.usage').map(saying)).toEqual([{ about: 'Pod/shop/web-1', cpuMillis: 2000, memoryBytes: 511 * 2 ** 20 }]);
    const containers = readText('NAMESPACE   POD     NAME   CPU(cores)   MEMORY(bytes)\nshop        web-1   app    5m           10Mi');
    expect(factsOf(containers, 'pod.usage').map(saying)).toEqual([
      { about: 'Pod/shop/web-1', cpuMillis: 5, memoryBytes: 10 * 2 ** 20, container: 'app' },
    ]);
  });
});

describe('kubectl rollout status', () => {
  it('reads how far it came', () => {
    const read = readText(
      'Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...\nWaiting for deployment "web" rollout to finish: 2 of 3 updated replicas are available...\nerror: deployment "web" exceeded its progress deadline',
      { command: 'kubectl rollout status deploy/web -n shop' },
    );
    expect(factsOf(read, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/Deployment/shop/web', desired: 3, updated: 1 },
      { about: 'Workload/Deployment/shop/web', desired: 3, available: 2 },
    ]);
    expect(read.said).toMatchObject([{ text: 'error: deployment "web" exceeded its progress deadline', level: 'error' }]);
    expect(factsOf(readText('deployment "web" successfully rolled out'), 'object.status')[0]).toMatchObject({ status: 'rolled out' });
    expect(read.left).toEqual([]);
  });
});

describe('kubectl auth can-i', () => {
  it('reads the answer with its question', () => {
    const read = readText('no', { command: 'kubectl auth can-i list pods --as=system:serviceaccount:shop:api -n shop' });
    expect(factsOf(read, 'object.right').map(saying)).toEqual([
      { about: 'Namespace/shop', verb: 'list', resource: 'pods', who: 'system:serviceaccount:shop:api', allowed: false },
    ]);
    expect(factsOf(readText('yes', { command: 'kubectl auth can-i "*" "*" -A' }), 'object.right')[0]).toMatchObject({
      about: 'Cluster/-',
      allowed: true,
    });
    expect(readText('no').left).toEqual(['no']);
  });
});

describe('kubectl get events with columns of one’s own', () => {
  it('finds reason, object and message by their names', () => {
    const read = readText(
      `LAST                   TYPE      REASON             OBJ         MSG
2024-05-02T09:11:12Z   Warning   FailedScheduling   web-1       0/3 nodes are available:  3 Insufficient cpu.
<none>                 Normal    Pulled             web-2       Container image "a:1" already present on machine`,
      { command: 'kubectl get events -n shop -o custom-columns=…' },
    );
    expect(factsOf(read, 'pod.event')).toMatchObject([
      { about: 'Pod/shop/web-1', type: 'Warning', reason: 'FailedScheduling', message: '0/3 nodes are available:  3 Insufficient cpu.' },
      { about: 'Pod/shop/web-2', type: 'Normal', reason: 'Pulled' },
    ]);
    expect(read.left).toEqual([]);
  });

  it('takes the kind where a column names it', () => {
    const read = readText(
      'KIND   NAME       REASON       COUNT   MESSAGE\nNode   worker-1   Rebooted     4       Node worker-1 has been rebooted',
    );
    expect(factsOf(read, 'node.event')).toMatchObject([{ about: 'Node/worker-1', count: 4, type: 'Unknown' }]);
  });
});

describe('kubectl get componentstatuses', () => {
  it('reads rows that hold a whole error, which is none by itself', () => {
    const read = readText(
      'NAME                 STATUS      MESSAGE                                                                                       ERROR\nscheduler            Unhealthy   Get "http://127.0.0.1:10251/healthz": dial tcp 127.0.0.1:10251: connect: connection refused   \netcd-0               Healthy     {"health":"true"}',
    );
    expect(factsOf(read, 'object.status').map(({ about, status }) => [about, status])).toEqual([
      ['Object/ComponentStatus/?/scheduler', 'Unhealthy'],
      ['Object/ComponentStatus/?/etcd-0', 'Healthy'],
    ]);
    expect(read.said.every(({ level }) => level === 'info')).toBe(true);
    expect(read.left).toEqual([]);
  });
});
