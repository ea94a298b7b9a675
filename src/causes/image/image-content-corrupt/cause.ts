import { defineCause, excludes, imageIn, line, minutes, notByContainers, proves, pullLine, supports } from '../../define-cause.ts';

const wrongDigest = pullLine(
  [
    'unexpected commit digest',
    'unexpected commit size',
    'layer verification failed for digest',
    'config verification failed for digest',
    "don't match image configuration",
    'invalid checksum digest',
    'Digest did not match',
  ],
  /unexpected commit (?:digest|size) (?<got>[\w:]{1,80}), expected (?<wanted>[\w:]{1,80})|(?:layer|config) verification failed for digest (?<digest>[\w:]{1,80})|layers from manifest don't match image configuration|invalid checksum digest|Digest did not match, expected (?<other>[\w:]{1,80})/,
  { must: [] },
);
const partMissing = pullLine(
  [
    'failed to stat parent: stat /',
    'parent snapshot sha256:',
    'missing parent',
    'content digest sha256:',
    'layer not known',
    'image not known',
    '/overlay-layers/',
    'layer does not exist',
    'file does not exist',
    '/imagedb/content/sha256/',
    '/layerdb/sha256/',
  ],
  /failed to stat parent: stat (?<path>\/[^\s:"\\]{3,300}\/snapshots\/\d+\/fs): no such file|parent snapshot (?<snapshot>sha256:\w{6,64}) does not exist|missing parent \\*"[^"\\]{1,200}\\*" bucket: not found|content digest (?<content>sha256:\w{6,64}): not found|(?:layer|image) not known|layer does not exist|(?:open|stat) (?<split>\/[^\s:"\\]{3,200}\/overlay-layers\/[^\s:"\\]{6,120}): no such file|locating item named \\*"[^"\\]{1,100}\\*" for image[\s\S]{0,200}?file does not exist|(?:open|stat) (?<file>\/[^\s:"\\]{3,200}\/(?:imagedb\/content|layerdb)\/sha256\/\w{6,64}[^\s:"\\]{0,60}): no such file/,
  { must: [] },
);
const badLink = pullLine(
  ['readlink /', 'overlay2/', 'overlay/l/', '/storage/overlay/', 'creating overlay mount to'],
  /register layer: (?:symlink|rename|link) [^\s:"\\]{3,300} (?<stored>\/[^\s:"\\]{3,300}\/overlay2\/[^\s:"\\]{3,200}): (?:no such file or directory|file exists)|readlink (?<link>\/[^\s:"\\]{3,300}\/overlay2?(?:\/[^\s:"\\]{0,300})?): (?:invalid argument|no such file or directory)|(?:lstat|stat|Stat|open) (?<layer>\/[^\s:"\\]{3,200}\/overlay2?\/(?:l\/)?\w{20,80}(?:\/[^\s:"\\]{0,100})?): no such file or directory|creating overlay mount to (?<merged>\/[^\s:,"\\]{3,300}): no such file or directory/,
  { must: [] },
);
const badArchive = pullLine(
  [
    'failed to extract layer',
    'failed to register layer',
    'processing tar file',
    'gzip: invalid',
    'wrong diff id calculated',
    'unpigz: skipping',
    "does not match config's DiffID",
  ],
  /(?<ids>wrong diff id calculated on extraction|does not match config's DiffID)|unpigz: skipping: <stdin>: corrupted|(?:extract layer|register layer|processing tar file)[\s\S]{0,400}?(?:gzip: invalid checksum|flate: corrupt input|zstd: [\w ]{3,40}(?:mismatch|corrupt))/,
  { must: [] },
);
/** So speaks also a runtime that does not know how the layer is packed: zstd before containerd 1.5, or a builder of its own kind. */
const unreadable = pullLine(
  ['failed to extract layer', 'failed to register layer', 'processing tar file', 'invalid tar header'],
  /(?:extract layer|register layer|processing tar file|tmpmounts)[\s\S]{0,400}?(?:archive\/tar: invalid tar header|gzip: invalid header)/,
  { must: [] },
);
const emptyFile = line(
  ['file too short', 'invalid ELF header'],
  'container-log',
  /error while loading shared libraries: (?<library>[^\s:]{1,200}): (?:file too short|invalid ELF header)/,
);
const full = line('no space left on device', [], /(?:write|mkdir|extract|register|unpack|copy)[\s\S]{0,600}?no space left on device/);
const wholeStore = line('/snapshots: no such file', [], /stat \/[^\s:"\\]{3,200}\/snapshots: no such file or directory/);

/** Not a line of its own: such errors have causes of their own. */
const DISK_ERRORS = /I\/O error|EXT4-fs error|XFS[^\n]{0,60}corruption|structure needs cleaning/i;

export const cause = defineCause({
  id: 'image-content-corrupt',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull', 'create-error', 'config-error', 'creating', 'init-stuck', 'crash-loop', 'init-crash', 'other-trouble'],
  effectOf: ['disk-io-error', 'node-rebooted', 'runtime-root-moved-or-mounted-over', 'filesystem-corrupt-or-readonly'],

  text: {
    name: 'Image data on the node damaged',
    title: 'Image data of {image} on {node} is damaged or incomplete: {what}',
    why: 'The image store of the runtime (layers, snapshots, their index) does not hold what its records say: {what}. It is corrupt or was cut short, mostly by a hard reboot, a full or failing disk, files deleted by hand, or a proxy that changed the download. Other nodes with the same image are fine.',
  },

  clues: {
    wrongDigest: proves(wrongDigest, notByContainers),
    partMissing: proves(partMissing, notByContainers),
    badLink: proves(badLink, notByContainers),
    badArchive: proves(badArchive, notByContainers),
    unreadable: supports(unreadable, notByContainers),
    emptyFile: supports(emptyFile),
    diskErrors: supports('log.error', ({ channel, message }) => channel === 'kernel-log' && DISK_ERRORS.test(message)),
    full: excludes(full, notByContainers),
    wholeStore: excludes(wholeStore),
  },
  says: {
    wrongDigest: 'the data is not what its digest promises: {digest}',
    partMissing: 'a part of the image is gone from the store: {part}',
    badLink: 'the overlay folder of a layer is broken: {path}',
    badArchive: 'a layer cannot be unpacked: its archive is damaged, or not the one its record tells of',
    unreadable: 'the runtime cannot read the archive of a layer: damaged, or packed in a way it does not know',
    emptyFile: 'a library in the image is empty or cut off: {library}',
    diskErrors: 'the kernel reports errors of the disk or file system',
    full: 'the disk is full; that is why data is cut off',
    wholeStore: 'the whole snapshot folder is gone: the store was moved or mounted over',
  },
  slots: (place, { wrongDigest: digest, partMissing: part, badLink: link, badArchive: archive, unreadable: foreign, emptyFile: empty }) => {
    const wanted = digest?.fields['wanted'] ?? digest?.fields['digest'] ?? digest?.fields['other'];
    const missing =
      part?.fields['path'] ?? part?.fields['snapshot'] ?? part?.fields['content'] ?? part?.fields['file'] ?? part?.fields['split'];
    const path = link?.fields['link'] ?? link?.fields['stored'] ?? link?.fields['layer'] ?? link?.fields['merged'];
    const library = empty?.fields['library'] ?? 'a library';
    return {
      node: place.name,
      image: imageIn(digest) ?? imageIn(part) ?? imageIn(link) ?? imageIn(archive) ?? imageIn(foreign) ?? 'a pod',
      digest: wanted ?? 'digest mismatch',
      part: missing ?? 'a layer',
      path: path ?? 'overlay2',
      library,
      what: digest
        ? `content does not match ${wanted ?? 'its digest'}`
        : part
          ? `${missing ?? 'a layer'} is missing`
          : link
            ? `${path ?? 'overlay2'} is broken`
            : archive
              ? archive.fields['ids']
                ? 'a layer is not the one its record tells of (wrong diff id)'
                : 'a layer archive is damaged'
              : foreign
                ? 'the archive of a layer cannot be read; where other nodes or tools unpack it, this runtime is too old for its compression (zstd) or format'
                : `${library} is cut off`,
      reference: imageIn(digest) ?? imageIn(part) ?? imageIn(link) ?? imageIn(archive) ?? imageIn(foreign) ?? 'IMAGE',
    };
  },

  fixes: [
    {
      say: 'See whether one image or the whole store is hit, and whether the disk is sound',
      risk: 'reads-only',
      steps: [
        { say: 'containerd: images whose content is incomplete', run: 'ctr -n k8s.io images check | grep -v complete', on: 'node' },
        {
          say: 'errors of disk and file system',
          run: "dmesg -T | grep -iE 'I/O error|EXT4-fs error|XFS.*corrupt' | tail; df -h; df -i",
          on: 'node',
        },
      ],
    },
    {
      say: 'Remove the damaged image on {node} and pull it again',
      risk: 'touches-node',
      steps: [
        {
          say: 'containerd, CRI-O: delete the image, then pull it again',
          run: 'crictl rmi {{reference}} && crictl pull {{reference}}',
          on: 'node',
        },
        { say: 'with Docker', run: 'docker rmi -f {{reference}} && docker pull {{reference}}', on: 'node' },
        { say: 'a download that is always changed: pull past the proxy or mirror, and repair that one', on: 'node' },
        {
          say: 'an image that came as an archive: make the archive anew and compare its checksum on both sides (docker save of Docker 25.0.0 writes wrong ids; so do some builders)',
          run: 'docker save {{reference}} -o image.tar && sha256sum image.tar',
        },
      ],
      verified: 'the container is created and started on {node}',
    },
    {
      say: 'If many images are hit: drain {node}, check the file system (fsck) and start with an empty image store',
      risk: 'may-lose-data',
      steps: [
        { say: 'empty the node', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'set the store aside (containerd; for Docker /var/lib/docker, for CRI-O crio wipe -f); all images are pulled again',
          run: 'systemctl stop kubelet containerd && mv /var/lib/containerd /var/lib/containerd.damaged && systemctl start containerd kubelet',
          on: 'node',
        },
        {
          say: 'CRI-O (after a power cut: layer not known): the same with its store',
          run: 'systemctl stop kubelet crio && crio wipe -f && systemctl start crio kubelet',
          on: 'node',
        },
        { say: 'open it again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'containerd core/content/helpers.go, core/metadata/snapshot.go, plugins/snapshots/overlay',
    'moby daemon/graphdriver/overlay2, layer/filestore.go',
    'containers/storage drivers/overlay, images.go',
    'containerd issues 3369, 3671, 5854',
  ],
});
