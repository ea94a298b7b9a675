import { defineCause, excludes, line, minutes, supports } from '../../define-cause.ts';

const waits = line(
  ['please run `talosctl bootstrap`', 'etcd is waiting to join the cluster'],
  ['system-log', 'kernel-log', 'control-plane-log', 'container-log'],
  /etcd is waiting to join the cluster, if this node is the first node|please run `talosctl bootstrap`/,
);
const running = line(
  ['service[etcd](Running)', 'etcd is already bootstrapped'],
  'system-log',
  /service\[etcd\]\(Running\): Health check successful|etcd is already bootstrapped/,
);

export const cause = defineCause({
  id: 'talos-etcd-not-bootstrapped',
  area: 'control-plane',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'Talos is not bootstrapped',
    title: 'The Talos cluster is not bootstrapped: etcd on {node} waits for a cluster to join',
    why: 'A control-plane node of Talos starts etcd only after talosctl bootstrap was called once on one node, or after it finds members to join. {node} still waits: bootstrap was never called, or the other members cannot be reached. Until then there is no API server, and the kubelets get "connection refused" on port 6443.',
  },

  // That port 6443 refuses is no clue: any cluster whose API server is down says so.
  clues: { waits: supports(waits), running: excludes(running) },
  says: {
    waits: 'etcd waits to join a cluster, and Talos asks for talosctl bootstrap',
    running: 'etcd runs since',
  },
  slots: (place) => ({ node: place.name }),

  fixes: [
    {
      say: 'On a new cluster: call bootstrap, once and on one control-plane node only',
      risk: 'touches-node',
      steps: [
        {
          say: 'then wait for etcd and the API server',
          run: 'talosctl -n CONTROL_PLANE_IP bootstrap && talosctl -n CONTROL_PLANE_IP service etcd',
          on: 'cluster',
        },
      ],
      verified: 'talosctl health ends well',
    },
    {
      say: 'On a cluster that runs already: see why this node finds no members (endpoint, discovery, ports 2379, 2380 and 50001)',
      risk: 'reads-only',
      steps: [
        {
          say: 'members and discovery',
          run: 'talosctl -n CONTROL_PLANE_IP etcd members; talosctl -n CONTROL_PLANE_IP get members',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['siderolabs/talos internal/app/machined/pkg/system/services/etcd.go', 'talos.dev: getting started, bootstrap'],
});
