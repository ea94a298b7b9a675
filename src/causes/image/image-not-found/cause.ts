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
  sandboxImagePull,
  waitsForImage,
} from '../../define-cause.ts';

const unknownToRegistry = pullLine(
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
  /failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found|\bmanifest[ _]unknown\b|\bname[ _]unknown\b|\bmanifest for [^\s,]{1,255} not found|not known to the registry|was deleted or has expired|unknown: (?:artifact|repository) [^\s,]{1,255} not found|: does not exist or no pull access|could not fetch content descriptor [^\n]{1,200}? from remote: not found|failed open: content at \S{1,512} not found|(?<!probe failed with )StatusCode: 404|unexpected HTTP status: 404/,
  { must: [] },
);
/** Official images of Docker Hub are all public: a denial there can only mean that there is none of that name. */
const noOfficialImage = line(
  ['pull access denied', 'requested access to the resource is denied'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log', 'pod-spec'],
  /docker\.io\/library\/(?<image>[\w.:@-]{1,200})[\s\S]{0,40}?(?:pull access denied|requested access to the resource is denied)|pull access denied for (?<short>[\w.-]{1,200}), repository does not exist/i,
);
const noPlatform = line('no match for platform in manifest', []);

/** Publishers that took their images away, and where they are now. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:(?:docker|index\.docker)\.io\/)?bitnami\//,
    ' Bitnami took its versioned images off docker.io/bitnami in 2025: the old ones are in docker.io/bitnamilegacy, and the charts need image.repository set to that.',
  ],
  [
    /^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers)\//,
    ' The images of Kubernetes have moved from k8s.gcr.io to registry.k8s.io, and the old place gets no new ones.',
  ],
  [/^gcr\.io\/kubebuilder\//, ' kube-rbac-proxy has moved from gcr.io/kubebuilder to quay.io/brancz or registry.k8s.io.'],
  [/^(?:docker\.io\/)?openjdk:/, ' The official image openjdk gets no new tags: eclipse-temurin, amazoncorretto and others have them.'],
];

function movedOf(image: string): string {
  return MOVED.find(([name]) => name.test(image))?.[1] ?? '';
}

export const cause = defineCause({
  id: 'image-not-found',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'creating', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image does not exist',
    title: 'Image {image} does not exist in its registry',
    why: 'The registry answered, and it has no such repository, tag or digest: the reference has a wrong name, path (project) or tag, or the image was never pushed or has been deleted.{moved} Every try to pull it ends the same way, on every node without a copy of its own.',
  },

  clues: {
    stuck: waitsForImage,
    unknown: proves(unknownToRegistry, notByContainers),
    official: proves(noOfficialImage, notByContainers),
    platform: excludes(noPlatform),
    sandbox: excludes(sandboxImagePull),
  },
  says: {
    stuck: 'a pod waits for its image',
    unknown: 'the registry says there is no such image: {image}',
    official: 'Docker Hub denies the official image {image}: it does not exist',
    platform: 'the image exists, but not for the architecture of the node',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { unknown, official }) => {
    const image = imageIn(unknown) ?? imageIn(official) ?? official?.fields['short'];
    return { ...namesOf(place), image: image ?? 'of the pod', reference: image ?? 'IMAGE', moved: movedOf(image ?? '') };
  },

  fixes: [
    {
      say: 'Check what the registry has: registry host, project path, name and tag, letter by letter',
      risk: 'reads-only',
      steps: [
        {
          say: 'from any machine that may pull: does the reference exist? (skopeo list-tags shows the tags there are)',
          run: 'skopeo inspect docker://{{reference}}',
        },
        {
          say: 'the reference the workload really uses',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -n 'image:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the image name, path or tag in the template (or in the chart values)',
      risk: 'restarts-pods',
      steps: [
        { say: 'change the image of the container', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        {
          say: 'a StatefulSet keeps the pod that never became ready: delete it after the correction',
          run: 'kubectl -n {{namespace}} delete pod POD',
          on: 'cluster',
        },
      ],
      changes: [
        { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
      ],
      verified: 'an event Pulled, and the pods become ready',
    },
    {
      say: 'Or push the missing image to that registry under that path and tag',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'push or mirror it; the kubelet tries again by itself within five minutes',
          run: 'skopeo copy docker://SOURCE docker://{{reference}}',
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
