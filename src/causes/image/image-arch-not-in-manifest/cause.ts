import {
  defineCause,
  excludes,
  imageIn,
  line,
  minutes,
  namesOf,
  notByContainers,
  on,
  proves,
  pullLine,
  registryAnswers,
  waitsForImage,
} from '../../define-cause.ts';

const noVariant = pullLine(
  [
    'no match for platform in manifest',
    'no matching manifest for',
    'no image found in manifest list for architecture',
    'no image found in image index for architecture',
    'cannot be used on this platform',
    'does not match the specified platform',
  ],
  /no match for platform in manifest|no matching manifest for (?<platform>[\w/.-]{3,60})|no image found in (?:manifest list|image index) for architecture \\*"?(?<architecture>[\w-]{2,20})|image operating system \\*"[^"\\]{1,40}\\*" cannot be used on this platform|does not match the specified platform/,
  { must: [] },
);
/** Windows images are chosen by the version of the system, which is another fault than the architecture. */
const windows = line('no matching manifest for windows', [], /no matching manifest for windows\S{0,20} 10\.0\.\d{3,6}/);
const notFound = registryAnswers('unknown');

export const cause = defineCause({
  id: 'image-arch-not-in-manifest',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image lacks the architecture',
    title: 'Image {image} has no variant for the architecture of the node{platform}',
    why: 'The image exists, but its manifest lists no build for the operating system and CPU architecture{platform} of the node the pod was scheduled to (arm64 instead of amd64, say). On nodes of another architecture the same pod would start.',
  },

  clues: {
    stuck: waitsForImage,
    variant: proves(noVariant, notByContainers),
    windows: excludes(windows, notByContainers),
    notFound: excludes(notFound),
  },
  says: {
    stuck: 'a pod waits for its image',
    variant: 'the runtime finds no variant of {image} for its platform{platform}',
    windows: 'it has no variant for the Windows version of the node',
    notFound: 'the image does not exist at all',
  },
  slots: (place, { variant }) => {
    const platform = variant?.fields['platform'] ?? variant?.fields['architecture'];
    const architecture = /arm64|amd64|s390x|ppc64le|riscv64|386|arm/.exec(platform ?? '')?.[0];
    return {
      image: imageIn(variant) ?? 'of the pod',
      reference: imageIn(variant) ?? 'IMAGE',
      platform: platform === undefined || platform === 'unknown' ? '' : ` (${platform})`,
      offered: architecture === undefined ? 'ARCHITECTURE' : architecture === 'amd64' ? 'arm64' : 'amd64',
      platforms: `linux/amd64,linux/${architecture === undefined || architecture === 'amd64' ? 'arm64' : architecture}`,
      ...namesOf(place),
    };
  },

  fixes: [
    {
      say: 'Compare the platforms of the image with those of the nodes',
      risk: 'reads-only',
      steps: [
        { say: 'architectures in the manifest list', run: 'docker manifest inspect {{reference}} | grep -A2 architecture' },
        { say: 'architectures of the nodes', run: 'kubectl get nodes -L kubernetes.io/arch,kubernetes.io/os', on: 'cluster' },
      ],
    },
    {
      say: 'Use another image or tag that is built for this architecture, or build a multi-arch image',
      risk: 'restarts-pods',
      steps: [{ say: 'build and push for both', run: 'docker buildx build --platform {{platforms}} -t {{reference}} --push .' }],
      changes: [
        { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
      ],
      verified: 'an event Pulled on a node of that architecture',
    },
    {
      say: 'Keep the pods on nodes of an architecture the image has',
      risk: 'moves-pods',
      steps: [
        {
          say: 'a nodeSelector kubernetes.io/arch in the template',
          run: `kubectl -n {{namespace}} patch {{target}} -p '{"spec":{"template":{"spec":{"nodeSelector":{"kubernetes.io/arch":"{{offered}}"}}}}}'`,
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          field: 'nodeSelector.kubernetes.io/arch',
          value: { ask: 'arch', says: 'the architecture the image is built for, such as amd64 or arm64' },
        },
      ],
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
