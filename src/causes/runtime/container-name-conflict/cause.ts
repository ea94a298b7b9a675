import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const taken = line(
  [
    'is already in use by container',
    'is already in use by',
    'error reserving ctr name',
    'failed to reserve container name',
    'container with id exists',
    'container with given ID already exists',
    ': file exists',
  ],
  ['pod-events', 'pod-spec', 'kubelet-log', 'docker-log', 'crio-log', 'containerd-log'],
  /Conflict\. The (?:container )?name \\*"?\/?(?<docker>[^\s"\\]{1,300})\\*"? is already in use by (?:container )?\\*"?(?<owner>\w{6,64})|error reserving ctr name (?<crio>\S{1,300}) for id (?<held>\w{6,64})|(?<exists>container with (?:id exists|given ID already exists))(?:: (?<given>\w{6,64}))?|mkdir (?<bundle>\/\S{0,100}io\.containerd\.runtime\.v2\.task\/[\w.]{1,20}\/(?<folder>\w{6,64})): file exists|failed to reserve container name \\*"?(?<containerd>[^\s"\\:]{1,300})\\*"?(?:[^\n]{0,400}?reserved for \\*"(?<id>\w{6,64}))?/,
);
const slow = line(
  ['will be provided to the kubelet on next retry', 'Kubelet may be retrying requests that are timing out'],
  ['pod-events', 'kubelet-log', 'crio-log'],
  /will be provided to the kubelet on next retry|retrying requests that are timing out/,
);
const underWay = line(['not yet finished. Currently at stage'], ['crio-log', 'kubelet-log', 'pod-events']);
const sandbox = line(
  ['failed to reserve sandbox name', 'error reserving pod name'],
  [],
  /failed to reserve sandbox name|error reserving pod name/,
);

export const cause = defineCause({
  id: 'container-name-conflict',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['create-error', 'creating', 'crash-loop', 'init-stuck', 'init-crash', 'failed', 'other-trouble'],
  effectOf: ['runtime-slow-deadline-exceeded', 'disk-io-error', 'kernel-bug-or-hung-task'],

  text: {
    name: 'Container name already taken',
    title: 'On {node} the container name {name} is already in use by {owner}',
    why: 'The kubelet names a container after pod and attempt. {owner} already has that name: the leftover of a create that timed out (slow disk, overloaded runtime) or of an unclean shutdown, which the runtime has not removed. So each new try ends in CreateContainerError until the old container is gone.',
  },

  clues: {
    taken: proves(taken, notByContainers),
    slow: supports(slow),
    leftover: supports('container.runtime-state', ({ state }) => /^(?:dead|created|removing|removal|exited)$/i.test(state)),
    underWay: excludes(underWay),
    sandbox: excludes(sandbox),
  },
  says: {
    taken: 'the name {name} is in use or reserved',
    slow: 'an earlier create took longer than the kubelet waits',
    leftover: 'the runtime lists an old container in state {state}',
    underWay: 'the first create is still under way: the runtime is slow',
    sandbox: 'it is the name of the sandbox that is held',
  },
  slots: (place, { taken: said, leftover }) => {
    const fields = said?.fields ?? {};
    const id = fields['owner'] ?? fields['held'] ?? fields['id'] ?? fields['given'] ?? fields['folder'] ?? leftover?.id;
    return {
      node: place.name,
      name: shortened(fields['docker'] ?? fields['crio'] ?? fields['containerd'] ?? fields['given'] ?? fields['folder']),
      owner: id ? `container ${id.slice(0, 13)}` : 'an earlier container',
      id: id ?? 'CONTAINER_ID',
      state: leftover?.state ?? 'dead',
    };
  },

  fixes: [
    {
      say: 'See the container that has the name, and what made its creation slow',
      risk: 'reads-only',
      steps: [
        { say: 'Docker', run: 'docker ps -a --no-trunc --filter id={{id}}', on: 'node' },
        { say: 'containerd, CRI-O', run: 'crictl ps -a --id {{id}}; cat /proc/pressure/io', on: 'node' },
      ],
    },
    {
      say: 'Remove the dead container that holds the name',
      risk: 'touches-node',
      steps: [
        { say: 'Docker', run: 'docker rm -f {{id}}', on: 'node' },
        { say: 'containerd, CRI-O', run: 'crictl rm -f {{id}}', on: 'node' },
        {
          say: 'if it will not go: restart the runtime (Docker without live-restore stops its containers)',
          run: 'systemctl restart docker || systemctl restart containerd || systemctl restart crio',
          on: 'node',
        },
      ],
      verified: 'the kubelet creates and starts the container at its next try',
    },
    {
      say: 'Or delete the pod: its successor gets another name',
      risk: 'restarts-pods',
      steps: [{ say: 'a controller makes a new one', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' }],
      changes: [{ do: 'restart-pods' }],
      verified: 'the kubelet creates and starts the container at its next try',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'moby daemon/names.go',
    'kubernetes pkg/kubelet/dockershim/helpers.go (recoverFromCreationConflictIfNeeded, until 1.23)',
    'cri-o server/container_create.go, internal/resourcestore',
    'containerd internal/cri/server/container_create.go',
  ],
});

/** Names carry the UID of the pod; what comes before it tells enough. */
function shortened(name: string | undefined): string {
  if (name === undefined) return 'k8s_…';
  return name.length > 70 ? `${name.slice(0, 69)}…` : name;
}
