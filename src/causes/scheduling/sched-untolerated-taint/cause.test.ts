import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describePod(message: string, more = ''): string {
  return `Name:             thumbnailer-5b8d9c7f6d-7vkzp
Namespace:        media
Node:             <none>
Status:           Pending
Controlled By:    ReplicaSet/thumbnailer-5b8d9c7f6d
Containers:
  worker:
    Image:      registry.example/thumbnailer:12
Tolerations:                 node.kubernetes.io/not-ready:NoExecute op=Exists for 300s
                             node.kubernetes.io/unreachable:NoExecute op=Exists for 300s
Events:
  Type     Reason            Age                  From               Message
  ----     ------            ----                 ----               -------
  Warning  FailedScheduling  15s (x4 over 3m33s)  default-scheduler  ${message}
${more}`;
}

const dedicated =
  '0/5 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 4 node(s) had untolerated taint {dedicated: batch}. preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling.';

async function titleFor(message: string): Promise<string | undefined> {
  const { incidents } = await diagnose([{ name: 'describe.txt', text: describePod(message) }], { causes: [cause] });
  return incidents.find((incident) => incident.cause === cause.id)?.title;
}

testCause(cause, {
  finds: {
    'taints without a name, and nodes that are full': {
      evidence: { 'describe.txt': describePod('0/5 nodes are available: 2 Insufficient cpu, 3 node(s) had untolerated taint.') },
      confidence: 'probable',
    },
    'nodes that are out for other reasons': {
      evidence: {
        'describe.txt': describePod('0/5 nodes are available: 2 Insufficient cpu, 3 node(s) had untolerated taint {dedicated: batch}.'),
      },
      confidence: 'probable',
    },
    'a taint set by hand on all workers': {
      evidence: { 'describe.txt': describePod(dedicated) },
      confidence: 'certain',
      place: 'Deployment media/thumbnailer',
      cites: ['describe.txt:14', 'describe.txt:9'],
      victims: 1,
    },
    'wording of 1.20': {
      evidence: {
        'describe.txt': describePod(
          "0/2 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate, 1 node(s) had taint {node.kubernetes.io/disk-pressure: }, that the pod didn't tolerate.",
        ),
      },
      confidence: 'certain',
    },
    'wording of 1.13, no taint named': {
      evidence: { 'describe.txt': describePod("0/2 nodes are available: 2 node(s) had taints that the pod didn't tolerate.") },
      confidence: 'certain',
    },
    'only control planes in the cluster': {
      evidence: {
        'describe.txt': describePod('0/1 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }.'),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'placed after the taint went away': {
      evidence: {
        'describe.txt': describePod(
          dedicated,
          '  Normal   Scheduled         5s                   default-scheduler  Successfully assigned media/thumbnailer-5b8d9c7f6d-7vkzp to gpu-3\n',
        ),
      },
      by: 'placed',
    },
    'running and ready now': {
      evidence: {
        'events.txt': `LAST SEEN   TYPE      REASON             OBJECT                             MESSAGE
34m         Warning   FailedScheduling   pod/thumbnailer-5b8d9c7f6d-7vkzp   0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/not-ready: }.
`,
        'pods.txt': `$ kubectl get pods -n media
NAME                           READY   STATUS    RESTARTS   AGE
thumbnailer-5b8d9c7f6d-7vkzp   1/1     Running   0          40m
`,
      },
      by: 'pending',
    },
  },
  asks: {
    'the events of the pod': {
      evidence: {
        'scheduler.log':
          'I0611 08:14:02.113094       1 schedule_one.go:867] "Unable to schedule pod; no fit; waiting" pod="media/thumbnailer-5b8d9c7f6d-7vkzp" err="0/2 nodes are available: 2 node(s) had untolerated taint {dedicated: batch}."\n',
      },
      for: 'pod-events',
    },
  },
});

it('names taint and numbers in its title', async () => {
  expect(await titleFor(dedicated)).toBe(
    'thumbnailer gets no node: it does not tolerate the taint node-role.kubernetes.io/control-plane, dedicated: batch (5 of 5 nodes)',
  );
});

it('names what ails the nodes where the control plane set the taint', async () => {
  expect(
    await titleFor(
      '0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.',
    ),
  ).toBe(
    'thumbnailer gets no node: nodes are unreachable, their kubelet is silent (untolerated taint node-role.kubernetes.io/control-plane, node.kubernetes.io/unreachable on 3 of 3 nodes)',
  );
});

it('leaves tainted control planes alone where the workers have another reason', async () => {
  expect(
    await titleFor(
      '0/4 nodes are available: 1 Insufficient cpu, 3 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }.',
    ),
  ).toBeUndefined();
});

it('leaves cordoned nodes to their own cause', async () => {
  expect(await titleFor('0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/unschedulable: }.')).toBeUndefined();
});
