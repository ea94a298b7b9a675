import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log', 'docker-log'] as const;

const duplicate = line(
  ['duplicate allocation is not allowed'],
  CHANNELS,
  /(?<address>[\da-fA-F.:]{3,45}) has been allocated to [\w.-]{1,100}, duplicate allocation is not allowed/,
);
const route = line(
  ['already exists for an interface other than', 'error adding host side routes'],
  CHANNELS,
  /(?:route \([^)\n]{0,60}?Dst: (?<address>[\da-fA-F.:]{3,45})\/\d{1,3}[^)\n]{0,60}\) already exists for an interface other than|failed to add route \([^)\n]{0,60}?Dst: (?<other>[\da-fA-F.:]{3,45})\/\d{1,3}[^)\n]{0,80}\): file exists|error adding host side routes for interface: (?<interface>[\w.-]{1,20}), error: failed to add route:? file exists)/,
);
const endpoint = line(
  ['putEndpointIdInvalid'],
  CHANNELS,
  /putEndpointIdInvalid[^\n]{0,60}?\bIP (?:ipv[46]:)?(?<address>[\da-fA-F.:]{3,45}) is already in use/,
);
const device = line(
  ['container veth name provided', 'veth name provided'],
  CHANNELS,
  /container veth name provided \((?<name>[\w.-]{1,20})\) already exists/,
);
const full = line('no IP addresses available in', [], /no IP addresses available in/);

export const cause = defineCause({
  id: 'pod-address-still-held',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'init-stuck', 'pending', 'other-trouble'],

  text: {
    name: 'Address held by an old pod',
    title: 'The network of new pods on {node} collides with what an old pod left behind: {what}',
    why: 'When a pod goes, its CNI plugin takes away its interface, its route and the reservation of its address. On {node} that did not happen (a crash of the runtime, a forced deletion, a reboot in between, a network add-on that was replaced), so the plugin meets them again and refuses: {what}.',
  },

  clues: {
    duplicate: proves(duplicate),
    route: proves(route),
    endpoint: proves(endpoint),
    device: proves(device),
    full: excludes(full),
  },
  says: {
    duplicate: 'the address {address} is still reserved for another sandbox',
    route: 'a route to {address} still leads to the interface of another pod',
    endpoint: 'cilium knows another endpoint with the address {address}',
    device: 'the sandbox has its interface already',
    full: 'there is no address left at all',
  },
  slots: (place, { duplicate: reserved, route: stale, endpoint: known, device: veth }) => {
    const address = reserved?.fields['address'] ?? stale?.fields['address'] ?? stale?.fields['other'] ?? known?.fields['address'];
    return {
      node: place.name,
      address: address ?? 'of the pod',
      ip: address ?? 'ADDRESS',
      what: stale
        ? `a route to ${address ?? 'its address'} still leads to an old interface, or to another pod that has the address too`
        : veth && !address
          ? `the interface ${veth.fields['name']} is there already`
          : `the address ${address ?? ''} is still taken`,
    };
  },

  fixes: [
    {
      say: 'See who holds the address',
      risk: 'reads-only',
      steps: [
        { say: 'pods that have it', run: 'kubectl get pods -A -o wide | grep -w {{ip}}', on: 'cluster' },
        {
          say: 'routes, reservations and sandboxes on the node',
          run: 'ip route | grep -w {{ip}}; ls /var/lib/cni/networks/*/{{ip}} 2>/dev/null; crictl pods --state NotReady',
          on: 'node',
        },
      ],
    },
    {
      say: 'Where no living pod has it: remove what was left behind',
      risk: 'touches-node',
      steps: [
        {
          say: 'dead sandboxes first, the plugin then cleans up by itself',
          run: 'crictl rmp $(crictl pods --state NotReady -q)',
          on: 'node',
        },
        { say: 'the stale route, with its interface', run: 'ip route del {{ip}}', on: 'node' },
        { say: 'host-local: the reservation file', run: 'rm -f /var/lib/cni/networks/*/{{ip}}', on: 'node' },
        {
          say: 'cilium: restart the agent of the node, it drops endpoints of dead pods',
          run: 'kubectl -n kube-system delete pod -l k8s-app=cilium --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
      verified: 'the waiting pod gets its network and starts',
    },
    {
      say: 'Or drain and reboot {node}, which clears all of it',
      risk: 'moves-pods',
      steps: [
        { say: 'move its pods away', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        { say: 'reboot', run: 'systemctl reboot', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containernetworking/plugins plugins/ipam/host-local/backend/allocator',
    'projectcalico/calico cni-plugin/pkg/dataplane/linux',
    'cilium daemon/cmd/endpoint.go',
    'containernetworking/plugins pkg/ip/link_linux.go',
  ],
});
