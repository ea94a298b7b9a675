import { defineCause, excludes, isOneOf, line, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const evicted = line(
  ['low on resource: memory', 'node had condition: [MemoryPressure', 'low on resource: [MemoryPressure'],
  ['pod-events', 'pod-status', 'kubelet-log'],
  /(?:low on resource: \[?(?:memory|MemoryPressure)|node had condition: \[MemoryPressure)/i,
);
const hog = line(
  ['has larger consumption of memory', 'was using '],
  ['pod-events', 'pod-status'],
  /Container (?<container>[a-z0-9-]{1,63}) was using (?<used>[\w.]{1,20}), (?:which exceeds its )?request (?:is|of) (?<request>[\w.]{1,20}), has larger consumption of memory|low on resource: memory\.[^\n]{0,200}?Container (?<name>[a-z0-9-]{1,63}) was using (?<usage>[\w.]{1,20}), which exceeds its request of (?<wanted>[\w.]{1,20})/,
);
const reclaim = line(
  ['attempting to reclaim', 'must evict pod(s) to reclaim'],
  ['kubelet-log', 'node-events'],
  /reclaim[^\n]{0,60}?memory/i,
);
const otherResource = line(
  ['low on resource: ', 'local ephemeral storage', 'ephemeral local storage'],
  ['pod-status', 'pod-events'],
  /low on resource: \[?(?!memory|\[?MemoryPressure)\w|local ephemeral storage|ephemeral local storage/i,
);

export const cause = defineCause({
  id: 'evicted-memory-pressure',
  area: 'resource',
  at: 'Node',
  maturity: 'stable',
  explains: ['evicted', 'failed'],
  wakesOn: [on('node.condition', { type: 'MemoryPressure', status: 'True' })],

  text: {
    name: 'Evicted for memory',
    title: 'Memory of {where} runs low and the kubelet evicts pods{hog}',
    why: 'When the available memory of {where} falls below the eviction threshold (memory.available, 100Mi unless set), the kubelet ends pods to keep the node alive, first those that use most above their request. Evicted pods stay as Failed; their controllers make new ones elsewhere.',
  },

  clues: {
    suffering: needs('pod.symptom', isOneOf('evicted', 'failed')),
    evicted: proves(evicted),
    hog: supports(hog),
    pressure: supports('node.condition', ({ type, status }) => type === 'MemoryPressure' && status === 'True'),
    reclaim: supports(reclaim),
    otherResource: excludes(otherResource),
  },
  says: {
    suffering: 'pods of the node are evicted: {state}',
    evicted: 'the kubelet evicted it because the node was low on memory',
    hog: 'container {container} used {used} with a request of {request}',
    pressure: 'the node reports MemoryPressure now',
    reclaim: 'the kubelet tries to reclaim memory',
    otherResource: 'it was evicted for disk space or another resource',
  },
  slots: (place, { suffering, hog: usage }) => {
    const fields = usage?.fields ?? {};
    const container = fields['container'] ?? fields['name'];
    const used = fields['used'] ?? fields['usage'] ?? 'more';
    const request = fields['request'] ?? fields['wanted'] ?? 'less';
    return {
      node: place.name,
      where: place.name.includes(' ') ? place.name : `node ${place.name}`,
      container: container ?? 'of the pod',
      named: container ?? '',
      used,
      request,
      hog: container ? ` (${container} used ${used}, request ${request})` : '',
      state: suffering?.detail ?? 'Evicted',
    };
  },

  fixes: [
    {
      say: 'Find who takes the memory of {where} and set its memory request and limit to the real need',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'usage of the pods there',
          run: 'kubectl top pod -A --sort-by=memory | head -20; kubectl describe node {{node}}',
          on: 'cluster',
        },
        {
          say: 'raise the request of what needs more, so that the scheduler leaves room for it; limit what grows without bound',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: 'resources.requests.memory',
          value: { ask: 'request', says: 'the memory that {{named}} really needs, such as 512Mi' },
        },
      ],
      verified: 'MemoryPressure of {where} is False and no new eviction follows',
    },
    {
      say: 'Move pods away or give the node more memory',
      risk: 'moves-pods',
      steps: [
        { say: 'no new pods while you work', run: 'kubectl cordon {{node}}', on: 'cluster' },
        {
          say: 'evicted pods are only records; remove them when you are done',
          run: 'kubectl delete pods -A --field-selector status.phase=Failed',
          on: 'cluster',
        },
        { say: 'open the node again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['kubernetes pkg/kubelet/eviction/eviction_manager.go, helpers.go'],
});
