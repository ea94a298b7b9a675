import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const exists = line(
  ['already exists in the cluster', 'change the name of this new joining Node', 'duplicate node name found'],
  ['kubeadm-output', 'system-log', 'container-log'],
  /a Node with name [\\"“]{1,4}(?<name>[a-z0-9.-]{1,253})[\\"”]{1,4} and status [\\"“]{1,4}\w{1,20}[\\"”]{1,4} already exists in the cluster|duplicate (?<twice>node name found, please use a unique name)/i,
);
const password = line(
  [
    'Node password rejected',
    'Node password validation failed',
    'unable to verify hash for node',
    'hash does not match',
    'unable to verify password for node',
  ],
  ['system-log', 'kubelet-log', 'control-plane-log'],
  /(?<error>Node password rejected, (?:duplicate hostname|contents of)|Node password validation failed for ['[](?<failed>[a-z0-9.-]{1,253})['\]]|unable to verify (?:hash|password) for node '?(?<node>[a-z0-9.-]{1,253})'?)/,
);
const calico = line(
  ['is already using the IPv4 address', 'is already using the IPv6 address'],
  'container-log',
  /Calico node '(?<other>[\w.-]{1,253})' is already using the IPv[46] address (?<address>[\da-fA-F][\da-fA-F.:]{2,59}[\da-fA-F])/,
);
const mac = line(
  ['IPv6 duplicate address', 'Duplicate IP address', 'duplicate MAC', 'same MAC address', 'conflicting peer', 'peer name collision'],
  ['kernel-log', 'container-log', 'system-log'],
  /IPv6 duplicate address (?<address>[\da-f:]{3,60})[^\n]{0,60}? detected|duplicate MAC|same MAC address|peer name collision|Conflicting peer/i,
);
const moved = line(
  ['Node IP address', 'IP address has changed', 'InternalIP changed', 'node IP changed'],
  ['kubelet-log', 'control-plane-log', 'container-log'],
  /(?:node IP|InternalIP|IP address)[^\n]{0,40} (?:changed|has changed) from [\\"]{0,4}(?<from>[\d.]{7,15})[\\"]{0,4} to [\\"]{0,4}(?<to>[\d.]{7,15})/i,
);
const wrongKubelet = line(
  ['unable to upgrade connection: pod does not exist', 'could not find the requested resource ( pods/'],
  ['control-plane-log', 'container-log'],
  /unable to upgrade connection: (?:pod does not exist|container not found)|could not find the requested resource \( pods\/log /,
);
const sameId = line(
  [
    'same machine-id',
    'duplicate machine-id',
    'duplicate machine id',
    'identical product_uuid',
    'same product_uuid',
    'duplicate system UUID',
    'duplicated product_uuid',
  ],
  ['host-tools', 'container-log'],
  /(?:same|duplicated?|identical) (?:machine[- ]id|product_uuid|system UUID)/i,
);
const reinstalled = line(
  ['.node-password.', 'node-password.k3s'],
  [],
  /secret(?:s)? [\\"']{0,4}[\w.-]{1,253}\.node-password\.\w{1,10}[\\"']{0,4} deleted/,
);

export const cause = defineCause({
  id: 'hostname-or-machine-id-duplicate',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'kubelet-down', 'restarts', 'not-ready', 'crash-loop', 'failed', 'creating', 'other-trouble'],
  wakesOn: [on('node.event', { reason: 'Rebooted' })],

  text: {
    name: 'Two machines, one identity',
    title: 'Two machines claim the identity of {who}: {what}',
    why: 'A node is known by its name, its machine-id or product_uuid, and its addresses. When a machine was cloned or installed anew under a name the cluster already knows, two of them claim one Node object, or its old credentials do not fit. Here {what}. The Node flaps between them, or the second one is turned away.',
  },

  clues: {
    exists: proves(exists),
    password: proves(password),
    calico: supports(calico),
    mac: supports(mac),
    moved: supports(moved),
    wrongKubelet: supports(wrongKubelet),
    sameId: supports(sameId),
    flapping: supports('node.event', ({ reason, count }) => reason === 'Rebooted' && count >= 5),
    reinstalled: excludes(reinstalled),
  },
  says: {
    exists: 'kubeadm: a Node named {name} already exists in the cluster',
    password: 'the server rejects the node password: duplicate or reused host name',
    calico: 'Calico node {other} already uses the address {address}',
    mac: 'an address or MAC exists twice on the network',
    moved: 'the address of the node changes from {from} to {to}',
    wrongKubelet: 'a kubelet is asked that does not know the pod: two nodes with one address',
    sameId: 'machine-id or product_uuid is the same on several machines',
    flapping: 'the node reports a new boot id again and again',
    reinstalled: 'the old node password was deleted already',
  },
  slots: (place, { exists: node, password: wrong, calico: twin, moved: change, wrongKubelet: stranger }) => {
    const known = node?.fields['name'] ?? wrong?.fields['failed'] ?? wrong?.fields['node'];
    const own = place.kind !== 'Node' || place.name.includes(' ') ? undefined : place.name;
    const other = twin?.fields['other'] ?? 'another node';
    const address = twin?.fields['address'] ?? 'of this node';
    return {
      who: (known ?? own) ? `node ${known ?? own}` : 'one node',
      name: known ?? 'this',
      other,
      address,
      from: change?.fields['from'] ?? 'one',
      to: change?.fields['to'] ?? 'another',
      what: node?.fields['twice']
        ? 'another server of the cluster has the same name'
        : node
          ? `a Node named ${known ?? 'the same'} already exists in the cluster and is Ready`
          : wrong
            ? 'the server rejects its node password: duplicate hostname, or the machine was reinstalled under an old name'
            : twin
              ? `Calico node ${other} already uses the address ${address}`
              : stranger
                ? 'the API server reaches a kubelet that does not know the pod, as when nodes register the same InternalIP (10.0.2.15 of Vagrant and VirtualBox)'
                : 'addresses, boot ids or machine ids of one node contradict each other',
    };
  },

  fixes: [
    {
      say: 'Compare name, machine-id, product_uuid and MAC of the machines',
      risk: 'reads-only',
      steps: [
        {
          say: 'on each machine; all must differ',
          run: 'hostname; cat /etc/machine-id /sys/class/dmi/id/product_uuid; ip -br link',
          on: 'node',
        },
        {
          say: 'as the cluster sees them',
          run: 'kubectl get nodes -o custom-columns=NAME:.metadata.name,IP:.status.addresses[0].address,MACHINE:.status.nodeInfo.machineID,UUID:.status.nodeInfo.systemUUID',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give the new machine a name and identity of its own and join it again',
      risk: 'touches-node',
      steps: [
        { say: 'another host name', run: 'hostnamectl set-hostname NEW-NAME', on: 'node' },
        {
          say: 'a new machine-id on a clone',
          run: 'rm -f /etc/machine-id /var/lib/dbus/machine-id && systemd-machine-id-setup',
          on: 'node',
        },
        { say: 'join again; k3s and RKE2 know --node-name and --with-node-id', run: 'kubeadm reset -f', on: 'node' },
        {
          say: 'same InternalIP on several nodes: give each kubelet its own address, then restart it',
          run: "echo 'KUBELET_EXTRA_ARGS=--node-ip=ADDRESS' > /etc/default/kubelet && systemctl restart kubelet",
          on: 'node',
        },
      ],
      verified: 'kubectl get nodes lists both machines, each with its own address',
    },
    {
      say: 'If it replaces the old machine: remove what the cluster remembers of it',
      risk: 'moves-pods',
      steps: [
        { say: 'the Node object', run: 'kubectl delete node {{name}}', on: 'cluster' },
        {
          say: 'k3s and RKE2: its password',
          run: 'kubectl -n kube-system delete secret {{name}}.node-password.k3s {{name}}.node-password.rke2 --ignore-not-found',
          on: 'cluster',
        },
        { say: 'Calico: its old node resource', run: 'calicoctl delete node {{name}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes cmd/kubeadm/app/cmd/phases/join/kubelet.go',
    'k3s pkg/server/handlers, issues 802, 6054',
    'calico node/pkg/lifecycle/startup',
  ],
});
