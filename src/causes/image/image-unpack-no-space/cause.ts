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
  supports,
  waitsForImage,
} from '../../define-cause.ts';

const diskFull = pullLine(['no space left on device', 'disk quota exceeded'], /no space left on device|disk quota exceeded/, {
  must: [/\bpull|extract layer|register layer|writing blob|extraction snapshot|content\.v1\.content|GetImageBlob|overlay-layers/],
  may: [/(?:write|mkdir|open|link|symlink|rename|mknod|copy_file_range:?) (?<path>\/[^\s:"\\]{3,200})/],
});
const sandboxSpace = line('create pod sandbox', [], /create pod sandbox[\s\S]{0,600}?no space left on device/i);
const otherAnswer = line(
  [
    'manifest unknown',
    'name unknown',
    'pull access denied',
    'no basic auth credentials',
    '401 unauthorized',
    '403 forbidden',
    'toomanyrequests',
    'failed to resolve reference',
  ],
  [],
  /(?:manifest|name) unknown|pull access denied|no basic auth credentials|401 unauthorized|403 forbidden|toomanyrequests|failed to resolve reference/i,
);

export const cause = defineCause({
  id: 'image-unpack-no-space',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull'],
  effectOf: ['disk-full-root'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'No disk space for images',
    title: 'Disk of {node} is full: image {image} cannot be unpacked',
    why: 'Layers are downloaded and unpacked on the disk that holds the image store of the runtime ({path}). It has no space (or no inodes) left on the device, so the pull fails at that step, although network and registry are fine. Every new image on {node} fails until room is made.',
  },

  clues: {
    stuck: waitsForImage,
    full: proves(diskFull, notByContainers),
    pressure: supports('node.condition', ({ type, status }) => type === 'DiskPressure' && status === 'True'),
    sandbox: excludes(sandboxSpace),
    other: excludes(otherAnswer, notAboutNode),
  },
  says: {
    stuck: 'a pod waits for its image',
    full: 'unpacking {image} ends with: no space left on device ({path})',
    pressure: '{node} reports DiskPressure',
    sandbox: 'the disk is full, but it is the sandbox that cannot be made',
    other: 'it ends before any download: the registry refuses or is not reached',
  },
  slots: (place, { full }) => ({
    node: place.name,
    image: imageIn(full) ?? 'of the pod',
    path: storeOf(full?.fields['path']),
  }),

  fixes: [
    {
      say: 'See what is full: space or inodes, and who uses it',
      risk: 'reads-only',
      steps: [
        { say: 'space and inodes of the file systems', run: 'df -h; df -i', on: 'node' },
        { say: 'the largest folders below /var', run: 'du -xh --max-depth=3 /var 2>/dev/null | sort -h | tail -20', on: 'node' },
      ],
    },
    {
      say: 'Free disk space on {node}: remove unused images and exited containers',
      risk: 'touches-node',
      steps: [
        { say: 'images no container uses', run: 'crictl rmi --prune', on: 'node' },
        { say: 'with Docker', run: 'docker image prune --all --force', on: 'node' },
        { say: 'old journals', run: 'journalctl --vacuum-size=200M', on: 'node' },
      ],
      verified: 'df shows room, then an event Pulled',
    },
    {
      say: 'Enlarge the disk, or move the image store to a larger one; let the kubelet clean up earlier (imageGCHighThresholdPercent)',
      risk: 'moves-pods',
      steps: [
        { say: 'move the pods away first', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        { say: 'grow the volume and its file system, or add a disk for {path}', on: 'node' },
        { say: 'open the node again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['containerd core/unpack/unpacker.go', 'moby layer/layer_store.go', 'containers/image storage/storage_dest.go'],
});

function storeOf(path: string | undefined): string {
  const store = /^\/var\/lib\/(?:containerd|docker|containers)/.exec(path ?? '')?.[0];
  return store ?? '/var/lib/containerd, /var/lib/docker or /var/lib/containers';
}
