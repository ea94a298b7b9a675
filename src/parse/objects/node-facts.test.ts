import { describe, expect, it } from 'vitest';
import { factsOfObject } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

function read(object: unknown): TestSink {
  const sink = new TestSink();
  factsOfObject(object, 'o.json', '', sink);
  return sink;
}

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: {
    name: 'attic-1',
    creationTimestamp: '2025-01-01T00:00:00Z',
    labels: { 'node-role.kubernetes.io/control-plane': '', 'node-role.kubernetes.io/master': '' },
  },
  spec: {
    unschedulable: true,
    taints: [
      { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2025-01-02T00:00:00Z' },
      { key: 'gpu', value: 'yes', effect: 'NoSchedule' },
    ],
  },
  status: {
    conditions: [
      {
        type: 'MemoryPressure',
        status: 'False',
        reason: 'KubeletHasSufficientMemory',
        message: 'kubelet has sufficient memory available',
        lastHeartbeatTime: '2025-01-02T00:01:00Z',
      },
      {
        type: 'Ready',
        status: 'False',
        reason: 'KubeletNotReady',
        message: 'container runtime is down',
        lastTransitionTime: '2025-01-01T23:59:00Z',
      },
    ],
    nodeInfo: {
      kubeletVersion: 'v1.31.2',
      containerRuntimeVersion: 'containerd://1.7.22',
      osImage: 'Debian 12',
      kernelVersion: '6.1.0',
      architecture: 'amd64',
      bootID: 'b-1',
    },
  },
};

describe('nodes', () => {
  const sink = read(NODE);

  it('have a status as kubectl prints it', () => {
    expect(sink.one('node.status')).toMatchObject({
      about: 'Node/attic-1',
      status: 'NotReady,SchedulingDisabled',
      roles: 'control-plane,master',
      ageSeconds: 86_460,
    });
  });

  it('have conditions, taints and versions', () => {
    expect(sink.all('node.condition').map((fact) => [fact.type, fact.status, fact.reason])).toEqual([
      ['MemoryPressure', 'False', 'KubeletHasSufficientMemory'],
      ['Ready', 'False', 'KubeletNotReady'],
    ]);
    expect(sink.all('node.taint').map((fact) => [fact.key, fact.value, fact.effect])).toEqual([
      ['node.kubernetes.io/unreachable', undefined, 'NoExecute'],
      ['gpu', 'yes', 'NoSchedule'],
    ]);
    expect(sink.one('node.info')).toMatchObject({
      kubeletVersion: 'v1.31.2',
      runtime: 'containerd',
      runtimeVersion: '1.7.22',
      kernel: '6.1.0',
      bootId: 'b-1',
    });
  });

  it('speak only where a condition is bad', () => {
    expect(sink.sayings.map((saying) => [saying.channel, saying.text])).toEqual([['node-status', 'container runtime is down']]);
  });

  it('are Ready when nothing is wrong', () => {
    const fine = { ...NODE, spec: {}, status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    expect(read(fine).one('node.status').status).toBe('Ready');
  });
});

describe('workloads', () => {
  it('count replicas, missing counts being zero', () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'kiosk', namespace: 'mall' },
      spec: { replicas: 3, template: { spec: { hostNetwork: true, containers: [{ name: 'web', image: 'registry.example/kiosk:1' }] } } },
      status: {
        updatedReplicas: 1,
        conditions: [
          {
            type: 'Available',
            status: 'False',
            reason: 'MinimumReplicasUnavailable',
            message: 'Deployment does not have minimum availability.',
          },
          { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: 'ReplicaSet "kiosk-1" is progressing.' },
          { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'pods "kiosk-1-" is forbidden: exceeded quota' },
        ],
      },
    };
    const sink = read(deployment);
    expect(sink.one('workload.replicas')).toMatchObject({
      about: 'Workload/Deployment/mall/kiosk',
      desired: 3,
      ready: 0,
      available: 0,
      updated: 1,
    });
    expect(sink.all('workload.condition')).toHaveLength(3);
    expect(sink.sayings.map((saying) => saying.text)).toEqual([
      'Deployment does not have minimum availability.',
      'pods "kiosk-1-" is forbidden: exceeded quota',
    ]);
    expect(sink.one('pod.host-network').about).toBe('Workload/Deployment/mall/kiosk');
    expect(sink.one('container.spec').about).toBe('WorkloadContainer/Deployment/mall/kiosk/web');
    expect(sink.one('container.spec').cited[0]?.at).toEqual({ pointer: '/spec/template/spec/containers/0' });
  });

  it('count daemon sets by nodes, and nothing for a manifest', () => {
    const status = { desiredNumberScheduled: 5, numberReady: 4, numberAvailable: 4, updatedNumberScheduled: 5 };
    expect(
      read({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec: {}, status }).one('workload.replicas'),
    ).toMatchObject({ desired: 5, ready: 4 });
    expect(read({ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'd' }, spec: {} }).facts).toEqual([]);
    expect(
      read({ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 's' }, spec: { serviceName: 's' } }).one('workload.replicas'),
    ).toMatchObject({ desired: 1 });
  });

  it('leave out what a rollout left behind', () => {
    const old = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'r', ownerReferences: [{ kind: 'Deployment', name: 'd' }] },
      spec: { replicas: 0 },
      status: { replicas: 0 },
    };
    expect(read(old).facts).toEqual([]);
  });
});
