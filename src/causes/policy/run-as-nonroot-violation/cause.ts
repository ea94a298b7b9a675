import {
  defineCause,
  excludes,
  isOneOf,
  isWell,
  line,
  minutes,
  namesOf,
  needs,
  notByContainers,
  on,
  proves,
  supports,
} from '../../define-cause.ts';

const refused = line(
  ['container has runAsNonRoot and image ', 'breaks non-root policy'],
  ['pod-events', 'pod-spec', 'kubelet-log'],
  /container has runAsNonRoot and image (?:(?<root>will run as root)|has non-numeric user \((?<user>[^)\n]{1,100})\))|container's runAsUser (?<breaks>breaks non-root policy)|(?<windows>container's runAsUserName[^\n]{0,120}breaks non-root policy)/i,
);

const REFUSALS = {
  root: {
    short: 'its image runs as root',
    mechanism: 'The image sets no user, or root, and neither the pod nor the container sets runAsUser',
    step: 'set runAsUser to a number other than 0 that may read the files of the image',
  },
  user: {
    short: 'the user of its image is a name, not a number',
    mechanism: 'The image sets its user by name; the kubelet does not look names up, so it cannot tell that this user is not root',
    step: 'set runAsUser to the number of that user, or write the number as USER in the Dockerfile',
  },
  breaks: {
    short: 'its runAsUser is 0 (root)',
    mechanism: 'The same security context sets runAsUser to 0, which contradicts runAsNonRoot',
    step: 'set runAsUser to a number other than 0, or remove it',
  },
} as const;

export const cause = defineCause({
  id: 'run-as-nonroot-violation',
  area: 'policy',
  at: 'Workload',
  maturity: 'stable',
  explains: ['config-error', 'create-error', 'init-stuck', 'init-crash'],
  wakesOn: [on('pod.symptom', { symptom: 'config-error' })],

  text: {
    name: 'runAsNonRoot refused',
    title: '{name} must not run as root (runAsNonRoot), but {short}',
    why: 'runAsNonRoot makes the kubelet check, before it creates a container, that the container will not run as root. {mechanism}. So the kubelet refuses, and every replica waits in CreateContainerConfigError.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('config-error', 'create-error', 'init-stuck', 'init-crash')),
    refused: proves(refused, notByContainers),
    wanted: supports('container.security', ({ runAsNonRoot }) => runAsNonRoot === true),
    well: excludes('pod.status', isWell),
  },
  says: {
    stuck: 'a container is not created',
    refused: 'the kubelet refuses it: {short}',
    wanted: 'its security context sets runAsNonRoot',
    well: 'the pod runs and is ready; the refusal is of the past',
  },
  slots: (place, { refused: said }) => {
    const fields = said?.fields ?? {};
    const kind = fields['user'] !== undefined ? 'user' : fields['breaks'] !== undefined ? 'breaks' : 'root';
    const { short, mechanism, step } = REFUSALS[kind];
    const isOfImage = fields['user'] !== undefined || fields['root'] !== undefined;
    const user = fields['user'] === undefined ? '' : ` (${fields['user']})`;
    return {
      ...namesOf(place),
      name: place.name,
      short: `${short}${user}`,
      mechanism,
      step,
      userField: isOfImage ? 'securityContext.runAsUser' : '',
    };
  },

  fixes: [
    {
      say: 'Find out which user the image needs',
      risk: 'reads-only',
      steps: [
        {
          say: 'what the template sets',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'image:|securityContext|runAs'",
          on: 'cluster',
        },
        {
          say: 'the user the image sets (empty means root)',
          run: 'crictl inspecti IMAGE | grep -iE \'"(user|uid|username)"\'',
          on: 'node',
        },
      ],
    },
    {
      say: 'Run {name} as a user other than root, given as a number',
      risk: 'restarts-pods',
      steps: [
        { say: '{step}', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        { say: 'volumes it writes need fsGroup, ports below 1024 need another number or NET_BIND_SERVICE' },
      ],
      changes: [
        {
          do: 'workload-set',
          field: '{{userField}}',
          value: { ask: 'user', says: 'the number of the user, not 0, that may read the files of the image' },
        },
      ],
      verified: 'the containers have the event Started',
    },
    {
      say: 'Only if it must be root: remove runAsNonRoot (a Pod Security level of the namespace may then refuse it)',
      risk: 'restarts-pods',
      steps: [{ say: 'remove runAsNonRoot from pod and container', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes pkg/kubelet/kuberuntime/security_context.go (verifyRunAsNonRoot)'],
});
