import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const bridge = line(
  ['Inconsistent bridge state detected', 'is different than requested', "Please do 'weave reset'"],
  'container-log',
  /(?<error>Inconsistent bridge state detected|Existing bridge type [\\"]{1,4}(?<has>\w{2,30})[\\"]{1,4} is different than requested [\\"]{1,4}(?<wants>\w{2,30}))/,
);
const peers = line(
  [
    'Found existing peer',
    'was reserved by peer',
    'Received update for IP range I own',
    'seeded by different peers',
    'Inconsistent entries in IP range',
    'overlaps with existing route',
  ],
  'container-log',
  /(?<error>Received update for IP range I own at [^\n]{3,160}|IP allocation was seeded by different peers[^\n]{0,160}|Inconsistent entries in IP range[^\n]{0,120}|Network \S{4,40} overlaps with existing route \S{4,40}(?: on host)?)/,
);
const module = line(
  ['bridged_fastdp', 'could not initialise fastdp', 'openvswitch'],
  'container-log',
  /(?:Could not initiali[sz]e|not supported)[^\n]{0,60}(?:fastdp|openvswitch)/i,
);
const up = line(
  ['Discovered remote MAC', 'connection fully established'],
  [],
  /connection (?:added|fully established)|Discovered remote MAC/,
);

export const cause = defineCause({
  id: 'weave-bridge-leftover',
  area: 'network',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Weave meets leftover state',
    title: 'Weave Net cannot start: what an earlier installation left on the host does not fit ({error})',
    why: 'Weave keeps a bridge (weave) on each host and a database of peers and address ranges in /var/lib/weave. Both outlive its pod and a kubeadm reset. When Weave comes back with another mode or range, in a new cluster, or after a start that was broken off, it finds them ({error}) and ends instead of repairing them. The node stays without a pod network.',
  },

  clues: {
    bridge: proves(bridge),
    peers: proves(peers),
    module: supports(module),
    up: excludes(up),
    well: excludes('pod.status', isWell),
  },
  says: {
    bridge: 'Weave finds a bridge that does not fit: {error}',
    peers: 'its stored addresses contradict those of the cluster: {error}',
    module: 'the kernel offers no fast data path (openvswitch), so that the mode may differ from before',
    up: 'Weave has come up since',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { bridge: found, peers: stored }) => ({
    ...namesOf(place),
    error: (found?.fields['error'] ?? stored?.fields['error'] ?? 'leftover state').trim().slice(0, 160),
  }),

  fixes: [
    {
      say: 'See what is left on the host',
      risk: 'reads-only',
      steps: [
        {
          say: 'bridges and devices of Weave',
          run: 'ip -d link show | grep -A2 -E "weave|datapath|vethwe"; ls -l /var/lib/weave',
          on: 'node',
        },
        { say: 'kernel module of the fast data path', run: 'lsmod | grep -E "openvswitch|vxlan"', on: 'node' },
      ],
    },
    {
      say: 'Remove it, then let the pod of Weave start again; pods of this node lose their network until they are made anew',
      risk: 'touches-node',
      steps: [
        {
          say: 'what "weave reset" does',
          run: 'ip link delete weave; ip link delete datapath; ip link delete vxlan-6784; rm -f /var/lib/weave/weave-netdata.db',
          on: 'node',
        },
        { say: 'its pods', run: 'kubectl -n kube-system delete pod -l name=weave-net', on: 'cluster' },
      ],
      verified: 'the pod of Weave on this node becomes 2/2 Running and the node Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['weaveworks/weave net/bridge.go', 'weaveworks/weave ipam/ring/ring.go'],
});
