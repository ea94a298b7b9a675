import { describe, expect, it } from 'vitest';
import { factsOf, linesOf, readText, saying } from './test-support.ts';

const ALIGNED = `NAME                        READY   STATUS             RESTARTS        AGE
basket-6c9d7f5b4c-x2lmq     1/1     Running            0               2d1h
checkout-0                  0/2     CrashLoopBackOff   17 (2m9s ago)   57m
migrate-db-jz6k8            0/1     Init:0/3           0               56m
report-28391040-pl4vw       0/1     Completed          0               3h`;

const EXPECTED = [
  { about: 'Pod/shop/basket-6c9d7f5b4c-x2lmq', status: 'Running', readyContainers: 1, containers: 1, restarts: 0, ageSeconds: 176_400 },
  {
    about: 'Pod/shop/checkout-0',
    status: 'CrashLoopBackOff',
    readyContainers: 0,
    containers: 2,
    restarts: 17,
    lastRestartAgo: 129,
    ageSeconds: 3420,
  },
  { about: 'Pod/shop/migrate-db-jz6k8', status: 'Init:0/3', readyContainers: 0, containers: 1, restarts: 0, ageSeconds: 3360 },
  { about: 'Pod/shop/report-28391040-pl4vw', status: 'Completed', readyContainers: 0, containers: 1, restarts: 0, ageSeconds: 10_800 },
];

const STYLES: Readonly<Record<string, string>> = {
  aligned: ALIGNED,
  collapsed: ALIGNED.replace(/ {2,}/g, ' '),
  tabs: ALIGNED.replace(/ {2,}/g, '\t'),
  pipes: ALIGNED.split('\n')
    .map((line) => `| ${line.trim().replace(/ {2,}/g, ' | ')} |`)
    .join('\n')
    .replace('\n', '\n|---|---|---|---|---|\n'),
  quoted: ALIGNED.replace(/^/gm, '> '),
  commented: ALIGNED.replace(/^/gm, '# '),
  indented: ALIGNED.replace(/^/gm, '      '),
  'under a bullet': `- ${ALIGNED.replace(/\n/g, '\n  ')}`,
  'with time stamps of a build log': ALIGNED.replace(/^/gm, '2024-05-06T07:08:09.1234567Z '),
  'with hard spaces': ALIGNED.replaceAll(' ', '\u00a0'),
  'double spaced': ALIGNED.replaceAll('\n', '\n\n'),
  'with Windows line ends': ALIGNED.replaceAll('\n', '\r\n'),
};

