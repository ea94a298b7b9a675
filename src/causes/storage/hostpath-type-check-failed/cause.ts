import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const checkFailed = line(
  'hostPath type check failed',
  ['pod-events', 'kubelet-log'],
  /hostPath type check failed: (?<path>\/\S{0,300}) is not (?<kind>an? [a-z ]{3,20}?)(?=$|[\n\\".,;])/,
);

const noParent = line(
  ['kubernetes.io/host-path/', 'MountVolume.SetUp failed for volume'],
  ['kubelet-log', 'pod-events'],
  /kubernetes\.io\/host-path\/[\s\S]{0,900}?: (?:open|mkdir|stat|lstat) (?<path>\/[^\s:"\\]{1,300}): (?<error>no such file or directory|read-only file system|not a directory|permission denied|file exists)|MountVolume\.SetUp failed for volume \\*"[^"\\]{1,253}\\*" ?: (?:open|mkdir) (?<made>\/(?![^\s:]{0,120}kubelet\/)[^\s:"\\]{1,300}): (?<why>no such file or directory|not a directory|permission denied|file exists)/,
);

/** What the runtime finds when it is to mount a path that no type was asked of. */
const notThere = line(
  ['failed to generate spec: failed to stat'],
  ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log'],
  /failed to generate spec: failed to stat \\*"(?<path>\/[^"\\]{1,300})\\*"/,
);

export const cause = defineCause({
  id: 'hostpath-type-check-failed',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'create-error'],
  effectOf: ['kubelet-root-dir-nonstandard'],

  text: {
    name: 'hostPath not on node',
    title: '{path} does not exist on the node of {workload}, or is not {kind}',
    why: '{workload} mounts the hostPath {path} and demands that it is {kind}. The kubelet looks at the file system of the node before it starts anything, and there {path} is missing or something else, so the pod stays in ContainerCreating. {hint}',
  },

  clues: {
    checkFailed: proves(checkFailed),
    noParent: proves(noParent),
    notThere: proves(notThere),
    volume: supports('pod.volume', ({ type, hostPath, source }) => /hostpath/i.test(type) && (hostPath ?? source) !== undefined),
    started: excludes('pod.event', ({ reason }) => reason === 'Started' || reason === 'Created' || reason === 'FailedCreatePodSandBox'),
  },
  says: {
    checkFailed: 'the kubelet looked: {path} is not {kind}',
    notThere: 'the runtime does not find {path} on the node',
    noParent: 'the kubelet cannot make {path} on the node: {error}',
    volume: 'the pod mounts paths of its host',
    started: 'its volumes are mounted since: the kubelet has gone on',
  },
  slots: (place, { checkFailed: said, noParent: unmade, notThere: gone }) => {
    const path = said?.fields['path'] ?? unmade?.fields['path'] ?? unmade?.fields['made'] ?? gone?.fields['path'] ?? 'the hostPath';
    return {
      workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'the pod',
      namespace: namesOf(place).namespace,
      path,
      error: unmade?.fields['error'] ?? unmade?.fields['why'] ?? 'no such file or directory',
      kind: unmade && !said ? 'in a folder that exists and can be written' : (said?.fields['kind']?.trim() ?? 'what the type says'),
      hint: /docker\.sock/.test(path)
        ? 'A Docker socket is gone where the node runs containerd or CRI-O.'
        : /containerd|crio/.test(path)
          ? 'Sockets of the runtime stand elsewhere when another runtime is in use (k3s: /run/k3s/containerd).'
          : 'Other nodes may have it: then only pods on nodes without it wait.',
    };
  },

  fixes: [
    {
      say: 'Look at the path on the node',
      risk: 'reads-only',
      steps: [
        { say: 'what is there, if anything', run: 'stat {{path}}; ls -la $(dirname {{path}})', on: 'node' },
        { say: 'where its pods run', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
      ],
    },
    {
      say: 'Create {path} on the node, or mount the disk that should hold it',
      risk: 'touches-node',
      steps: [
        { say: 'a directory (type DirectoryOrCreate in the spec makes the kubelet do it by itself)', run: 'mkdir -p {{path}}', on: 'node' },
        { say: 'a socket or device comes with its program: install or start that one instead', on: 'node' },
      ],
      verified: 'the kubelet tries again within two minutes and the pod starts',
    },
    {
      say: 'Or correct the hostPath volume of {workload}: its path, its type, or the nodes it may run on',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'spec.template.spec.volumes[].hostPath path and type, or a nodeSelector',
          run: 'kubectl -n {{namespace}} get deploy,ds,sts -o wide',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/hostpath/host_path.go (checkTypeInternal)'],
});
