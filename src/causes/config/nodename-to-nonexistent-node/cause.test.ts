import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pod = (events = 'Events:          <none>\n') => `Name:         probe-pod
Namespace:    tools
Node:         wroker-7/
Status:       Pending
Containers:
  probe:
    Image:      registry.example/probe:1
${events}`;

testCause(cause, {
  finds: {
    'bound to a name nobody has': {
      evidence: { 'describe.txt': pod() },
      confidence: 'possible',
      place: 'pod tools/probe-pod',
      cites: ['describe.txt:4'],
      victims: 1,
    },
    'the garbage collector says so': {
      evidence: {
        'describe.txt': pod(),
        'kcm.log': `I1102 08:01:12.447705       1 gc_controller.go:342] "PodGC is force deleting Pod" pod="tools/probe-pod"
I1102 08:01:12.447705       1 gc_controller.go:243] "Found orphaned Pod assigned to the Node, deleting" pod="tools/probe-pod" node="wroker-7"\n`,
      },
      confidence: 'possible',
    },
    'one line': { evidence: { 'paste.txt': 'Error from server (NotFound): nodes "wroker-7" not found\n' }, confidence: 'possible' },
  },
  rulesOut: {
    'the node is there': {
      evidence: {
        'describe.txt': pod(),
        'nodes.txt': 'NAME       STATUS     ROLES    AGE   VERSION\nwroker-7   NotReady   <none>   9d    v1.30.1\n',
      },
      by: 'nodeIsThere',
    },
    'a kubelet has it': {
      evidence: {
        'describe.txt': pod(`Events:
  Type     Reason       Age   From     Message
  ----     ------       ----  ----     -------
  Warning  FailedMount  9s    kubelet  MountVolume.SetUp failed for volume "rules" : configmap "rules" not found
`),
      },
      by: 'events',
    },
  },
  asks: { 'the nodes there are': { evidence: { 'describe.txt': pod() }, for: 'node-status' } },
});

describe('nodename-to-nonexistent-node and other pods', () => {
  it.each(['NAME    READY   STATUS    RESTARTS   AGE\nweb-1   0/1     Pending   0          10m', 'message: PodGC: node no longer exists'])(
    'does not speak of: %s',
    async (text) => {
      const { incidents } = await diagnose([{ name: 'paste.txt', text: `${text}\n` }], { causes: [cause] });
      expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
    },
  );
});
