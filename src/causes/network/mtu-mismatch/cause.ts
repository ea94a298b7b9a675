import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const tooLarge = line(
  ['Frag needed and DF set', 'fragmentation needed and DF set', 'unreachable - need to frag', 'Packet needs to be fragmented but DF set'],
  ['host-tools', 'host-state', 'container-log', 'kernel-log'],
  /(?:(?:Frag|fragmentation) needed and DF set|unreachable - need to frag|Packet needs to be fragmented but DF set)(?: ?\(mtu ?=? ?(?<mtu>\d{2,5}))?/i,
);
const sendFails = line(
  ['Message too long', 'message too long', 'EMSGSIZE'],
  'container-log',
  /(?:(?:sendto|sendmsg|send|write|local error)[^\n]{0,60}(?:[Mm]essage too long|EMSGSIZE)(?:, mtu ?= ?(?<mtu>\d{2,5}))?)|[Mm]essage too long, mtu ?= ?(?<limit>\d{2,5})/,
);
const plugin = line(
  ['numerical result out of range', 'invalid MTU', 'MTU is too', 'mtu greater than device maximum'],
  ['pod-events', 'kubelet-log', 'containerd-log', 'container-log', 'kernel-log'],
  /(?<error>invalid MTU \S{1,20}[^\n]{0,80}|[^\n]{0,40}MTU is too \w{3,6}[^\n]{0,60}|mtu greater than device maximum|set[^\n]{0,20} MTU[^\n]{0,80}(?:numerical result out of range|invalid argument))/i,
);
/** The small packets of the TCP handshake pass, the large ones of the TLS handshake do not. */
const handshake = line(
  ['TLS handshake timeout'],
  ['container-log', 'pod-events'],
  /https:\/\/(?<server>(?:10|172|192|100)\.\d{1,3}\.\d{1,3}\.\d{1,3}:(?:443|6443))\/[^\n]{0,300}?net\/http: TLS handshake timeout/,
);
const lossAll = line(['100% packet loss'], ['host-tools', 'host-state'], /100% packet loss/);

export const cause = defineCause({
  id: 'mtu-mismatch',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'image-pull', 'init-stuck', 'init-crash', 'creating', 'other-trouble'],

  text: {
    name: 'MTU of the pod network is too large',
    title: 'Packets of pods are too large for the way between nodes: the MTU does not fit{mtu}',
    why: 'A tunnel adds bytes to every packet (VXLAN 50, IP-in-IP 20, WireGuard 60). When the MTU of pods plus that is more than the network between the nodes carries{mtu}, large packets vanish while small ones pass: connections open, then hang in the TLS handshake, in downloads or in large answers.',
  },

  clues: {
    tooLarge: supports(tooLarge),
    sendFails: supports(sendFails),
    plugin: proves(plugin),
    handshake: supports(handshake),
    small: supports('host.interface', ({ name, mtu }) => /^(?:eth|en|bond|wg|tailscale)/.test(name) && mtu !== undefined && mtu < 1500),
    lossAll: excludes(lossAll),
  },
  says: {
    tooLarge: 'a router says that packets must be fragmented{mtu}',
    sendFails: 'a program cannot send: message too long',
    plugin: 'the MTU cannot be set: {error}',
    handshake: 'the TLS handshake with {server} times out after the connection was made',
    small: 'interface {name} of the host carries only {size} bytes',
    lossAll: 'no packet passes at all, large or small',
  },
  slots: (place, { tooLarge: said, sendFails: own, plugin: refused, handshake: hangs, small }) => {
    const limit =
      said?.fields['mtu'] ?? own?.fields['mtu'] ?? own?.fields['limit'] ?? (small?.mtu === undefined ? undefined : String(small.mtu));
    return {
      node: place.name,
      mtu: limit === undefined ? '' : ` (only ${limit} bytes pass)`,
      error: refused?.fields['error']?.trim() ?? 'too large',
      server: hangs?.fields['server'] ?? 'the API server',
      name: small?.name ?? 'eth0',
      size: small?.mtu ?? 'fewer than 1500',
      wanted: limit === undefined ? '1400' : String(Math.max(1280, Number(limit) - 60)),
    };
  },

  fixes: [
    {
      say: 'Find the largest packet that passes between nodes, and compare the MTUs',
      risk: 'reads-only',
      steps: [
        {
          say: 'between two nodes, without fragmentation; 28 bytes of headers come on top',
          run: 'for s in 1472 1422 1400 1372 1300; do ping -c1 -W1 -M do -s $s OTHER-NODE > /dev/null && echo "$s passes" && break; done',
          on: 'node',
        },
        { say: 'MTU of card, tunnel and pods', run: "ip -o link | awk '{print $2, $4, $5}'", on: 'node' },
      ],
    },
    {
      say: 'Set the MTU of the network add-on to that of the nodes minus its overhead ({wanted} is safe here)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'calico',
          run: 'kubectl -n kube-system patch configmap calico-config --type merge -p \'{"data":{"veth_mtu":"{{wanted}}"}}\' && kubectl -n kube-system rollout restart daemonset calico-node',
          on: 'cluster',
        },
        {
          say: 'calico by its operator',
          run: 'kubectl patch installation default --type merge -p \'{"spec":{"calicoNetwork":{"mtu":{{wanted}}}}}\'',
          on: 'cluster',
        },
        { say: 'cilium', run: 'helm upgrade cilium cilium/cilium -n kube-system --reuse-values --set MTU={{wanted}}', on: 'cluster' },
        {
          say: 'flannel: "MTU" in the Backend of net-conf.json; it takes the MTU of its interface otherwise',
          run: 'kubectl -n kube-flannel edit configmap kube-flannel-cfg',
          on: 'cluster',
        },
        {
          say: 'pods get the new value when they are made anew',
          run: 'kubectl -n NAMESPACE rollout restart deployment NAME',
          on: 'cluster',
        },
      ],
      verified: 'large downloads between pods of two nodes work',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['docs.tigera.io: configure MTU', 'flannel-io/flannel Documentation/backends.md', 'icmp(7): fragmentation needed'],
});
