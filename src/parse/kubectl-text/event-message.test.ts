import { describe, expect, it } from 'vitest';
import { containerOf, isNodeEvent, killedBy, nodeNamedIn, otherKindOf, podNamedIn } from './event-message.ts';

const UID = '0f1e2d3c-4b5a-4697-8887-a6b5c4d3e2f1';

describe('killedBy', () => {
  it.each([
    ['Stopping container web', 'stop'],
    ['Container web failed liveness probe, will be restarted', 'liveness-probe'],
    ['Container web failed liveness probe', 'liveness-probe'],
    ['Container web failed startup probe, will be restarted', 'startup-probe'],
    ['Container web definition changed, will be restarted', 'definition-changed'],
    ['FailedPostStartHook', 'hook'],
    ['Container is in "unknown" state, try killing it before restart', 'unknown-state'],
    [
      `Killing container with id docker://web:pod "web-0_shop(${UID})" container "web" is unhealthy, it will be killed and re-created.`,
      'liveness-probe',
    ],
    ['Killing container with id docker://web:Need to kill Pod', 'stop'],
    [
      'Killing container with id docker://web:Container spec hash changed (1 vs 2).. Container will be killed and recreated.',
      'definition-changed',
    ],
  ])('%s', (message, by) => {
    expect(killedBy('Killing', message)).toBe(by);
  });

  it('says nothing of other reasons and unknown words', () => {
    expect(killedBy('Started', 'Stopping container web')).toBeUndefined();
    expect(killedBy('Killing', 'Somebody did it')).toBeUndefined();
  });
});

describe('containerOf', () => {
  it.each([
    ['Created container web', 'web'],
    ['Created container: web', 'web'],
    ['Started container install-cni', 'install-cni'],
    ['Stopping container web', 'web'],
    ['Container web failed liveness probe, will be restarted', 'web'],
    [`Back-off restarting failed container web in pod web-0_shop(${UID})`, 'web'],
    [`back-off 5m0s restarting failed container=web pod=web-0_shop(${UID})`, 'web'],
  ])('%s', (message, name) => {
    expect(containerOf(message)).toBe(name);
  });

  it.each(['Created container with id 1a2b3c', 'Container created', 'Created container', 'Back-off restarting failed container'])(
    '%s names none',
    (message) => {
      expect(containerOf(message)).toBeUndefined();
    },
  );
});

describe('podNamedIn', () => {
  it('reads the scheduler, old and new', () => {
    expect(podNamedIn('Scheduled', 'Successfully assigned shop/web-0 to worker-1')).toEqual({
      pod: 'Pod/shop/web-0',
      namespace: 'shop',
      node: 'worker-1',
    });
    expect(podNamedIn('Scheduled', 'Successfully assigned web-0 to worker-1.lan')).toEqual({ pod: 'Pod/?/web-0', node: 'worker-1.lan' });
    expect(podNamedIn('Scheduled', 'Successfully assigned web-0 to worker-1', 'shop')).toMatchObject({ pod: 'Pod/shop/web-0' });
  });

  it('reads the name with a uid, also of static pods', () => {
    expect(podNamedIn('BackOff', `x in pod web-0_shop(${UID})`)).toEqual({ pod: 'Pod/shop/web-0', namespace: 'shop', uid: UID });
    expect(podNamedIn('BackOff', 'in pod etcd-cp1_kube-system(0123456789abcdef0123456789abcdef)')?.uid).toBe(
      '0123456789abcdef0123456789abcdef',
    );
    expect(podNamedIn('Failed', 'nothing here')).toBeUndefined();
  });
});

describe('events of nodes and others', () => {
  it('tells the node from a pod on it', () => {
    expect(isNodeEvent('NodeNotReady', 'Node worker-1 status is now: NodeNotReady')).toBe(true);
    expect(isNodeEvent('NodeNotReady', 'Node is not ready')).toBe(false);
    expect(isNodeEvent('Pulled', 'x')).toBe(false);
    expect(nodeNamedIn('Node worker-1 has been rebooted, boot id: 77')).toBe('worker-1');
  });

  it('knows claims and controllers', () => {
    expect(otherKindOf({ reason: 'Provisioning', message: 'External provisioner is provisioning volume for claim "shop/data-0"' })).toEqual(
      { kind: 'PersistentVolumeClaim', namespace: 'shop', name: 'data-0' },
    );
    expect(otherKindOf({ reason: 'FailedCreate', message: 'Error creating: no', from: 'replicaset-controller' })).toEqual({
      kind: 'ReplicaSet',
    });
    expect(otherKindOf({ reason: 'Pulled', message: '', from: 'kubelet' })).toBeUndefined();
    expect(otherKindOf({ reason: 'X', message: '', from: 'constructor' })).toBeUndefined();
  });
});
