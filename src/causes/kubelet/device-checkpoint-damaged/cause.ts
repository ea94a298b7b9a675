import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const damaged = line(
  ['Device allocation info may NOT be up-to-date', 'kubelet_internal_checkpoint', 'device manager checkpoint', 'device plugin manager'],
  'kubelet-log',
  /Continue after failing to read checkpoint file\. Device allocation info may NOT be up-to-date[^\n]{0,40}?(?:err=[\\"]{0,4}|Err: ?|: )(?<error>[^\n"\\]{3,160})|(?:failed to read|could not read|unmarshal)[^\n]{0,80}?(?:device (?:plugin )?manager|kubelet_internal_)checkpoint[^\n]{0,40}?: (?<read>[^\n"\\]{3,160})|device plugin manager:? [^\n]{0,80}?(?<corrupt>checkpoint is corrupted|unexpected end of JSON input|invalid character[^\n"\\]{0,60})/,
);
const fresh = line('checkpoint is not found', [], /checkpoint (?:is )?not found/);

export const cause = defineCause({
  id: 'device-checkpoint-damaged',
  area: 'kubelet',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'failed', 'pending', 'creating', 'other-trouble'],
  effectOf: ['disk-full-root', 'node-rebooted', 'disk-io-error'],

  text: {
    name: 'Device checkpoint damaged',
    title: 'The kubelet on {node} cannot read its record of given-out devices: {error}',
    why: 'The kubelet notes in /var/lib/kubelet/device-plugins/kubelet_internal_checkpoint which device (GPU, FPGA, network function) it gave to which pod. After a power loss, a full disk or a change of version that file cannot be read ({error}). The kubelet then does not know what is in use: pods with devices are rejected after its restart, or two get the same device.',
  },

  clues: {
    damaged: proves(damaged),
    rebooted: supports('node.event', ({ reason }) => reason === 'Rebooted'),
    fresh: excludes(fresh),
  },
  says: {
    damaged: 'the kubelet cannot read the checkpoint of its device manager: {error}',
    rebooted: 'the node was rebooted shortly before',
    fresh: 'there is no checkpoint yet, as on a new node',
  },
  slots: (place, { damaged: said }) => ({
    node: place.name,
    error: (said?.fields['error'] ?? said?.fields['read'] ?? said?.fields['corrupt'] ?? 'it is damaged').trim(),
  }),

  fixes: [
    {
      say: 'Move the pods away, delete the checkpoint and restart the kubelet; device plugins register again by themselves',
      risk: 'touches-node',
      steps: [
        {
          say: 'pods that hold devices must not go on unseen',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'set the file aside, start again',
          run: 'systemctl stop kubelet; mv /var/lib/kubelet/device-plugins/kubelet_internal_checkpoint /root/; systemctl start kubelet',
          on: 'node',
        },
        { say: 'let the node in again once it shows its devices', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [
        { do: 'remove-file', path: '/var/lib/kubelet/device-plugins/kubelet_internal_checkpoint' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'kubectl describe node shows the devices under Allocatable again',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/cm/devicemanager/manager.go (readCheckpoint), checkpoint/checkpoint.go'],
});
