import { defineCause, excludes, line, minutes, needs, on, proves } from '../../define-cause.ts';

const unknownToRegistry = line(
  [
    'failed to resolve reference', 'manifest unknown', 'manifest_unknown', 'name unknown', 'name_unknown', 'manifest for ', 'not known to the registry',
    'was deleted or has expired', 'unknown: artifact ', 'unknown: repository ', 'no pull access', 'could not fetch content descriptor', 'httpReadSeeker: failed open: content at', 'StatusCode: 404',
  ],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'],
  /^(?=(?:[^]*?(?:image \\*"|image=|PullImage \\*"|docker:\/\/)(?<image>[^"\\\s]{2,255}))?)[^]*?(?:failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found|\bmanifest[ _]unknown\b|\bname[ _]unknown\b|\bmanifest for [^\s,]{1,255} not found|not known to the registry|was deleted or has expired|unknown: (?:artifact|repository) [^\s,]{1,255} not found|: does not exist or no pull access|could not fetch content descriptor [^:]{1,40}:[^:]{1,200}: not found|failed open: content at \S{1,512} not found|StatusCode: 404)/i,
);
/** Official images on Docker Hub are all public: a denial there can only mean that there is none of that name. */
const noOfficialImage = line(
  ['pull access denied', 'requested access to the resource is denied'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'],
  /docker\.io\/library\/(?<image>[\w.:@-]{1,200})[^]{0,40}?(?:pull access denied|requested access to the resource is denied)|pull access denied for (?<short>[\w.-]{1,200}), repository does not exist/i,
);
const noPlatform = line('no match for platform in manifest', []);
const sandboxImage = line(
  ['sandbox image', 'create pod sandbox', 'creating pod sandbox', 'CreatePodSandbox', 'RunPodSandbox'],
  [],
  /sandbox image|(?:creat(?:e|ing) ?pod ?sandbox|RunPodSandbox)[^]*?(?:pull(?:ing)? image|initializing source|pinging (?:container|docker) registry)/i,
);

export const cause = defineCause({
  id: 'image-not-found',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image does not exist',
    title: 'image {image} does not exist in the registry (wrong name, path or tag)',
    why: 'The registry answered, and it has no such repository, tag or digest: the reference is misspelt, points at another project, or the image was never pushed or was deleted. Every try to pull it ends the same way.',
  },

  clues: {
    stuck: needs('pod.symptom', ({ symptom }) => symptom === 'image-pull'),
    unknown: proves(unknownToRegistry, ({ channel }) => channel !== 'container-log'),
    official: proves(noOfficialImage, ({ channel }) => channel !== 'container-log'),
    platform: excludes(noPlatform),
    sandbox: excludes(sandboxImage),
  },
  says: {
    stuck: 'a pod waits for its image',
    unknown: 'the registry says there is no such image: {image}',
    official: 'Docker Hub has no official image {image}: those are public, so a denial means it does not exist',
    platform: 'the image exists, but not for the architecture of the node',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { unknown, official }) => {
    const image = unknown?.fields['image'] ?? official?.fields['image'] ?? official?.fields['short'] ?? 'of the pod';
    return { image: image.replace(/[:,]+$/, ''), namespace: place.namespace ?? 'NAMESPACE', workload: place.name };
  },

  fixes: [
    {
      say: 'Correct the image reference: registry, project path, name and tag',
      risk: 'restarts-pods',
      steps: [
        { say: 'set the right one', run: 'kubectl -n {{namespace}} edit {{workload}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
});
