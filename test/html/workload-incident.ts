import type { Incident } from '../../src/model/report.ts';
import { cite, pointer, reason } from './cite.ts';

export const WORKLOAD_INCIDENT: Incident = {
  number: 2,
  cause: 'memory-limit-too-low',
  area: 'resource',
  title: 'the memory limit of 256 MiB is too low for `worker`',
  why: 'The kernel ends the process when it passes its own limit; the node has memory to spare.',
  place: 'deployment shop/orders',
  placeId: 'WorkloadContainer/Deployment/shop/orders/worker',
  confidence: 'certain',
  chain: [
    {
      cause: 'probe-too-eager',
      title: 'the liveness probe gives up while the queue is read again',
      why: 'After each start the worker reads its queue for 40 seconds and does not answer.',
      place: 'deployment shop/orders',
      confidence: 'probable',
      because: [
        reason(
          'probe',
          'supports',
          'liveness fails within 30 s of each start',
          cite('events.txt', 92, 'Liveness probe failed: Get "http://10.4.1.9:8080/live"'),
        ),
      ],
    },
  ],
  victims: Array.from({ length: 4 }, (_, index) => ({
    id: `Pod/shop/orders-7c9f8b6d5-${'klmnpqrs'[index]}x2v${index}`,
    name: `shop/orders-7c9f8b6d5-${'klmnpqrs'[index]}x2v${index}`,
    symptoms: ['crash-loop', 'oom'] as const,
    node: `heron-${index + 1}`,
    cited: [
      pointer('pods.json', `/items/${index}/status/containerStatuses/0/lastState/terminated`, '"reason": "OOMKilled", "exitCode": 137'),
    ],
  })),
  victimCount: 4,
  because: [
    reason(
      'kernelOom',
      'proves',
      'the kernel killed it inside its own cgroup',
      cite('kern.log', 3, 'Memory cgroup out of memory: Killed process 30412 (worker)'),
    ),
    reason(
      'limit',
      'needs',
      'its limit is 256 MiB',
      pointer('pods.json', '/items/0/spec/containers/0/resources/limits/memory', '"memory": "256Mi"'),
    ),
  ],
  not: [
    {
      says: 'the node out of memory: MemoryPressure is False',
      cited: [pointer('nodes.json', '/items/0/status/conditions/0', '"type": "MemoryPressure", "status": "False"')],
      looked: [],
    },
  ],
  rivals: [],
  fixes: [
    {
      title: 'Raise the limit to 512 MiB',
      risk: 'restarts-pods',
      steps: [{ say: 'Set it', command: 'kubectl -n shop set resources deployment/orders -c worker --limits=memory=512Mi', on: 'cluster' }],
      verified: 'no OOMKilled for 30 minutes',
    },
  ],
  asks: [],
  timeline: [
    {
      at: Date.UTC(2025, 4, 4, 9, 1, 12),
      what: 'Rolled out revision 14',
      about: 'deployment shop/orders',
      tone: 'normal',
      count: 1,
      cited: [],
    },
    {
      at: Date.UTC(2025, 4, 4, 9, 3, 40),
      what: 'OOM kill',
      about: 'shop/orders-7c9f8b6d5-kx2v0',
      tone: 'bad',
      count: 1,
      cited: [cite('kern.log', 3, 'Killed process 30412 (worker)')],
    },
    { at: Date.UTC(2025, 4, 4, 9, 9, 2), what: 'OOM kill', about: 'shop/orders-7c9f8b6d5-lx2v1', tone: 'bad', count: 1, cited: [] },
    { ago: 300, untilAgo: 20, what: 'Back-off', about: 'shop/orders-7c9f8b6d5-kx2v0', tone: 'warn', count: 7, cited: [] },
  ],
};
