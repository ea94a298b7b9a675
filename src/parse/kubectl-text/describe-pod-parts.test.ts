import { describe, expect, it } from 'vitest';
import { ID, NAMED, POD, WEB, WHOLE } from './described-pod.sample.ts';
import { factsOf, readText, saying } from './test-support.ts';

describe('parts of a description', () => {
  it('knows a state without its pod', () => {
    const read = readText(`State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       OOMKilled
      Exit Code:    137
    Ready:          False
    Restart Count:  6`);
    expect(factsOf(read, 'container.waiting').map(saying)).toEqual([{ about: 'Container/?/?/?', reason: 'CrashLoopBackOff' }]);
    expect(factsOf(read, 'container.terminated')[0]).toMatchObject({ which: 'last', reason: 'OOMKilled', exitCode: 137 });
    expect(read.coverage.every(({ extent }) => extent === 'excerpt')).toBe(true);
  });

  it('takes the pod from the command and the container from the name above', () => {
    const read = readText(
      `Containers:
  web:
    Container ID:   docker://${ID}
    Image:          registry.example/cart:7
    State:          Running
      Started:      <some date>
...
Events:  <none>`,
      NAMED,
    );
    expect(factsOf(read, 'container.running').map(saying)).toEqual([{ about: WEB, init: false }]);
    expect(read.left).toEqual([]);
  });

  it('knows the fields of a container without its name', () => {
    const read = readText(`    Command:
      /bin/anvil
      --listen=127.0.0.1:5000
    State:          Running
    Ready:          False`);
    expect(read.left).toEqual([]);
    expect(factsOf(read, 'container.spec').map(saying)).toEqual([
      { about: 'Container/?/?/?', image: '?', init: false, index: 0, command: '/bin/anvil --listen=127.0.0.1:5000' },
    ]);
    expect(readText('Image: registry.example/one:1\nPort: 80\nnote: none').facts).toEqual([]);
    expect(readText('Command:\n  make all\nResult: done').facts).toEqual([]);
  });

  it('reads single lines that grep left over', () => {
    const read = readText('    Image:         registry.example/one:1\n    Image:         registry.example/two:2', {
      ...NAMED,
      command: `${NAMED.command} | grep Image:`,
    });
    expect(factsOf(read, 'container.spec').map(({ image }) => image)).toEqual(['registry.example/one:1', 'registry.example/two:2']);
    expect(readText('Image: registry.example/one:1').facts).toEqual([]);
    const states = readText('    State:          Running\n    State:          Terminated\n      Exit Code:    3', NAMED);
    expect(states.facts.map(({ kind }) => kind)).toEqual(['container.running', 'container.terminated']);
  });

  it('goes on over what somebody left out, and says so', () => {
    const read = readText(`Name:         cart-1
Namespace:    shop
...
...
Containers:
  helper:
 ...
  web:
    Image:          registry.example/cart:7
    Limits:
      memory:  500Mi
...
Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  BackOff  4m    kubelet  Back-off restarting failed container`);
    expect(factsOf(read, 'container.memory-limit').map(({ about }) => about)).toEqual(['Container/shop/cart-1/web']);
    expect(factsOf(read, 'container.spec')[0]).toMatchObject({ index: 1 });
    expect(read.coverage.filter(({ channel }) => channel === 'pod-status')).toMatchObject([{ extent: 'excerpt' }]);
  });

  it('keeps several pods apart', () => {
    const second = WHOLE.replaceAll('t8x2m', 'zz9yx').replace('worker-4', 'worker-5');
    const read = readText(`${WHOLE}\n\n\n${second}`);
    expect(factsOf(read, 'pod.status').map(({ about }) => about)).toEqual([POD, 'Pod/shop/cart-7d4b9c6f5d-zz9yx']);
    expect(read.pieces).toHaveLength(2);
    expect(read.left).toEqual([]);
  });

  it('ends at prompts, fences and prose', () => {
    const read = readText(`Name:       cart-1
Namespace:  shop
Status:     Pending
Then I looked at the node.
Volumes:
  data:
    Type:       PersistentVolumeClaim (a reference)
    ClaimName:  data-cart
$ uptime`);
    expect(read.left).toEqual(['Then I looked at the node.', '$ uptime']);
    expect(factsOf(read, 'pod.volume')).toHaveLength(1);
  });
});

describe('the status of a described pod', () => {
  function describePod(head: string, body = ''): ReturnType<typeof readText> {
    return readText(`Name:       cart-1\nNamespace:  shop\nNode:       worker-1/10.0.0.1\n${head}\nIP:         10.1.1.1\n${body}`);
  }

  it('reads evicted pods and their message', () => {
    const read = describePod(
      'Status:     Failed\nReason:     Evicted\nMessage:    The node was low on resource: memory. \nThreshold quantity: 100Mi.',
    );
    expect(factsOf(read, 'pod.status')[0]).toMatchObject({ status: 'Evicted', phase: 'Failed' });
    expect(read.said).toMatchObject([
      { channel: 'pod-status', about: 'Pod/shop/cart-1', text: 'The node was low on resource: memory.\nThreshold quantity: 100Mi.' },
    ]);
  });

  it('reads pods that are being deleted', () => {
    const read = describePod('Status:                    Terminating (lasts 5m12s)\nTermination Grace Period:  30s');
    expect(factsOf(read, 'pod.status')[0]).toMatchObject({ status: 'Terminating' });
    expect(factsOf(read, 'pod.deleting').map(saying)).toEqual([{ about: 'Pod/shop/cart-1', sinceSeconds: 312, graceSeconds: 30 }]);
    expect(factsOf(describePod('Status:     Terminating (expires Tue, 05 Mar 2024 09:00:00 +0800)'), 'pod.deleting').map(saying)).toEqual([
      { about: 'Pod/shop/cart-1' },
    ]);
  });

  it('counts init containers as the listing does', () => {
    const init = (state: string) => `Init Containers:
  one:
    Image:  a
    State:  Terminated
      Reason:     Completed
      Exit Code:  0
  two:
    Image:  b
${state}
Containers:
  web:
    Image:  c
    State:  Waiting
      Reason:  PodInitializing
`;
    const status = (state: string) => factsOf(describePod('Status:     Pending', init(state)), 'pod.status')[0]?.status;
    expect(status('    State:  Running')).toBe('Init:1/2');
    expect(status('    State:  Waiting\n      Reason:  CrashLoopBackOff')).toBe('Init:CrashLoopBackOff');
    expect(status('    State:  Terminated\n      Exit Code:  3')).toBe('Init:ExitCode:3');
    expect(status('    State:  Terminated\n      Reason:  Completed\n      Exit Code:  0')).toBe('PodInitializing');
  });

  it('takes missing events of a placed pod for expired ones', () => {
    const placed = describePod('Status:     Running', 'Events:  <none>');
    expect(placed.coverage.find(({ channel }) => channel === 'pod-events')).toMatchObject({ extent: 'expired' });
    const waiting = readText('Name:       cart-1\nNamespace:  shop\nNode:       <none>\nStatus:     Pending\nEvents:     <none>');
    expect(waiting.coverage.find(({ channel }) => channel === 'pod-events')).toMatchObject({ extent: 'whole' });
    expect(waiting.edges).toEqual([]);
  });
});
