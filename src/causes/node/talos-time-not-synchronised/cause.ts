import { defineCause, excludes, line, minutes, needs, proves } from '../../define-cause.ts';

const waits = line(
  ['(Waiting): Waiting for'],
  ['system-log', 'kernel-log', 'container-log'],
  /service\[(?<service>[\w-]{2,30})\]\(Waiting\): Waiting for [^\n]{0,120}?time sync/,
);
const fails = line(
  ['time query error with server'],
  ['system-log', 'kernel-log', 'container-log'],
  /time query error with server [\\"]{0,4}(?<server>[\w.:-]{3,100})[\\"]{0,4}(?:[^\n]{0,160}?[\\"]{1,4}error[\\"]{1,4}: ?[\\"]{1,4}(?<error>[^"\\\n]{3,160}))?/,
);
const synced = line(['setting time to', 'adjusting time'], [], /\[talos\] (?:setting time to|adjusting time)/);

export const cause = defineCause({
  id: 'talos-time-not-synchronised',
  area: 'node',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Talos waits for the time',
    title: 'Talos on {node} does not start {service}: it waits for the time, and the time server {server} does not answer ({error})',
    why: 'Talos starts kubelet, etcd and the rest only after its clock is synchronised over NTP. The server {server} cannot be asked ({error}): no DNS, no route to it, or UDP port 123 is blocked. Boards without a battery clock start in 1970 and depend on it.',
  },

  clues: { waits: needs(waits), fails: proves(fails), synced: excludes(synced) },
  says: {
    waits: '{service} waits for the time',
    fails: 'the time server {server} does not answer: {error}',
    synced: 'the time has been set since',
  },
  slots: (place, { waits: service, fails: server }) => ({
    node: place.name,
    service: service?.fields['service'] ?? 'kubelet',
    server: server?.fields['server'] ?? 'pool.ntp.org',
    error: server?.fields['error'] ?? 'see its log',
  }),

  fixes: [
    {
      say: 'Name a time server that the node can reach',
      risk: 'touches-node',
      steps: [
        {
          say: 'in the machine configuration: machine.time.servers',
          run: 'talosctl -n NODE_IP patch machineconfig -p \'{"machine":{"time":{"servers":["NTP_SERVER"]}}}\'',
          on: 'cluster',
        },
        { say: 'is it reached?', run: 'talosctl -n NODE_IP time; talosctl -n NODE_IP get timestatus', on: 'cluster' },
      ],
      verified: 'talosctl get timestatus says synced: true',
    },
    {
      say: 'Mend DNS and the route of the node (machine.network), and let UDP port 123 out',
      risk: 'touches-node',
      steps: [{ say: 'resolvers, routes', run: 'talosctl -n NODE_IP get resolvers; talosctl -n NODE_IP get routes', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['siderolabs/talos internal/pkg/ntp, time.SyncController', 'talos.dev: time synchronization'],
});
