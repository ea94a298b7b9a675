import { describe, expect, it } from 'vitest';
import { factsOf, linesOf, readText, saying } from './test-support.ts';

const NODE = `Name:               worker-4
Roles:              <none>
Labels:             kubernetes.io/hostname=worker-4
                    kubernetes.io/os=linux
Annotations:        node.alpha.kubernetes.io/ttl: 0
CreationTimestamp:  Tue, 05 Mar 2024 09:00:00 +0800
Taints:             dedicated=batch:NoSchedule
                    node.kubernetes.io/unreachable:NoExecute
Unschedulable:      true
Lease:
  HolderIdentity:  worker-4
  RenewTime:       Wed, 06 Mar 2024 09:00:00 +0800
Conditions:
  Type             Status    LastHeartbeatTime                 LastTransitionTime                Reason              Message
  ----             ------    -----------------                 ------------------                ------              -------
  MemoryPressure   False     Wed, 06 Mar 2024 08:59:00 +0800   Tue, 05 Mar 2024 09:00:00 +0800   KubeletHasSufficientMemory   kubelet has sufficient memory available
  Ready            Unknown   Wed, 06 Mar 2024 08:59:00 +0800   Wed, 06 Mar 2024 09:00:00 +0800   NodeStatusUnknown   Kubelet stopped posting node status.
Addresses:
  InternalIP:  10.20.30.40
  Hostname:    worker-4
Capacity:
  cpu:                4
  memory:             8148048Ki
System Info:
  Machine ID:                 aa
  Boot ID:                    11111111-2222-4333-8444-555555555555
  Kernel Version:             6.1.0-18-amd64
  OS Image:                   Debian GNU/Linux 12 (bookworm)
  Operating System:           linux
  Architecture:               amd64
  Container Runtime Version:  containerd://1.6.28
  Kubelet Version:            v1.29.2
PodCIDR:                      10.244.3.0/24
Non-terminated Pods:          (2 in total)
  Namespace                   Name                      CPU Requests  CPU Limits  Memory Requests  Memory Limits  Age
  ---------                   ----                      ------------  ----------  ---------------  -------------  ---
  kube-system                 proxy-agent-7zq4k         0 (0%)        0 (0%)      0 (0%)           0 (0%)         24h
  shop                        cart-7d4b9c6f5d-t8x2m     100m (2%)     500m (12%)  64Mi (0%)        256Mi (3%)     24h
Allocated resources:
  (Total limits may be over 100 percent, i.e., overcommitted.)
  Resource           Requests    Limits
  --------           --------    ------
  cpu                100m (2%)   500m (12%)
Events:
  Type    Reason        Age   From             Message
  ----    ------        ----  ----             -------
  Normal  NodeNotReady  5m    node-controller  Node worker-4 status is now: NodeNotReady`;

describe('kubectl describe node', () => {
  for (const [style, text] of Object.entries({
    aligned: NODE,
    quoted: NODE.replace(/^/gm, '> '),
    flat: NODE.replace(/^ +/gm, '').replace(/ {2,}/g, ' '),
  })) {
    it(`reads it ${style}`, () => {
      const read = readText(text);
      expect(read.left).toEqual([]);
      expect(factsOf(read, 'node.condition').map(saying)).toEqual([
        {
          about: 'Node/worker-4',
          type: 'MemoryPressure',
          status: 'False',
          reason: 'KubeletHasSufficientMemory',
          message: 'kubelet has sufficient memory available',
          when: Date.UTC(2024, 2, 5, 1),
        },
        {
          about: 'Node/worker-4',
          type: 'Ready',
          status: 'Unknown',
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          when: Date.UTC(2024, 2, 6, 1),
        },
      ]);
      expect(factsOf(read, 'node.status').map(saying)).toEqual([{ about: 'Node/worker-4', status: 'NotReady,SchedulingDisabled' }]);
      expect(factsOf(read, 'node.taint').map(saying)).toEqual([
        { about: 'Node/worker-4', key: 'dedicated', value: 'batch', effect: 'NoSchedule' },
        { about: 'Node/worker-4', key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' },
      ]);
      expect(factsOf(read, 'node.info').map(saying)).toEqual([
        {
          about: 'Node/worker-4',
          kubeletVersion: 'v1.29.2',
          osImage: 'Debian GNU/Linux 12 (bookworm)',
          kernel: '6.1.0-18-amd64',
          architecture: 'amd64',
          bootId: '11111111-2222-4333-8444-555555555555',
          runtime: 'containerd',
          runtimeVersion: '1.6.28',
        },
      ]);
      expect(read.edges).toEqual([
        { type: 'runs-on', pod: 'Pod/kube-system/proxy-agent-7zq4k', node: 'Node/worker-4' },
        { type: 'runs-on', pod: 'Pod/shop/cart-7d4b9c6f5d-t8x2m', node: 'Node/worker-4' },
      ]);
      expect(factsOf(read, 'node.event').map(({ about, reason, lastAgo }) => [about, reason, lastAgo])).toEqual([
        ['Node/worker-4', 'NodeNotReady', 300],
      ]);
      expect(read.coverage.map(({ channel, extent }) => [channel, extent])).toEqual([
        ['node-events', 'whole'],
        ['node-status', 'whole'],
      ]);
      expect(read.said.map(({ text: said }) => said)).toContain('Kubelet stopped posting node status.');
    });
  }

  it('cites each condition by its line', () => {
    expect(factsOf(readText(NODE), 'node.condition').map(linesOf)).toEqual([
      [16, 16],
      [17, 17],
    ]);
  });

  it('reads a single line asked for by name, and gives it to nobody otherwise', () => {
    const line = 'Taints:             dedicated=batch:NoSchedule';
    expect(factsOf(readText(line, { command: 'kubectl describe node worker-9 | grep Taint' }), 'node.taint').map(saying)).toEqual([
      { about: 'Node/worker-9', key: 'dedicated', value: 'batch', effect: 'NoSchedule' },
    ]);
    const many = readText(`${line}\n${line}`, { command: 'kubectl describe nodes | grep Taints' });
    expect(many.facts).toEqual([]);
    expect(many.left).toEqual([]);
  });

  it('reads conditions without the rest', () => {
    const read = readText(NODE.split('\n').slice(12, 17).join('\n'));
    expect(factsOf(read, 'node.condition')).toHaveLength(2);
    expect(read.coverage).toMatchObject([{ channel: 'node-status', about: 'Node/?', extent: 'excerpt' }]);
  });

  it('takes an empty list of events for expired ones', () => {
    const read = readText(`${NODE.split('\n').slice(0, 9).join('\n')}\nEvents:              <none>`);
    expect(read.coverage.find(({ channel }) => channel === 'node-events')).toMatchObject({ extent: 'expired' });
  });
});
