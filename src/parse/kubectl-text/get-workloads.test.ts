import { describe, expect, it } from 'vitest';
import { factsOf, readText, saying } from './test-support.ts';

describe('kubectl get for workloads', () => {
  it('reads deployments, new and old', () => {
    const modern = readText(
      'NAMESPACE   NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nshop        web    1/3     2            1           4d',
    );
    expect(factsOf(modern, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/Deployment/shop/web', desired: 3, ready: 1, available: 1, updated: 2, ageSeconds: 4 * 86_400 },
    ]);
    const old = readText(
      'NAME      DESIRED   CURRENT   UP-TO-DATE   AVAILABLE   AGE\nweb       3         3         3            0           1h',
    );
    expect(factsOf(old, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/Deployment/?/web', desired: 3, available: 0, updated: 3, current: 3, ageSeconds: 3600 },
    ]);
  });

  it('reads daemon sets and replica sets', () => {
    const daemons = readText(
      'NAME    DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR            AGE\nagent   4         4         3       4            3           kubernetes.io/os=linux   40d',
    );
    expect(factsOf(daemons, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/DaemonSet/?/agent', desired: 4, ready: 3, available: 3, updated: 4, current: 4, ageSeconds: 40 * 86_400 },
    ]);
    const sets = readText('NAME DESIRED CURRENT READY AGE\nweb-5d9c 2 2 0 7m');
    expect(factsOf(sets, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/ReplicaSet/?/web-5d9c', desired: 2, ready: 0, current: 2, ageSeconds: 420 },
    ]);
  });

  it('reads stateful sets but not other kinds that are READY or not', () => {
    const sets = readText('NAME   READY   AGE\ndb     0/3     6s', { command: 'kubectl get sts' });
    expect(factsOf(sets, 'workload.replicas').map(saying)).toEqual([
      { about: 'Workload/StatefulSet/?/db', desired: 3, ready: 0, ageSeconds: 6 },
    ]);
    const issuers = readText('NAME       READY   AGE\nselfsign   True    6s');
    expect(factsOf(issuers, 'workload.replicas')).toEqual([]);
    expect(issuers.left).toEqual([]);
  });

  it('reads every block of get all', () => {
    const read = readText(
      `NAME                       READY   STATUS    RESTARTS   AGE
pod/web-5d9c7f8b4d-k2x8w   0/1     Pending   0          9m

NAME                 TYPE        CLUSTER-IP   EXTERNAL-IP   PORT(S)   AGE
service/kubernetes   ClusterIP   10.96.0.1    <none>        443/TCP   80d

NAME                  READY   UP-TO-DATE   AVAILABLE   AGE
deployment.apps/web   0/1     1            0           9m

NAME                             DESIRED   CURRENT   READY   AGE
replicaset.apps/web-5d9c7f8b4d   1         1         0       9m

NAME                   COMPLETIONS   DURATION   AGE
job.batch/migrate-it   0/1           9m         9m`,
      { command: 'kubectl get all -n shop', namespace: 'shop' },
    );
    expect(factsOf(read, 'pod.status').map(({ about }) => about)).toEqual(['Pod/shop/web-5d9c7f8b4d-k2x8w']);
    expect(factsOf(read, 'workload.replicas').map(({ about }) => about)).toEqual([
      'Workload/Deployment/shop/web',
      'Workload/ReplicaSet/shop/web-5d9c7f8b4d',
    ]);
    expect(factsOf(read, 'object.exists').map(({ about }) => about)).toEqual([
      'Object/Service/shop/kubernetes',
      'Workload/Job/shop/migrate-it',
    ]);
    expect(read.left).toEqual([]);
  });
});
