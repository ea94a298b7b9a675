import { defineCause, excludes, line, minutes, needs, on, proves } from '../../define-cause.ts';

const noVariant = line(
  [
    'no match for platform in manifest',
    'no matching manifest for',
    'no image found in manifest list for architecture',
    'no image found in image index for architecture',
    'cannot be used on this platform',
    'does not match the specified platform',
  ],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'],
  /^(?=(?:[\s\S]*?(?:image \\*"|image=\\*"?|pull image (?=[\w.-]+\/)|docker:\/\/)(?<image>[^"\\\s]{2,255}))?)[\s\S]*?(?:no match for platform in manifest|no matching manifest for (?<platform>[\w/.-]{3,60})|no image found in (?:manifest list|image index) for architecture \\*"?(?<architecture>[\w-]{2,20})|image operating system \\*"[^"\\]{1,40}\\*" cannot be used on this platform|does not match the specified platform)/i,
);
const notFound = line(
  ['failed to resolve reference', 'manifest unknown'],
  [],
  /failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found|manifest unknown/i,
);

export const cause = defineCause({
  id: 'image-arch-not-in-manifest',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image lacks the architecture',
    title: 'image {image} has no variant for the architecture of the node{platform}',
    why: 'The image exists, but its manifest lists no build for the operating system and CPU architecture{platform} of the node the pod was scheduled to (arm64 instead of amd64, say). On nodes of another architecture the same pod would start.',
  },

  clues: {
    stuck: needs('pod.symptom', ({ symptom }) => symptom === 'image-pull' || symptom === 'creating' || symptom === 'init-stuck'),
    variant: proves(noVariant, ({ channel }) => channel !== 'container-log'),
    notFound: excludes(notFound),
  },
  says: {
    stuck: 'a pod waits for its image',
    variant: 'the runtime finds no variant of {image} for its platform{platform}',
    notFound: 'the image does not exist at all',
  },
  slots: (place, { variant }) => {
    const platform = variant?.fields['platform'] ?? variant?.fields['architecture'];
    const type = place.type === undefined || place.type === '?' ? 'deployment' : place.type.toLowerCase();
    const architecture = /arm64|amd64|s390x|ppc64le|riscv64|386|arm/.exec(platform ?? '')?.[0];
    return {
      image: (variant?.fields['image'] ?? 'of the pod').replace(/[:,]+$/, ''),
      platform: platform === undefined || platform === 'unknown' ? '' : ` (${platform})`,
      offered: architecture === undefined ? 'ARCHITECTURE' : architecture === 'amd64' ? 'arm64' : 'amd64',
      platforms: `linux/amd64,linux/${architecture === undefined || architecture === 'amd64' ? 'arm64' : architecture}`,
      namespace: place.namespace === undefined || place.namespace === '?' ? 'NAMESPACE' : place.namespace,
      workload: /\s/.test(place.name) ? `${type}/NAME` : `${type}/${place.name}`,
    };
  },

  fixes: [
    {
      say: 'Compare the platforms of the image with those of the nodes',
      risk: 'reads-only',
      steps: [
        { say: 'architectures in the manifest list', run: 'docker manifest inspect {{image}} | grep -A2 architecture' },
        { say: 'architectures of the nodes', run: 'kubectl get nodes -L kubernetes.io/arch,kubernetes.io/os', on: 'cluster' },
      ],
    },
    {
      say: 'Keep the pods on nodes of an architecture the image has',
      risk: 'moves-pods',
      steps: [
        {
          say: 'a nodeSelector kubernetes.io/arch in the template',
          run: `kubectl -n {{namespace}} patch {{workload}} -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/arch":"{{offered}}"}}}}}'`,
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Use another image or tag that is built for this architecture, or build a multi-arch image',
      risk: 'restarts-pods',
      steps: [{ say: 'build and push for both', run: 'docker buildx build --platform {{platforms}} -t {{image}} --push .' }],
      verified: 'an event Pulled on a node of that architecture',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd core/images/image.go, handlers.go',
    'moby daemon/internal/distribution/pull_v2.go',
    'containers/image manifest/oci_index.go, internal/manifest',
  ],
});
