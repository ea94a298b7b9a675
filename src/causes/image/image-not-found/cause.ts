import { defineCause, excludes, line, minutes, needs, on, proves } from '../../define-cause.ts';

const PRINTED_BY = ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'] as const;

const unknownToRegistry = line(
  [
    'failed to resolve reference',
    'manifest unknown',
    'manifest_unknown',
    'name unknown',
    'name_unknown',
    'manifest for ',
    'not known to the registry',
    'was deleted or has expired',
    'unknown: artifact ',
    'unknown: repository ',
    'or no pull access',
    'could not fetch content descriptor',
    'failed open: content at',
    'StatusCode: 404',
    'received unexpected HTTP status: 404',
  ],
  PRINTED_BY,
  /^(?=(?:[\s\S]*?(?:image \\*"|image=\\*"?|pull image (?=[\w.-]+\/)|docker:\/\/)(?<image>[^"\\\s]{2,255}))?)[\s\S]*?(?:failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found|\bmanifest[ _]unknown\b|\bname[ _]unknown\b|\bmanifest for [^\s,]{1,255} not found|not known to the registry|was deleted or has expired|unknown: (?:artifact|repository) [^\s,]{1,255} not found|: does not exist or no pull access|could not fetch content descriptor [^\n]{1,200}? from remote: not found|failed open: content at \S{1,512} not found|StatusCode: 404|unexpected HTTP status: 404)/i,
);
/** Official images of Docker Hub are all public: a denial there can only mean that there is none of that name. */
const noOfficialImage = line(
  ['pull access denied', 'requested access to the resource is denied'],
  PRINTED_BY,
  /docker\.io\/library\/(?<image>[\w.:@-]{1,200})[\s\S]{0,40}?(?:pull access denied|requested access to the resource is denied)|pull access denied for (?<short>[\w.-]{1,200}), repository does not exist/i,
);
const noPlatform = line('no match for platform in manifest', []);
const sandboxImage = line(
  ['sandbox image', 'create pod sandbox', 'creating pod sandbox', 'CreatePodSandbox', 'RunPodSandbox'],
  [],
  /sandbox image|(?:creat(?:e|ing) ?pod ?sandbox|RunPodSandbox)[\s\S]{0,300}?(?:pull(?:ing)? image|initializing source|pinging (?:container|docker) registry)/i,
);

export const cause = defineCause({
  id: 'image-not-found',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image does not exist',
    title: 'image {image} does not exist in its registry (wrong name, path or tag, or never pushed)',
    why: 'The registry answered, and it has no such repository, tag or digest: the reference is misspelt, points at another project, or the image was never pushed or has been deleted. Every try to pull it ends the same way, on every node without a copy of its own.',
  },

  clues: {
    stuck: needs('pod.symptom', ({ symptom }) => symptom === 'image-pull' || symptom === 'creating' || symptom === 'init-stuck'),
    unknown: proves(unknownToRegistry, ({ channel }) => channel !== 'container-log'),
    official: proves(noOfficialImage, ({ channel }) => channel !== 'container-log'),
    platform: excludes(noPlatform),
    sandbox: excludes(sandboxImage),
  },
  says: {
    stuck: 'a pod waits for its image',
    unknown: 'the registry says there is no such image: {image}',
    official: 'Docker Hub denies the official image {image}: it does not exist',
    platform: 'the image exists, but not for the architecture of the node',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { unknown, official }) => {
    const image = unknown?.fields['image'] ?? official?.fields['image'] ?? official?.fields['short'] ?? 'of the pod';
    const type = place.type === undefined || place.type === '?' ? 'deployment' : place.type.toLowerCase();
    return {
      image: image.replace(/[:,]+$/, ''),
      namespace: place.namespace === undefined || place.namespace === '?' ? 'NAMESPACE' : place.namespace,
      workload: /\s/.test(place.name) ? `${type}/NAME` : `${type}/${place.name}`,
    };
  },

  fixes: [
    {
      say: 'Check what the registry has: registry host, project path, name and tag, letter by letter',
      risk: 'reads-only',
      steps: [
        {
          say: 'from any machine that may pull: does the reference exist? (skopeo list-tags shows the tags there are)',
          run: 'skopeo inspect docker://{{image}}',
        },
        {
          say: 'the reference the workload really uses',
          run: "kubectl -n {{namespace}} get {{workload}} -o yaml | grep -n 'image:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the image name, path or tag in the template (or in the chart values)',
      risk: 'restarts-pods',
      steps: [{ say: 'change the image of the container', run: 'kubectl -n {{namespace}} edit {{workload}}', on: 'cluster' }],
      verified: 'an event Pulled, and the pods become ready',
    },
    {
      say: 'Or push the missing image to that registry under that path and tag',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'push or mirror it; the kubelet tries again by itself within five minutes',
          run: 'skopeo copy docker://SOURCE docker://{{image}}',
        },
      ],
      verified: 'an event Pulled, and the pods become ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd core/remotes/docker/resolver.go, fetcher.go',
    'moby daemon/internal/distribution/errors.go',
    'distribution registry/api/errcode',
    'containers/image docker/docker_client.go',
  ],
});
