import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['host-tools', 'prose', 'system-log', 'container-log'] as const;
const refused = line(
  [
    'Connection failed. ',
    'Refusing join',
    'Joining cluster failed. ',
    'Failed to join cluster.',
    'Peer node verification failed',
    'Please ensure the master node is reachable.',
    'This MicroK8s deployment is acting as a node in a cluster',
    'is already known to dqlite',
    'requires x509 authentication. update MicroK8s',
    'This is not an HA MicroK8s cluster',
    'This is an HA MicroK8s cluster',
    'as the node we contact',
    'cluster agent port has to be set to',
  ],
  SAID_BY,
  /(?:Connection failed\.|Failed to join cluster\.|Joining cluster failed\.)[^\n]{0,80}?(?<token>[Ii]nvalid token)|hostname \(?[\\"]{0,4}(?<host>[\w.-]{1,253})[\\"]{0,4}\)? of the joining node does not resolve to the IP [\\"]{0,4}(?<address>[\da-f.:]{3,60})|(?<identity>Could not verify the identity of|Fingerprint too short|Peer node verification failed)|(?<version>requires x509 authentication\. update MicroK8s to version|uses a custom etcd endpoint\. update MicroK8s to version)|(?<worker>This MicroK8s deployment is acting as a node in a cluster)|(?<kind>not possible to join\. This is not an HA|This is an HA MicroK8s cluster)|(?<same>has the same IP \([^)\n]{1,60}\) as the node we contact)|cluster agent port has to be set to (?<port>\d{1,5})|(?<known>the joining node \([^)\n]{1,60}\) is already known to dqlite)|Please ensure the master node is reachable\. (?<away>[^\n]{3,160})/,
);
const said = line(
  ['Connection failed. ', 'Joining cluster failed. ', 'Failed to join cluster.'],
  SAID_BY,
  /(?:Connection failed\.|Failed to join cluster\.|Joining cluster failed\.) (?<other>[^\n]{5,160})/,
);
const joined = line(
  ['The node has joined the cluster', 'Successfully joined the cluster'],
  [],
  /The node has joined the cluster|Successfully joined the cluster/,
);

export const cause = defineCause({
  id: 'microk8s-join-refused',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['node-not-ready', 'kubelet-down', 'other-trouble'],

  text: {
    name: 'microk8s join refused',
    title: 'microk8s join fails: {what}',
    why: 'microk8s join asks the cluster agent of the first node (port 25000) with a token that microk8s add-node made there. Here {what}. {hint}',
  },

  clues: {
    refused: proves(refused),
    other: supports(said),
    joined: excludes(joined),
  },
  says: {
    refused: 'microk8s refuses: {what}',
    other: 'microk8s says: {what}',
    joined: 'the node has joined since',
  },
  slots: (_place, { refused: no, other }) => {
    const { token, host, address, identity, version, worker, kind, same, port, known, away } = no?.fields ?? {};
    const [what, hint] = host
      ? [
          `the first node cannot resolve the name ${host} of the joining machine to its address ${address ?? ''}`,
          'Each node must know the names of the others: DNS, or /etc/hosts on all of them.',
        ]
      : token
        ? [
            'the token is not known to the first node: expired or already used',
            'A token is good for one join, unless it was made with --token-ttl.',
          ]
        : identity
          ? [
              'the certificate of the first node does not fit the fingerprint in the join command',
              'The command was shortened, or the certificate of that node was made anew since.',
            ]
          : version
            ? [
                'the joining machine has too old a version of microk8s for this cluster',
                'Both should be on the same channel (snap info microk8s).',
              ]
            : worker
              ? [
                  'this machine is already a node of another microk8s cluster',
                  'Commands for the cluster run on its first node; microk8s leave makes it free.',
                ]
              : kind
                ? [
                    'one of the two has ha-cluster enabled, the other has not',
                    'microk8s enable ha-cluster on the one that lacks it, or the other way round with disable.',
                  ]
                : same
                  ? [
                      'the joining machine and the first node have the same address',
                      'The command was run on the first node itself, or both are behind one address (NAT, cloned VM).',
                    ]
                  : port
                    ? [
                        `the cluster agent of the joining machine listens on another port than ${port}`,
                        'The --bind of args/cluster-agent must have the same port on all nodes.',
                      ]
                    : away
                      ? [
                          `the first node is not reached (${away.trim()})`,
                          'TCP port 25000 must be open from the joining machine to the first node.',
                        ]
                      : known
                        ? [
                            'the database of the cluster still holds this address as a member',
                            'Remove the old entry on a running node: microk8s remove-node NAME --force.',
                          ]
                        : [
                            other?.fields['other']?.trim() ?? 'see its message',
                            'The log of snap.microk8s.daemon-cluster-agent on the first node tells more.',
                          ];
    return { what: what ?? '', hint: hint ?? '', host: host ?? 'JOINING-NODE', address: address ?? 'ITS-ADDRESS' };
  },

  fixes: [
    {
      say: 'Make a new join command on the first node and use it whole, on the joining machine, at once',
      risk: 'touches-node',
      steps: [
        { say: 'on a node of the cluster', run: 'microk8s add-node', on: 'node' },
        { say: 'versions must be the same on both', run: 'snap list microk8s', on: 'node' },
      ],
      verified: 'microk8s kubectl get nodes shows the new node Ready',
    },
    {
      say: 'Name not resolved: write it into /etc/hosts of every node',
      risk: 'touches-node',
      steps: [{ say: 'on the first node', run: 'echo "{{address}} {{host}}" >> /etc/hosts', on: 'node' }],
    },
    {
      say: 'The machine was in a cluster before: leave it first',
      risk: 'may-lose-data',
      steps: [{ say: 'on the joining machine; its pods are gone', run: 'microk8s leave', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['canonical/microk8s scripts/wrappers/join.py', 'canonical/microk8s-cluster-agent pkg/api/v1/join.go, pkg/api/v2/join.go'],
});
