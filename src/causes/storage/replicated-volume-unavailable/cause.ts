import { defineCause, excludes, line, minutes, NAMED_VOLUME, namesOf, proves, supports, withContext } from '../../define-cause.ts';

const SAID_BY = ['pod-events', 'kernel-log', 'kubelet-log', 'container-log'] as const;
const DRBD_VOLUME = /drbd (?<resource>[\w.-]{2,253})[ :/]/;
/** DRBD opens a volume on one node at a time, and only where its data is current. */
const refused = line(
  [
    'Auto-promote failed',
    'State change was refused by peer',
    'not in Primary role',
    'Need access to UpToDate data',
    'failed to set source device readwrite',
    'Multiple primaries not allowed',
  ],
  SAID_BY,
  withContext(
    /(?<error>Auto-promote failed: [^\n"]{3,120}|State change was refused by peer[^\n"]{0,60}|Rejected WRITE request, not in Primary role|Need access to UpToDate data|failed to set source device readwrite|Multiple primaries not allowed)/,
    { may: [NAMED_VOLUME, DRBD_VOLUME] },
  ),
);
const splitBrain = line(
  'Split-Brain detected but unresolved',
  SAID_BY,
  withContext(/Split-Brain detected but unresolved/, { may: [DRBD_VOLUME] }),
);
const offline = line(
  ['No online replicas are available for Volume', 'no online replicas', 'No healthy replicas'],
  SAID_BY,
  withContext(/(?<error>No (?:online|healthy) replicas(?: are)? available)|no online replicas/, { may: [NAMED_VOLUME] }),
);
const quorum = line('quorum( yes -> no )', 'kernel-log', withContext(/quorum\( yes -> no \)/, { may: [DRBD_VOLUME] }));
// No channel: a container that starts has its volumes.
const started = line(['Started container', 'Container started'], []);

export const cause = defineCause({
  id: 'replicated-volume-unavailable',
  area: 'storage',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'crash-loop', 'not-ready', 'other-trouble'],

  text: {
    name: 'Replicas cannot be used',
    title: 'Volume {volume} cannot be used on this node: {what}',
    why: "LINSTOR (DRBD) and Mayastor keep copies of a volume on several nodes and let one node at a time use it, as long as enough current copies are within reach. {detail} Until then the volume is not attached or mounted, and the pod waits; what looks like a damaged file system (can't read superblock) is only a device that may not be read here.",
  },

  clues: {
    refused: proves(refused),
    splitBrain: proves(splitBrain),
    offline: proves(offline),
    quorum: supports(quorum),
    started: excludes(started),
  },
  says: {
    refused: 'DRBD does not open it for this node: {error}',
    splitBrain: 'two nodes have written to it apart from each other (split brain)',
    offline: 'no replica of it is online',
    quorum: 'it has lost its quorum: most of its replicas are out of reach',
    started: 'its container was started since: the volume came',
  },
  slots: (place, { refused: no, splitBrain: split, offline: gone, quorum: lost }) => {
    const error = (no?.fields['error'] ?? 'refused').trim();
    return {
      ...namesOf(place),
      error,
      volume: [no, gone, split, lost].map((fact) => fact?.fields['volume'] ?? fact?.fields['resource']).find(Boolean) ?? 'of the claim',
      what: split
        ? 'its replicas have diverged (split brain)'
        : gone
          ? 'none of its replicas is online'
          : no && /UpToDate/.test(error)
            ? 'no current replica is within reach'
            : no
              ? `another node (a DRBD peer) holds it or refuses (${error})`
              : 'its replicas have lost their quorum',
      detail: split
        ? 'Here two of them were written to while they did not see each other, and neither gives way by itself: one side has to be given up.'
        : gone
          ? 'Here the nodes or pools with its replicas are down, not yet back after a restart, or their engine pods do not run.'
          : no && /UpToDate/.test(error)
            ? 'Here the current copies are on nodes that are down or not connected; what this node has is old.'
            : no
              ? 'Here a peer declines: it is still Primary there (a pod, a mount or a process left behind has it open), or the connection between the nodes is broken.'
              : 'Here most of them are out of reach, so that nobody may write.',
    };
  },

  fixes: [
    {
      say: 'See where the volume is Primary or open, and which replicas are connected and current',
      risk: 'reads-only',
      steps: [
        { say: 'LINSTOR: all replicas, and those in trouble', run: 'kubectl linstor resource list --faulty; kubectl linstor volume list' },
        { say: 'DRBD on each node that has a replica', run: 'drbdadm status {{volume}}; dmesg -T | grep drbd | tail -30', on: 'node' },
        {
          say: 'Mayastor: volumes, nodes and pools',
          run: 'kubectl mayastor get volumes; kubectl mayastor get nodes; kubectl mayastor get pools',
        },
      ],
    },
    {
      say: 'Bring the nodes with the replicas back, and free the volume where it is still open: end the old pod there, unmount what it left behind, then make it Secondary',
      risk: 'moves-pods',
      steps: [
        {
          say: 'nodes, and the pods of the storage on them',
          run: 'kubectl get nodes; kubectl get pods -A -o wide | grep -iE "linstor|piraeus|drbd|mayastor|io-engine"',
          on: 'cluster',
        },
        { say: 'on the node that holds it, when nothing mounts it any more', run: 'drbdadm secondary {{volume}}', on: 'node' },
      ],
      verified: 'the replicas are UpToDate or Online, and the pod starts',
    },
    {
      say: 'Split brain: choose the side whose writes may be lost, and let it take the data of the other',
      risk: 'may-lose-data',
      steps: [
        {
          say: 'on the side to give up, after a copy of its data',
          run: 'drbdadm disconnect {{volume}} && drbdadm secondary {{volume}} && drbdadm connect --discard-my-data {{volume}}',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'LINBIT/drbd drbd/drbd_state.c, drbd_receiver.c',
    'piraeusdatastore/linstor-csi',
    'openebs/mayastor control-plane (NoOnlineReplicas)',
  ],
});
