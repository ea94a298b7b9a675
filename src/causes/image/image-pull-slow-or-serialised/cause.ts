import {
  defineCause,
  excludes,
  imageIn,
  isOneOf,
  line,
  minutes,
  namesOf,
  needs,
  notAboutNode,
  notByContainers,
  on,
  pullLine,
  supports,
} from '../../define-cause.ts';

const LONG_SECONDS = 120;
const LARGE_BYTES = 2 * 1024 ** 3;

const noProgress = pullLine(
  ['because of no progress', 'exceeded image pull deadline', 'image pull progress timeout'],
  /cancel pulling image \\*"?(?<cancelled>[^\s"\\]{2,255})\\*"? because (?:of no progress (?:for|in) (?<idle>[\w.]{1,20})|it exceeded image pull deadline (?<deadline>[\w.]{1,20}))|image pull progress timeout/,
  { must: [] },
);
const queued = pullLine(
  ['including waiting'],
  /pulled image \\*"(?<pulled>[^"\\]{2,255})\\*" in (?<took>[\w.µ]{1,20}) \((?<waited>[\w.µ]{1,20}) including waiting\)(?:[^\n]{0,40}?Image size: (?<size>\d{1,15}) bytes)?/,
  { must: [] },
);
const failed = line(
  ['Failed to pull image', 'ErrImagePull', 'ImagePullBackOff'],
  [],
  /Failed to pull image(?![^\n]{0,600}(?:context canceled|no progress))|ErrImagePull|ImagePullBackOff/,
);

