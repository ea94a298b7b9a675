import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

/** The kernel gives a UDP port to one VXLAN device only, unless both are of the same kind and differ in their number. */
const taken = line(
  [
    'failed to set interface flannel',
    'Failed to configure vxlan tunnel device',
    'failed to create vxlan device',
    'Failed to set up vxlan',
    'vxlan device: address already in use',
    'cilium_vxlan: address already in use',
  ],
  'container-log',
  /(?:failed to set interface (?<flannel>flannel[\w.-]{1,12}) to UP state|[Ff]ailed to (?:configure|create|set up) (?:the )?vxlan[^\n]{0,120}?|(?<cilium>cilium_vxlan))(?:: | error=| err=)[\\"]{0,3}(?:[^\n]{0,60}: )?(?:address already in use|file exists)(?:[^\n]{0,60}ifaceName=[\\"]{0,3}(?<calico>[\w.-]{1,20}))?/,
);
const old = line(
  ['operation not supported', 'RTNETLINK answers: Operation not supported'],
  'container-log',
  /vxlan[^\n]{0,120}operation not supported|RTNETLINK answers: Operation not supported/i,
);

const OWN: Readonly<Record<string, string>> = { flannel: '8472', calico: '4789', cilium: '8472' };

export const cause = defineCause({
  id: 'vxlan-device-conflict',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'creating', 'node-not-ready', 'other-trouble'],

  text: {
    name: 'VXLAN port taken by a device',
    title: 'Another VXLAN device on {node} holds the UDP port of {device}: the pod network cannot be set up',
    why: 'An overlay network sends its packets by a VXLAN device, to which the kernel gives a UDP port (8472 for flannel and cilium, 4789 for calico and Docker Swarm). On {node} another device has that port: one that an earlier network add-on left behind, a second add-on, or an overlay of Docker Swarm. So {device} does not come up and pods of other nodes cannot be reached.',
  },

  clues: {
    taken: proves(taken),
    old: excludes(old),
  },
  says: {
    taken: 'the kernel refuses {device}: the port or the device is there already',
    old: 'the kernel cannot make VXLAN devices at all',
  },
  slots: (place, { taken: said }) => {
    const fields = said?.fields ?? {};
    const device = fields['flannel'] ?? fields['calico'] ?? fields['cilium'] ?? 'vxlan.calico';
    const kind = device.startsWith('flannel') ? 'flannel' : device.startsWith('cilium') ? 'cilium' : 'calico';
    return { node: place.name, device, port: OWN[kind] ?? '8472' };
  },

  fixes: [
    {
      say: 'See which VXLAN devices there are, and with which ports',
      risk: 'reads-only',
      steps: [
        { say: 'id, dstport and state of each', run: 'ip -d link show type vxlan', on: 'node' },
        { say: 'who else listens there', run: 'ss -ulnp | grep -E ":(8472|4789) "', on: 'node' },
      ],
    },
    {
      say: 'Delete the device that an earlier network left behind',
      risk: 'touches-node',
      steps: [
        {
          say: 'only one that no add-on in use owns: flannel.1, vxlan.calico, cilium_vxlan, antrea-gw0',
          run: 'ip link delete OLD-DEVICE',
          on: 'node',
        },
        { say: 'and its configuration, which would bring it back', run: 'ls /etc/cni/net.d', on: 'node' },
        {
          say: 'then start the agent of the network anew',
          run: 'kubectl get pods -A -o wide --field-selector spec.nodeName={{node}} | grep -Ei "flannel|calico|cilium|antrea"',
          on: 'cluster',
        },
      ],
      verified: '{device} is UP and pods of other nodes answer',
    },
    {
      say: 'Where both are needed (Docker Swarm beside Kubernetes): give one of them another port',
      risk: 'restarts-pods',
      steps: [
        { say: 'calico', run: 'kubectl patch felixconfiguration default --type merge -p \'{"spec":{"vxlanPort":8473}}\'', on: 'cluster' },
        { say: 'flannel: "Port" of the backend in net-conf.json; Docker Swarm: docker swarm init --data-path-port' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'flannel-io/flannel pkg/backend/vxlan/device.go',
    'projectcalico/calico felix/dataplane/linux/vxlan_mgr.go',
    'linux drivers/net/vxlan',
  ],
});
