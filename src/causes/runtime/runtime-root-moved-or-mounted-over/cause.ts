import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const storeGone = line(
  [
    '/snapshots: no such file',
    'io.containerd.content.v1.content/ingest/',
    '/tmp/GetImageBlob',
    'io.containerd.metadata.v1.bolt',
    '/image/overlay2/',
    '/overlay-containers/',
    '/overlay2: no such file',
    '/snapshots/new-',
    'mkdir /var/lib/docker/overlay2/',
  ],
  ['pod-events', 'pod-spec', 'kubelet-log', 'containerd-log', 'docker-log', 'crio-log'],
  /(?:stat|mkdir|open|lstat|rename|chmod) (?<path>\/[^\s:"\\]{3,200}?(?:\/snapshots(?:\/new-\d{1,20})?|\/io\.containerd\.content\.v1\.content\/ingest\/[^\s:"\\]{1,120}|\/tmp\/GetImageBlob\d{1,20}|\/io\.containerd\.metadata\.v1\.bolt[^\s:"\\]{0,60}|\/overlay-containers\/[^\s:"\\]{1,120}|\/image\/overlay2\/[^\s:"\\]{1,60}|\/overlay2)): no such file or directory|mkdir (?<layers>\/[^\s:"\\]{3,200}\/overlay2\/\w{10,80}(?:-init)?): no such file or directory/,
);
const layerGone = line(
  ['failed to stat parent: stat /', 'missing parent', 'layer not known', 'does not exist: not found'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log'],
  /failed to stat parent: stat (?<path>\/[^\s:"\\]{3,300}): no such file|missing parent \\*"|layer not known|snapshot sha256:\w{6,64} does not exist: not found/,
);
const STORES = /^\/(?:var\/lib\/(?:containerd|docker|containers|rancher)|data\/(?:containerd|docker))(?:\/|$)/;
const full = line('no space left on device', []);

export const cause = defineCause({
  id: 'runtime-root-moved-or-mounted-over',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: [
    'create-error',
    'config-error',
    'creating',
    'image-pull',
    'init-stuck',
    'crash-loop',
    'node-not-ready',
    'runtime-down',
    'other-trouble',
  ],
  effectOf: ['node-rebooted', 'os-upgrade-replaced-runtime-config'],

  text: {
    name: 'Container store vanished',
    title: 'The data folder of the runtime on {node} is not what it was: {path} is gone',
    why: 'The running daemon still knows its images, layers and containers, but {path} does not exist on disk any more. The data folder was mounted over (a disk mounted after the daemon had started, or not mounted at this boot), moved or deleted by hand. Everything on {node} that needs an image or a snapshot fails until the daemon runs on the right folder.',
  },

  clues: {
    storeGone: proves(storeGone, notByContainers),
    layerGone: supports(layerGone, notByContainers),
    mount: supports('host.filesystem', ({ path }) => STORES.test(path)),
    full: excludes(full, notByContainers),
  },
  says: {
    storeGone: 'the store itself is missing: {path}',
    layerGone: 'layers and snapshots the runtime knows are not there',
    mount: 'a file system of its own is mounted at {mount}',
    full: 'the disk is full; the store is where it was',
  },
  slots: (place, { storeGone: gone, layerGone: layer, mount }) => ({
    node: place.name,
    path: gone?.fields['path'] ?? gone?.fields['layers'] ?? layer?.fields['path'] ?? 'part of the store',
    mount: mount?.path ?? 'the data folder',
  }),

  fixes: [
    {
      say: 'Compare when the disk was mounted with when the daemon started, and what is below the mount',
      risk: 'reads-only',
      steps: [
        {
          say: 'mounts at the data folder, and what the daemon believes',
          run: 'findmnt -T /var/lib/containerd; findmnt -T /var/lib/docker; containerd config dump | grep ^root; docker info 2>/dev/null | grep "Docker Root Dir"',
          on: 'node',
        },
        {
          say: 'order of mount and start',
          run: "systemctl show containerd docker -p ActiveEnterTimestamp; journalctl -b --no-pager | grep -E 'Mounted|Starting containerd' | head",
          on: 'node',
        },
      ],
    },
    {
      say: 'Mount the right disk, then restart the runtime so that it opens the store anew',
      risk: 'touches-node',
      steps: [
        { say: 'mount what fstab names', run: 'mount -a && findmnt -T /var/lib/containerd', on: 'node' },
        { say: 'restart runtime and kubelet', run: 'systemctl restart containerd && systemctl restart kubelet', on: 'node' },
        {
          say: 'for good: the daemon must wait for its mount (RequiresMountsFor)',
          run: "mkdir -p /etc/systemd/system/containerd.service.d && printf '[Unit]\\nRequiresMountsFor=/var/lib/containerd\\n' > /etc/systemd/system/containerd.service.d/mount.conf && systemctl daemon-reload",
          on: 'node',
        },
      ],
      verified: 'crictl images lists the images again and pods start on {node}',
    },
    {
      say: 'If the data is lost: drain, start with an empty store, let the images be pulled again',
      risk: 'may-lose-data',
      steps: [
        { say: 'move the pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'set the rest aside',
          run: 'systemctl stop kubelet containerd && mv /var/lib/containerd /var/lib/containerd.before; systemctl start containerd kubelet',
          on: 'node',
        },
        { say: 'open it again', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'containerd plugins/snapshots/overlay/overlay.go',
    'moby distribution/pull_v2.go',
    'containerd issue 7834',
    'systemd.unit(5) RequiresMountsFor',
  ],
});