export const cause = defineCause({
  id: 'image-pull-slow-or-serialised',
  area: 'image',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'image-pull', 'pending'],
  wakesOn: [on('pod.event', { reason: 'Pulling' })],

  text: {
    name: 'Image pull takes long',
    title: 'Image {image} is still being pulled, or waits for its turn{how}',
    why: 'Nothing is broken yet: the pod waits in ContainerCreating while its image is downloaded and unpacked. The image is large, the network, proxy or disk of the node is slow, or the kubelet pulls one image at a time (serializeImagePulls, maxParallelImagePulls) and others are before it in the queue{how}.',
  },

  clues: {
    waits: needs('pod.symptom', isOneOf('creating', 'init-stuck', 'image-pull', 'pending')),
    noProgress: supports(noProgress, notByContainers),
    queued: supports(queued, ({ fields }) => waitedLong(fields['took'], fields['waited'])),
    pulling: supports('pod.event', ({ reason, lastAgo }) => reason === 'Pulling' && (lastAgo ?? 0) >= LONG_SECONDS),
    large: supports(queued, ({ fields }) => Number(fields['size'] ?? 0) > LARGE_BYTES),
    serial: supports(
      'kubelet.setting',
      ({ key, value }) => /^(?:serializeImagePulls|serialize-image-pulls)$/.test(key) && value === 'true',
    ),
    failed: excludes(failed, notAboutNode),
    pulled: excludes('pod.event', ({ reason, message }) => reason === 'Pulled' && !wasQueued(message)),
    otherStep: excludes('pod.event', ({ reason }) =>
      /^(?:FailedMount|FailedAttachVolume|FailedCreatePodSandBox|NetworkNotReady)$/.test(reason),
    ),
  },
  says: {
    waits: 'a pod waits for its image',
    noProgress: 'the runtime gave up on a download that made no progress{how}',
    queued: 'a pull took {took}, but {waited} with the time in the queue',
    pulling: 'the last event is Pulling, {ago} ago, and no error since',
    large: 'its image is large',
    serial: 'the kubelet pulls one image at a time (serializeImagePulls)',
    failed: 'the pull has failed with an error: it is not merely slow',
    pulled: 'the image is there already',
    otherStep: 'it waits for volumes or its sandbox, not for the image',
  },
  slots: (place, { noProgress: stalled, queued: queue, pulling, serial }) => {
    const waited = queue?.fields['waited'];
    const idle = stalled?.fields['idle'] ?? stalled?.fields['deadline'];
    const named = /image "([^"]{2,255})"/.exec(pulling?.message ?? '')?.[1];
    return {
      ...namesOf(place),
      image: stalled?.fields['cancelled'] ?? queue?.fields['pulled'] ?? imageIn(stalled) ?? named ?? 'of the pod',
      oneAtATime: queue || serial ? 'serializeImagePulls' : '',
      took: queue?.fields['took'] ?? 'its time',
      waited: waited ?? 'far longer',
      ago: pulling?.lastAgo === undefined ? 'minutes' : `${Math.round(pulling.lastAgo / 60)} minutes`,
      how: idle
        ? ` (no progress for ${idle})`
        : waited
          ? ` (${waited} with waiting, ${queue?.fields['took'] ?? 'little'} of it for the pull)`
          : '',
    };
  },

  fixes: [
    {
      say: 'See whether it moves, and what is before it',
      risk: 'reads-only',
      steps: [
        {
          say: 'pull times so far; "including waiting" is the time in the queue',
          run: "kubectl get events -A --sort-by=.lastTimestamp | grep -E 'Pulling|Pulled' | tail -30",
          on: 'cluster',
        },
        { say: 'downloads in progress (containerd)', run: 'ctr -n k8s.io content active; du -sh /var/lib/containerd', on: 'node' },
        { say: 'the same pull by hand, timed', run: 'time crictl pull IMAGE', on: 'node' },
      ],
    },
    {
      say: 'Wait, or pull the image onto the nodes beforehand (a DaemonSet that pre-pulls, or an image baked into the node)',
      risk: 'reads-only',
      steps: [{ say: 'watch it', run: 'kubectl -n {{namespace}} get pods -w', on: 'cluster' }],
      verified: 'an event Pulled, then Started',
    },
    {
      say: 'Let the kubelet pull several images at once, from a registry mirror near the nodes',
      risk: 'touches-node',
      for: ['queued', 'serial'],
      steps: [
        {
          say: 'serializeImagePulls: false and maxParallelImagePulls: 5 in the kubelet configuration',
          run: "printf 'serializeImagePulls: false\\nmaxParallelImagePulls: 5\\n' >> /var/lib/kubelet/config.yaml && systemctl restart kubelet",
          on: 'node',
        },
        { say: 'a pull-through cache in the same network; image_pull_progress_timeout of containerd for very slow lines', on: 'node' },
      ],
      changes: [
        { do: 'kubelet-set', key: '{{oneAtATime}}', value: false },
        { do: 'kubelet-set', key: 'maxParallelImagePulls', value: 5 },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'an event Pulled, then Started',
    },
    {
      say: 'Make the image smaller: fewer layers and build tools, models and data on a volume',
      risk: 'restarts-pods',
      for: ['large'],
      steps: [{ say: 'where its size comes from', run: 'docker history --human IMAGE' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/images/puller.go, image_manager.go',
    'containerd internal/cri/server/images/image_pull.go (pullProgressReporter)',
    'cri-dockerd libdocker/kube_docker_client.go',
  ],
});

/** Go durations: 1h2m3.5s, 850ms. */
function seconds(text: string | undefined): number {
  const parts = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:([\d.]+)s)?/.exec(text ?? '');
  return Number(parts?.[1] ?? 0) * 3600 + Number(parts?.[2] ?? 0) * 60 + Number(parts?.[3] ?? 0);
}

function wasQueued(message: string): boolean {
  const times = / in (?<took>[\w.µ]{1,20}) \((?<waited>[\w.µ]{1,20}) including waiting\)/.exec(message)?.groups;
  return waitedLong(times?.['took'], times?.['waited']);
}

function waitedLong(took: string | undefined, waited: string | undefined): boolean {
  return seconds(waited) >= LONG_SECONDS && seconds(waited) > 3 * seconds(took);
}
