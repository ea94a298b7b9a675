import {
  defineCause,
  excludes,
  imageIn,
  line,
  minutes,
  notAboutNode,
  notByContainers,
  on,
  proves,
  pullLine,
  registryAnswers,
  registryIn,
  sandboxImagePull,
  waitsForImage,
} from '../../define-cause.ts';

const throttled = pullLine(
  [
    'toomanyrequests',
    '429 too many requests',
    'pull rate limit',
    'too many requests to registry',
    'StatusCode: 429',
    'Quota exceeded for quota metric',
    'unexpected HTTP status: 429',
  ],
  /\btoomanyrequests\b|\b429 Too Many Requests|pull rate limit|too many requests to registry|StatusCode: 429|unexpected HTTP status: 429|Quota exceeded for quota metric/,
);
const otherAnswer = registryAnswers('unknown', 'denied');
const ownLimiter = line('pull QPS exceeded', []);

function registryOf(image: string | undefined, host: string | undefined): string {
  const named = registryIn(image ?? '');
  if (named !== undefined) return named === 'docker.io' ? 'Docker Hub' : named;
  if (image !== undefined || /docker\.(?:io|com)$/.test(host ?? '')) return 'Docker Hub';
  return host ?? 'the registry';
}

export const cause = defineCause({
  id: 'image-pull-rate-limited',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Registry throttles the pulls',
    title: '{registry} throttles image pulls from {node}: rate limit reached (429)',
    why: '{registry} counts pulls per account, or per address for anonymous ones; nodes behind one address share one allowance. Once it is used up, every further pull is refused for hours, whatever the image, so the trouble (too many requests) comes after many nodes or pods have started at once.',
  },

  clues: {
    stuck: waitsForImage,
    throttled: proves(throttled, notByContainers),
    own: excludes(ownLimiter),
    other: excludes(otherAnswer, notAboutNode),
    sandbox: excludes(sandboxImagePull),
  },
  says: {
    stuck: 'a pod waits for its image',
    throttled: '{registry} answers that there were too many requests (429), here for {image}',
    own: "it is the kubelet's own limit on pulls (registryPullQPS)",
    other: 'the registry answers: no such image, or no right to pull it',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { throttled }) => {
    const image = imageIn(throttled);
    return { node: place.name, image: image ?? 'an image', registry: registryOf(image, throttled?.fields['host']) };
  },

  fixes: [
    {
      say: 'Log in: authenticated pulls have a higher limit of their own',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a pull secret in each namespace concerned',
          run: 'kubectl -n NAMESPACE create secret docker-registry registry-login --docker-server=https://index.docker.io/v1/ --docker-username=USER --docker-password=TOKEN',
          on: 'cluster',
        },
        {
          say: 'let pods use it through their ServiceAccount',
          run: `kubectl -n NAMESPACE patch serviceaccount default -p '{"imagePullSecrets":[{"name":"registry-login"}]}'`,
          on: 'cluster',
        },
      ],
      verified: 'an event Pulled; waiting alone also helps once the window of the limit has passed',
    },
    {
      say: 'Pull less: imagePullPolicy IfNotPresent with fixed tags, so that nodes use the copy they have',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the templates; tags like latest default to Always and ask the registry at every start',
          run: `kubectl -n NAMESPACE patch deployment NAME -p '{"spec":{"template":{"spec":{"containers":[{"name":"CONTAINER","imagePullPolicy":"IfNotPresent"}]}}}}'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', field: 'imagePullPolicy', value: 'IfNotPresent' }],
      verified: 'an event Pulled',
    },
    {
      say: 'Put a mirror or pull-through cache in between, or copy the images to a registry of your own',
      risk: 'touches-node',
      steps: [
        {
          say: 'containerd: needs config_path = "/etc/containerd/certs.d" in config.toml; then one file per registry',
          run: `mkdir -p /etc/containerd/certs.d/docker.io && printf 'server = "https://registry-1.docker.io"\\n[host."https://MIRROR"]\\n  capabilities = ["pull", "resolve"]\\n' > /etc/containerd/certs.d/docker.io/hosts.toml`,
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['distribution registry/api/errcode/register.go', 'containerd core/remotes/docker/fetcher.go', 'Docker Hub: usage and limits'],
});
