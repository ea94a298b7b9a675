import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['host-tools', 'prose', 'system-log', 'container-log'] as const;
const refused = line(
  [
    'Invalid token (500)',
    'Error code 500. Invalid token',
    'of the joining node does not resolve to',
    'Refusing join',
    'Could not verify the identity of the primary node',
    'The joining node has a different version',
    'joining node is running a different version',
    'Connection failed. ',
    'Joining cluster failed. ',
    'Failed to join cluster.',
    'This MicroK8s deployment is acting as a node in a cluster',
    'Clustering requires a host IP other than 127.0.0.1',
    'is already known to dqlite',
  ],
  SAID_BY,
  /(?:Connection failed\.|Failed to join cluster\.|Joining cluster failed\.)[^\n]{0,80}?(?<token>Invalid token)|hostname \(?[\\"]{0,4}(?<host>[\w.-]{1,253})[\\"]{0,4}\)? of the joining node does not resolve to the IP [\\"]{0,4}(?<address>[\da-f.:]{3,60})|(?<identity>Could not verify the identity of the primary node|Joining cluster failed\. Could not verify)|(?<version>joining node (?:has|is running) a different version[^\n]{0,80})|(?<worker>This MicroK8s deployment is acting as a node in a cluster)|(?<loopback>Clustering requires a host IP other than 127\.0\.0\.1)|(?<known>[\w.:-]{3,80} is already known to dqlite)/,
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
    why: 'microk8s join asks the cluster agent of the first node (port 25000) with a token that microk8s add-node made there. {what}. {hint}',
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
    const { token, host, address, identity, version, worker, loopback, known } = no?.fields ?? {};
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
            ? ['the two nodes run different versions of microk8s', 'Both must be on the same channel (snap info microk8s).']
            : worker
              ? [
                  'this machine is already a node of another microk8s cluster',
                  'Commands for the cluster run on its first node; microk8s leave makes it free.',
                ]
              : loopback
                ? ['the machine has no address but 127.0.0.1', 'A machine that joins needs an address that the others reach.']
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