describe('kubectl get pods', () => {
  for (const [style, text] of Object.entries(STYLES)) {
    it(`reads a table ${style}`, () => {
      const read = readText(text, { namespace: 'shop' });
      expect(factsOf(read, 'pod.status').map(saying)).toEqual(EXPECTED);
      expect(read.left).toEqual([]);
      expect(read.pieces).toHaveLength(1);
      expect(read.pieces[0]?.what).toBe('kubectl get pods');
    });
  }

  it('cites each row', () => {
    const read = readText(`\n${ALIGNED}`);
    expect(factsOf(read, 'pod.status').map(linesOf)).toEqual([
      [3, 3],
      [4, 4],
      [5, 5],
      [6, 6],
    ]);
    expect(read.facts[1]?.cited[0]?.quote).toMatch(/^checkout-0 /);
  });

  it('reads namespaces, nodes and owners where they are columns', () => {
    const read =
      readText(`NAMESPACE     NAME            READY   STATUS    RESTARTS      AGE   IP            NODE       NOMINATED NODE   READINESS GATES   CONTROLLED-BY
kube-system   cni-agent-p9x   1/1     Running   4 (11d ago)   21d   10.9.0.14     worker-3   <none>           <none>            DaemonSet/cni-agent
shop          cart-1          0/1     Pending   0             4s    <none>        <none>     <none>           <none>            ReplicaSet/cart-5d9`);
    expect(read.edges).toEqual([
      { type: 'runs-on', pod: 'Pod/kube-system/cni-agent-p9x', node: 'Node/worker-3' },
      { type: 'owned-by', pod: 'Pod/kube-system/cni-agent-p9x', workload: 'Workload/DaemonSet/kube-system/cni-agent' },
      { type: 'owned-by', pod: 'Pod/shop/cart-1', workload: 'Workload/ReplicaSet/shop/cart-5d9' },
    ]);
    expect(factsOf(read, 'pod.status')[0]).toMatchObject({ restarts: 4, lastRestartAgo: 950_400 });
    expect(read.coverage).toMatchObject([{ channel: 'pod-status', about: 'Cluster/-', extent: 'whole', lines: [1, 3] }]);
  });

  it('reads a wide table without columns', () => {
    const read = readText(`NAMESPACE NAME READY STATUS RESTARTS AGE IP NODE NOMINATED NODE READINESS GATES
shop cart-1 1/1 Running 3 (5m ago) 2d 10.1.2.3 worker-1 <none> <none>`);
    expect(read.edges).toEqual([{ type: 'runs-on', pod: 'Pod/shop/cart-1', node: 'Node/worker-1' }]);
    expect(factsOf(read, 'pod.status')[0]).toMatchObject({ restarts: 3, lastRestartAgo: 300, ageSeconds: 172_800 });
  });

  it('reads labels and overflowing values', () => {
    const read = readText(`NAME     READY   STATUS    RESTARTS   AGE   LABELS
a-name-longer-than-its-column   0/1   CreateContainerConfigError   0   3m1s   app=x,tier=front
cart-1   1/1     Running 2          9d    app=cart`);
    expect(factsOf(read, 'pod.status').map((fact) => [fact.about, fact.status, fact.restarts])).toEqual([
      ['Pod/?/a-name-longer-than-its-column', 'CreateContainerConfigError', 0],
      ['Pod/?/cart-1', 'Running', 2],
    ]);
  });

  it('reads rows that lost their header', () => {
    const read = readText(`cart-1   0/1   CrashLoopBackOff   88   12h
jobs   nightly-x7x2v   0/1   Error   0   4h   10.2.2.9   worker-2   <none>   <none>`);
    expect(factsOf(read, 'pod.status').map((fact) => [fact.about, fact.status, fact.restarts])).toEqual([
      ['Pod/?/cart-1', 'CrashLoopBackOff', 88],
      ['Pod/jobs/nightly-x7x2v', 'Error', 0],
    ]);
    expect(read.edges).toEqual([{ type: 'runs-on', pod: 'Pod/jobs/nightly-x7x2v', node: 'Node/worker-2' }]);
    expect(read.coverage.map(({ about }) => about)).toEqual(['Pod/?/cart-1', 'Pod/jobs/nightly-x7x2v']);
  });

  it('takes an unknown status only where the command asked for pods', () => {
    const row = 'cart-1   0/1   SomethingNew   0   12h';
    expect(readText(row).facts).toEqual([]);
    expect(factsOf(readText(row, { command: 'kubectl get pods | grep cart' }), 'pod.status')[0]).toMatchObject({ status: 'SomethingNew' });
  });

  it('covers only the listed pods of a filtered or shortened table', () => {
    const filtered = readText(ALIGNED, { namespace: 'shop', command: 'kubectl get pods -n shop -l app=web' });
    expect(filtered.coverage).toHaveLength(4);
    const shortened = readText(`${ALIGNED}\n...`, { namespace: 'shop' });
    expect(shortened.coverage).toHaveLength(4);
    expect(shortened.left).toEqual([]);
    expect(readText(ALIGNED, { namespace: 'shop' }).coverage).toMatchObject([{ about: 'Namespace/shop' }]);
  });

  it('ends at prose in any language, at prompts and at other tables', () => {
    const read = readText(`下面是结果：
NAME READY STATUS RESTARTS AGE
cart-1 0/1 Init:0/1 0 12h
可以看到一直起不来。
$ date
NAME      STATUS   ROLES    AGE   VERSION
worker-1  Ready    <none>   5d    v1.29.1`);
    expect(factsOf(read, 'pod.status')).toHaveLength(1);
    expect(factsOf(read, 'node.status')).toHaveLength(1);
    expect(read.left).toEqual(['下面是结果：', '可以看到一直起不来。', '$ date']);
  });

  it('keeps the present row of a watch, and crashes on the way to it', () => {
    const read = readText(`NAME     READY   STATUS              RESTARTS   AGE
cart-1   0/1     Pending             0          0s
cart-1   0/1     ContainerCreating   0          1s
cart-1   1/1     Running             0          3s
cart-1   0/1     OOMKilled           0          9s
cart-1   1/1     Running             1 (2s ago)   10s
calm-1   0/1     ContainerCreating   0          1s
calm-1   1/1     Running             0          4s`);
    expect(factsOf(read, 'pod.status').map((fact) => [fact.about, fact.status])).toEqual([
      ['Pod/?/cart-1', 'OOMKilled'],
      ['Pod/?/cart-1', 'Running'],
      ['Pod/?/calm-1', 'Running'],
    ]);
  });

  it('says that a terminating pod is being deleted', () => {
    const read = readText('NAME   READY   STATUS        RESTARTS   AGE\nold    1/1     Terminating   0          9d');
    expect(factsOf(read, 'pod.deleting')).toHaveLength(1);
  });

  it('reads columns cut short by dots', () => {
    const read = readText(`NAME     READY   STATUS    RESTARTS   AGE   IP          ...
cart-1   1/1     Running   0          18h   10.2.12.6   ...`);
    expect(factsOf(read, 'pod.status')[0]).toMatchObject({ status: 'Running', ageSeconds: 64_800 });
    expect(read.edges).toEqual([]);
  });

  it('reads columns in another order and custom ones', () => {
    const read = readText(
      'NAME↑    PF   READY   RESTARTS   STATUS    %CPU/R   IP         NODE       AGE\ncart-1   ●    1/1     6          Running   4        10.1.1.4   worker-9   22h',
    );
    expect(factsOf(read, 'pod.status')[0]).toMatchObject({ status: 'Running', restarts: 6, ageSeconds: 79_200 });
    const custom = readText('NAME     NODE\ncart-1   worker-9', {
      command: 'kubectl get pods -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName',
    });
    expect(custom.edges).toEqual([{ type: 'runs-on', pod: 'Pod/?/cart-1', node: 'Node/worker-9' }]);
    expect(custom.facts).toEqual([]);
  });

  it('does not take ratios in prose or logs for rows', () => {
    const text = 'we saw 3/4 replicas Running 5 times in 10m\nlevel=info msg="shard 1/2 Running"\nprogress 10/10 Done 4 3s';
    expect(readText(text).facts).toEqual([]);
  });
});

it('reads a reason that older kubelets wrote as several words', () => {
  const read = readText(
    'NAME        READY   STATUS                    RESTARTS   AGE\npinned-0    0/1     Topology Affinity Error   0          19s\npinned-1    1/1     Running                   0          19s',
    { namespace: 'shop' },
  );
  expect(factsOf(read, 'pod.status').map(({ status }) => status)).toEqual(['TopologyAffinityError', 'Running']);
});
