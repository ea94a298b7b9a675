import { defineCause, excludes, line, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const evicted = line(
  ['low on resource: ', 'node had condition: [', 'low on resource: [DiskPressure'],
  ['pod-events', 'pod-status', 'kubelet-log'],
  /(?:low on resource: \[?(?<resource>ephemeral-storage|inodes|nodefs|imagefs|containerfs|DiskPressure)|node had condition: \[[^\]\n]{0,80}?(?<condition>DiskPressure))/i,
);
const hog = line(
  'has larger consumption of ephemeral-storage',
  ['pod-events', 'pod-status'],
  /Container (?<container>[a-z0-9-]{1,63}) was using (?<used>[\w.]{1,20}), request is (?<request>[\w.]{1,20}), has larger consumption of ephemeral-storage/,
);
const garbage = line(
  ['Failed to garbage collect required amount of images', 'over the high threshold', 'FreeDiskSpaceFailed'],
  ['kubelet-log', 'node-events'],
  /Attempted to free (?<wanted>\d{1,20}) bytes, but only found (?<found>\d{1,20}) bytes|(?:usage=|usage on image filesystem is at )(?<usage>\d{1,3})|FreeDiskSpaceFailed/,
);
const reclaim = line(
  ['attempting to reclaim', 'must evict pod(s) to reclaim'],
  ['kubelet-log', 'node-events'],
  /reclaim[^\n]{0,60}?(?:ephemeral-storage|inodes|nodefs|imagefs)/i,
);
const otherReason = line(
  ['low on resource: ', 'local ephemeral storage', 'ephemeral local storage'],
  ['pod-status', 'pod-events'],
  /low on resource: (?:memory|pids)|exceeded its local ephemeral storage limit|ephemeral local storage usage exceeds/i,
);
const ownVolume = line(
  'Usage of EmptyDir volume',
  ['pod-status', 'pod-events'],
  /Usage of EmptyDir volume \\?"(?<volume>[^"\\\n]{1,100})\\?" exceeds the limit/,
);

const TROUBLE = /^(?:evicted|failed|pending|image-pull|creating|stuck-terminating)$/;

export const cause = defineCause({
  id: 'evicted-disk-pressure',
  area: 'resource',
  at: 'Node',
  maturity: 'stable',
  explains: ['evicted', 'failed', 'node-not-ready'],
  effectOf: ['disk-full-root', 'container-log-disk-or-rotation'],
  wakesOn: [on('node.condition', { type: 'DiskPressure', status: 'True' }), on('node.event', { reason: 'FreeDiskSpaceFailed' })],

  text: {
    name: 'Disk pressure on node',
    title: 'Disk of {where} is nearly full: DiskPressure, the kubelet evicts pods{detail}',
    why: 'The filesystem of kubelet, images or containers on {where} has crossed its eviction threshold (nodefs under 10 % free, imagefs under 15 %, inodes under 5 % unless set). The kubelet deletes unused images and, where that is not enough, evicts pods and takes no new ones until space is free again.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => TROUBLE.test(symptom)),
    evicted: proves(evicted),
    pressure: proves('node.condition', ({ type, status }) => type === 'DiskPressure' && status === 'True'),
    garbage: supports(garbage),
    hog: supports(hog),
    reclaim: supports(reclaim),
    taint: supports('node.taint', ({ key }) => key === 'node.kubernetes.io/disk-pressure'),
    otherReason: excludes(otherReason),
    ownVolume: excludes(ownVolume),
  },
  says: {
    trouble: 'pods suffer: {state}',
    evicted: 'the kubelet evicted it for disk space ({resource})',
    pressure: 'the node reports DiskPressure now',
    garbage: 'the kubelet cannot free enough disk space by deleting images{freed}',
    hog: 'container {container} used {used} of disk with a request of {request}',
    reclaim: 'the kubelet tries to reclaim disk space',
    taint: 'the taint disk-pressure keeps new pods away',
    otherReason: 'it was evicted for memory, or broke its own disk limit',
    ownVolume: 'it filled its own emptyDir beyond the limit',
  },
  slots: (place, { trouble, evicted: message, garbage: collected, hog: usage }) => {
    const found = collected?.fields['found'];
    const resource = message?.fields['resource'] ?? message?.fields['condition'] ?? 'disk';
    return {
      where: place.name.includes(' ') ? place.name : `node ${place.name}`,
      state: trouble?.detail ?? 'Evicted',
      resource,
      freed:
        found !== undefined ? ` (${found} bytes eligible)` : collected?.fields['usage'] ? ` (${collected.fields['usage']} % used)` : '',
      detail:
        resource.toLowerCase() === 'inodes' ? ' (inodes are used up, not bytes)' : found === '0' ? ' and no image is left to delete' : '',
      container: usage?.fields['container'] ?? 'of the pod',
      used: usage?.fields['used'] ?? 'much',
      request: usage?.fields['request'] ?? '0',
    };
  },

  fixes: [
    {
      say: 'Free disk space on {where}: remove unused images, stopped containers, old logs and stray data',
      risk: 'touches-node',
      steps: [
        {
          say: 'which filesystem is full, in bytes or inodes',
          run: 'df -h / /var/lib/kubelet /var/lib/containerd /var/lib/docker /var/log; df -i / /var/lib/kubelet',
          on: 'node',
        },
        {
          say: 'who fills it',
          run: 'du -xsh /var/log /var/lib/containerd /var/lib/docker /var/lib/kubelet/pods /opt 2>/dev/null',
          on: 'node',
        },
        { say: 'delete images no container uses', run: 'crictl rmi --prune', on: 'node' },
        { say: 'shrink the journal', run: 'journalctl --vacuum-size=200M', on: 'node' },
      ],
      verified: 'DiskPressure of {where} is False and the taint disk-pressure is gone',
    },
    {
      say: 'Enlarge or extend the disk, or move images and volumes to a disk of their own',
      risk: 'touches-node',
      steps: [{ say: 'grow the volume at the provider, then the filesystem', run: 'lsblk; df -hT /', on: 'node' }],
      verified: 'df shows room well above the thresholds',
    },
    {
      say: 'Keep it from filling again: log rotation, ephemeral-storage limits, lower image garbage collection thresholds',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'containerLogMaxSize, imageGCHighThresholdPercent and imageGCLowThresholdPercent of the kubelet',
          run: "grep -nE 'containerLogMax|imageGC|evictionHard' /var/lib/kubelet/config.yaml",
          on: 'node',
        },
        {
          say: 'evicted pods are only records; remove them',
          run: 'kubectl delete pods -A --field-selector status.phase=Failed',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: ['kubernetes pkg/kubelet/eviction/eviction_manager.go, helpers.go', 'kubernetes pkg/kubelet/images/image_gc_manager.go'],
});
