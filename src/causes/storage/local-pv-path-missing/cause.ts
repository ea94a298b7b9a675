import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const missing = line(
  ['initialization failed for volume', 'kubernetes.io~local-volume', 'kubernetes.io/local-volume'],
  ['pod-events', 'kubelet-log'],
  /initialization failed for volume \\*"(?<volume>[^"\\]{1,253})\\*"[^\n]{0,400}?: path \\*"(?<path>\/[^"\\]{0,300})\\*" does not exist|local-volume[\s\S]{0,400}?(?:special device (?<device>\/[^\s\\"]{1,200}) does not exist|l?stat (?<lost>\/[^\s\\":]{1,200}): no such file)/,
);
const hostPath = line('hostPath type check failed', []);

export const cause = defineCause({
  id: 'local-pv-path-missing',
  area: 'storage',
  at: 'Workload',
  maturity: 'stable',
  explains: ['creating', 'init-stuck'],
  effectOf: ['node-rebooted'],

  text: {
    name: 'Path of local volume missing',
    title: 'The local volume {volume} of {workload} points to {path}, which does not exist on its node',
    why: 'A local PersistentVolume is a directory or disk of one node, and its pods can run only there. The kubelet of that node looks for {path} and does not find it: the disk was not mounted after a reboot (no entry in fstab), the directory was never made or was removed, or the node was rebuilt under its old name.',
  },

  clues: {
    missing: proves(missing),
    rebooted: supports('node.event', ({ reason }) => reason === 'Rebooted'),
    local: supports('pod.volume', ({ type }) => /persistentvolumeclaim|local/i.test(type)),
    hostPath: excludes(hostPath),
  },
  says: {
    missing: 'the kubelet does not find {path} on the node',
    rebooted: 'the node was rebooted: is the disk mounted again?',
    local: 'the pod mounts a claim',
    hostPath: 'a hostPath volume of the pod itself, not a local PersistentVolume',
  },
  slots: (place, { missing: said }) => ({
    workload: place.kind === 'Workload' || place.kind === 'Pod' ? place.name : 'the pod',
    namespace: namesOf(place).namespace,
    volume: said?.fields['volume'] ?? 'of the claim',
    pv: said?.fields['volume'] ?? 'VOLUME',
    path: said?.fields['path'] ?? said?.fields['device'] ?? said?.fields['lost'] ?? 'its path',
  }),

  fixes: [
    {
      say: 'See what is at {path} on the node, and which disk should be there',
      risk: 'reads-only',
      steps: [
        { say: 'node and path of the volume', run: 'kubectl get pv {{pv}} -o yaml | grep -A12 -E "local:|nodeAffinity:"', on: 'cluster' },
        {
          say: 'mounts and disks of that node',
          run: 'ls -ld {{path}}; findmnt -T {{path}}; lsblk -f; grep -v "^#" /etc/fstab',
          on: 'node',
        },
      ],
    },
    {
      say: 'Mount the disk that holds the data at {path}, now and at boot',
      risk: 'touches-node',
      steps: [
        { say: 'by UUID, with an entry in /etc/fstab', run: 'mkdir -p {{path}} && mount UUID=… {{path}}', on: 'node' },
        {
          say: 'an empty directory in place of a lost disk lets the pod start without its data: do that only for a volume that never had any',
          on: 'node',
        },
      ],
      verified: 'the kubelet tries again within two minutes and the pod starts with its data',
    },
    {
      say: 'The node or disk is gone for good: restore the data to a new volume on another node',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'claim and volume must go before the StatefulSet can get new ones',
          run: 'kubectl -n {{namespace}} get pvc -o wide',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/volume/local/local.go', 'kubernetes pkg/volume/util/operationexecutor/operation_generator.go'],
});
