import {
  defineCause,
  excludes,
  imageIn,
  isOneOf,
  line,
  minutes,
  namesOf,
  needs,
  notByContainers,
  on,
  proves,
  supports,
} from '../../define-cause.ts';

const notPresent = line(
  'is not present with pull policy of Never',
  ['pod-events', 'kubelet-log', 'pod-spec'],
  /image \\*"(?<image>[^"\\]{1,255})\\*" is not present with pull policy of Never/i,
);
/** The bare word, as people repeat it. */
const word = line('ErrImageNeverPull', ['pod-events', 'prose'], /\bErrImageNeverPull\b/);
const triedToPull = line('Failed to pull image', [], /Failed to pull image \\*"/i);

export const cause = defineCause({
  id: 'image-never-pull-absent',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' }), on('container.waiting', { reason: 'ErrImageNeverPull' })],

  text: {
    name: 'Image absent, pulling forbidden',
    title: 'Image {image} is not on the node, and imagePullPolicy Never forbids a pull',
    why: 'With imagePullPolicy Never the kubelet only uses images the runtime of that very node already has (containerd: in its namespace k8s.io). This one is not there: it was built or loaded elsewhere, under another name or tag, into another runtime or namespace, or has been cleaned up.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('image-pull')),
    notPresent: proves(notPresent, notByContainers),
    waiting: proves('container.waiting', ({ reason }) => reason === 'ErrImageNeverPull'),
    listed: proves('pod.status', ({ status }) => /^(?:Init:)?ErrImageNeverPull$/.test(status)),
    word: supports(word, notByContainers),
    pull: excludes(triedToPull),
  },
  says: {
    stuck: 'a pod waits for its image',
    notPresent: 'the kubelet does not find {image} and may not pull it (policy Never)',
    waiting: 'a container waits with ErrImageNeverPull',
    listed: 'the pod is listed with ErrImageNeverPull',
    word: 'ErrImageNeverPull is told',
    pull: 'the kubelet does try to pull, so the policy is not Never',
  },
  slots: (place, { notPresent }) => ({
    ...namesOf(place),
    image: imageIn(notPresent) ?? 'of the pod',
    reference: imageIn(notPresent) ?? 'IMAGE',
  }),

  fixes: [
    {
      say: 'See which images the node has, with their full names',
      risk: 'reads-only',
      steps: [{ say: 'what Docker on the same machine has does not count for containerd', run: 'crictl images', on: 'node' }],
    },
    {
      say: 'Let it be pulled: imagePullPolicy IfNotPresent, with the image in a registry',
      risk: 'restarts-pods',
      steps: [{ say: 'change imagePullPolicy in the template', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [{ do: 'workload-set', field: 'imagePullPolicy', value: 'IfNotPresent' }],
      verified: 'an event Pulled, and the pods become ready',
    },
    {
      say: 'Or load the image onto every node the pod may run on',
      risk: 'touches-node',
      steps: [
        { say: 'containerd, into the namespace the kubelet uses', run: 'ctr -n k8s.io images import IMAGE.tar', on: 'node' },
        { say: 'kind', run: 'kind load docker-image {{reference}}', on: 'cluster' },
        { say: 'minikube', run: 'minikube image load {{reference}}', on: 'cluster' },
      ],
      verified: 'crictl images lists it on the node, and the pod starts',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/kubelet/images/image_manager.go (imagePullPrecheck)'],
});
