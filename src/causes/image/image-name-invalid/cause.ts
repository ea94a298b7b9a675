import {
  defineCause,
  excludes,
  isOneOf,
  line,
  minutes,
  namesOf,
  needs,
  notByContainers,
  on,
  proves,
  withContext,
} from '../../define-cause.ts';

const unparsable = line(
  ["couldn't parse image", 'invalid reference format', 'Failed to apply default image tag', 'could not parse image'],
  ['pod-events', 'kubelet-log', 'pod-spec', 'containerd-log', 'docker-log', 'crio-log'],
  withContext(
    /could(?:n't| not) parse image (?:name|reference)|invalid reference format(?:: (?<detail>[^"\\\n]{3,120}))?|Failed to apply default image tag/,
    { may: [/(?:image tag|image name|image reference|image) \\*"(?<image>[^"\\]{0,255})/] },
  ),
);
/** CRI-O refuses a name without a registry unless exactly one registry is meant. */
const shortName = line(
  ['short-name', 'short name mode is enforcing'],
  ['pod-events', 'kubelet-log', 'crio-log', 'pod-spec'],
  /short-name \\*"?(?<image>[^"\\\s]{1,255})\\*"? did not resolve to an alias|short name mode is enforcing, but image name (?<ambiguous>[^\s"\\]{1,255})|short-name resolution enforced/i,
);
const pulled = line(
  'Failed to pull image',
  [],
  /Failed to pull image \\*"[^"\\]{1,255}\\*": (?![\s\S]{0,400}?(?:invalid reference|short.name))/i,
);

/** Docker Hub is what a short name means nearly always; its official images stand below library/. */
function fullName(name: string | undefined): string {
  if (name === undefined) return 'docker.io/NAME:TAG';
  return `docker.io/${name.includes('/') ? '' : 'library/'}${name}`;
}

export const cause = defineCause({
  id: 'image-name-invalid',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['image-pull', 'init-stuck'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Image name is malformed',
    title: 'Image name "{image}" is not a valid reference{detail}',
    why: 'The string under image: cannot be read as an image reference, so no pull is even tried. Usual reasons: a template variable that stayed empty or unexpanded, capitals in the path, http:// or https:// in front, blanks, a double colon or slash, or (with CRI-O) a short name that fits no or several registries.',
  },

  clues: {
    stuck: needs('pod.symptom', isOneOf('image-pull')),
    unparsable: proves(unparsable, notByContainers),
    short: proves(shortName, notByContainers),
    waiting: proves('container.waiting', ({ reason }) => reason === 'InvalidImageName'),
    listed: proves('pod.status', ({ status }) => /^(?:Init:)?InvalidImageName$/.test(status)),
    pull: excludes(pulled),
  },
  says: {
    stuck: 'a pod waits for its image',
    unparsable: 'the kubelet cannot parse "{image}"{detail}',
    short: 'CRI-O cannot tell which registry the short name "{image}" means',
    waiting: 'a container waits with InvalidImageName',
    listed: 'the pod is listed with InvalidImageName',
    pull: 'a registry was asked, so the name could be read',
  },
  slots: (place, { unparsable, short, waiting }) => {
    const detail =
      unparsable?.fields['detail'] ??
      (short === undefined ? undefined : 'a short name without registry, and CRI-O does not guess which one is meant');
    const told = /"([^"\\]{1,255})\\?"/.exec(waiting?.message ?? '')?.[1];
    return {
      image: unparsable?.fields['image'] ?? short?.fields['image'] ?? short?.fields['ambiguous'] ?? told ?? 'of the pod',
      detail: detail === undefined ? '' : `: ${detail}`,
      full: fullName(short?.fields['image'] ?? short?.fields['ambiguous']),
      ...namesOf(place),
    };
  },

  fixes: [
    {
      say: 'See the image string as it reached the cluster',
      risk: 'reads-only',
      steps: [
        {
          say: 'empty parts and leftovers of templates show here',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -n 'image:'",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct it to HOST/path/name:tag in lower case, without http:// or blanks; fill the empty variable in the chart or pipeline',
      risk: 'restarts-pods',
      steps: [{ say: 'change the image of the container', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [
        { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
      ],
      verified: 'an event Pulling with the right name',
    },
    {
      say: 'A short name with CRI-O: write the registry in front (docker.io/… for Docker Hub), or let the nodes search exactly one registry',
      risk: 'restarts-pods',
      steps: [
        { say: 'in the chart or manifest', run: 'kubectl -n {{namespace}} set image {{target}} CONTAINER={{full}}', on: 'cluster' },
        {
          say: 'on the nodes: one entry under unqualified-search-registries; several are ambiguous, which CRI-O 1.34 and later refuse (short_name_mode)',
          run: `printf 'unqualified-search-registries = ["docker.io"]\\n' > /etc/containers/registries.conf.d/01-search.conf && systemctl restart crio`,
          on: 'node',
        },
      ],
      verified: 'an event Pulling with the full name',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes pkg/util/parsers/parsers.go, pkg/kubelet/images/image_manager.go',
    'distribution reference/regexp.go',
    'cri-o internal/storage/image.go',
  ],
});
