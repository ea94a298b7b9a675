import { defineCause, excludes, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

const noSuchNode = line(
  ['(NotFound): nodes "'],
  ['pod-status', 'control-plane-log', 'prose'],
  /Error from server \(NotFound\): nodes \\*"(?<node>[^"\\\s]{1,253})\\*" not found/,
);
const orphaned = line(
  ['orphaned Pod assigned to the Node', 'assigned to the Node, deleting'],
  ['control-plane-log'],
  /orphaned Pod[^\n]{0,60}?assigned to the Node[^\n]{0,200}?(?:node="?(?<node>[\w.-]{1,253}))?/i,
);

export const cause = defineCause({
  id: 'nodename-to-nonexistent-node',
  area: 'config',
  at: 'Pod',
  maturity: 'sandbox',
  explains: ['pending'],
  effectOf: ['pod-gc-or-orphaned'],
  wakesOn: [on('pod.symptom', { symptom: 'pending' })],

  text: {
    name: 'nodeName names no node',
    title: '{name} is bound by spec.nodeName to node {node}, which does not exist',
    why: 'spec.nodeName of the pod is set to {node}, so the scheduler leaves it alone and waits for the kubelet of that node to start it. There is no such node (a typing error, another name than kubectl get nodes shows, or a node that was removed), so nothing happens: the pod stays Pending without events until the garbage collector deletes it.',
  },

  clues: {
    pending: needs('pod.symptom', ({ symptom }) => symptom === 'pending'),
    bound: supports('pod.scheduling', ({ nodeName }) => nodeName !== undefined),
    noSuchNode: proves(noSuchNode),
    // Pods of a node that was there and is gone are collected with the same words.
    orphaned: supports(orphaned),
    silent: needs('pod.status', ({ status, phase }) => status === 'Pending' && (phase === undefined || phase === 'Pending')),
    nodeIsThere: excludes('node.status'),
    events: excludes('pod.event', ({ from, reason }) => from === 'kubelet' || reason === 'FailedScheduling' || reason === 'Scheduled'),
  },
  says: {
    pending: 'the pod is Pending',
    bound: 'spec.nodeName is set: {node}',
    noSuchNode: 'the API server knows no node {node}',
    orphaned: 'the garbage collector finds no node for it',
    silent: 'it is Pending, not ContainerCreating: no kubelet has taken it',
    nodeIsThere: 'the node exists',
    events: 'the scheduler or a kubelet has taken it up',
  },
  slots: (place, { bound, noSuchNode: missing, orphaned: orphan }) => ({
    ...namesOf(place),
    // The line alone names no pod.
    name: place.kind === 'Pod' ? place.name : 'a pod',
    node: bound?.nodeName ?? missing?.fields['node'] ?? orphan?.fields['node'] ?? 'NODE',
  }),

  fixes: [
    {
      say: 'Compare the name with the nodes there are',
      risk: 'reads-only',
      steps: [
        { say: 'the node it is bound to', run: "kubectl -n {{namespace}} get pod {{name}} -o jsonpath='{.spec.nodeName}'", on: 'cluster' },
        { say: 'the nodes', run: 'kubectl get nodes', on: 'cluster' },
      ],
    },
    {
      say: 'Take nodeName out of the pod (use a nodeSelector if it must run there), or correct it, and create the pod anew',
      risk: 'restarts-pods',
      steps: [
        { say: 'nodeName cannot be changed on a pod that exists', run: 'kubectl -n {{namespace}} delete pod {{name}}', on: 'cluster' },
        { say: 'in the template: nodeSelector with kubernetes.io/hostname instead of nodeName' },
      ],
      changes: [{ do: 'workload-unset', field: 'nodeName' }, { do: 'restart-pods' }],
      verified: 'the pod has a node of kubectl get nodes and starts',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/controller/podgc/gc_controller.go'],
});
