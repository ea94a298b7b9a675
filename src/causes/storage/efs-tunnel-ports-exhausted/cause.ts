import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const noPort = line(
  ['Failed to locate an available port in the range'],
  ['pod-events', 'kubelet-log', 'container-log'],
  withContext(/Failed to locate an available port in the range \[(?<from>\d{1,5}), ?(?<to>\d{1,5})\]/, { may: [NAMED_VOLUME] }),
);
// No channel: a container that starts has its volumes.
const started = line(['Started container', 'Container started'], []);

export const cause = defineCause({
  id: 'efs-tunnel-ports-exhausted',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'other-trouble'],

  text: {
    name: 'EFS mount finds no port',
    title: 'Volume {volume} is not mounted: all local ports for the TLS tunnels of EFS ({from} to {to}) are taken on the node',
    why: 'An EFS mount with TLS runs through a tunnel process (stunnel or efs-proxy) of its own on the node, which listens on a local port from {from} to {to}. All of them are taken: there are that many mounts, or mounts of pods that are gone were left behind with their tunnels and state files, which older drivers do not clean up. The file system and its security group are not at fault; other nodes still mount it.',
  },

  clues: {
    noPort: proves(noPort),
    claim: supports('pod.volume', ({ type }) => /^PersistentVolumeClaim/i.test(type)),
    started: excludes(started),
  },
  says: {
    noPort: 'the mount helper finds no free local port from {from} to {to}',
    claim: 'it mounts {claim}',
    started: 'its container was started since: the volume was mounted',
  },
  slots: (place, { noPort: said, claim }) => ({
    ...namesOf(place),
    volume: said?.fields['volume'] ?? 'of the claim',
    claim: claim ? `claim ${claim.source ?? claim.name}` : 'a claim',
    from: said?.fields['from'] ?? '20049',
    to: said?.fields['to'] ?? '20449',
  }),

  fixes: [
    {
      say: 'Count the mounts and tunnels on the node',
      risk: 'reads-only',
      steps: [
        {
          say: 'mounts through a tunnel, and what listens on the ports',
          run: 'grep -c 127.0.0.1:/ /proc/mounts; ss -ltnp | grep -cE "stunnel|efs-proxy"',
          on: 'node',
        },
        {
          say: 'the driver pods and their version',
          run: 'kubectl -n kube-system get pods -o wide -l app=efs-csi-node; kubectl -n kube-system get daemonset efs-csi-node -o yaml | grep image:',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Get rid of tunnels left behind: move the pods off this node and restart the driver there, or replace the node',
      risk: 'moves-pods',
      steps: [
        {
          say: 'the pods with such volumes go to other nodes',
          run: 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'the driver of that node begins anew',
          run: 'kubectl -n kube-system delete pod -l app=efs-csi-node --field-selector spec.nodeName=NODE',
          on: 'cluster',
        },
      ],
      verified: 'new pods on the node mount the volume',
    },
    {
      say: 'So that it does not come back: a current aws-efs-csi-driver, a wider range (port_range_upper_bound in efs-utils.conf), and one volume with subPath instead of many access points',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'the settings of the mount helper',
          run: 'kubectl -n kube-system exec daemonset/efs-csi-node -c efs-plugin -- grep -n port_range /etc/amazon/efs/efs-utils.conf',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['aws/efs-utils src/mount_efs (choose_tls_port)', 'kubernetes-sigs/aws-efs-csi-driver'],
});
