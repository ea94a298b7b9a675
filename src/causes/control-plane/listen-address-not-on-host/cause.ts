import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const cannotBind = line(
  'bind: cannot assign requested address',
  ['control-plane-log', 'kubelet-log', 'system-log', 'container-log', 'docker-log'],
  /listen (?:tcp|udp)[46]? (?<address>[\da-fA-F.:[\]]{3,60}):(?<port>\d{2,5}): bind: cannot assign requested address/,
);
/** Of the kubelet with dockershim: it listens on whatever `localhost` means, on a free port. */
const streaming = line(
  'Streaming server stopped unexpectedly',
  ['kubelet-log', 'system-log'],
  /Streaming server stopped unexpectedly: listen tcp[46]? (?<address>[\da-fA-F.:[\]]{3,60}):(?<port>\d{1,5})\b[^\n]{1,12}cannot assign requested address/,
);
const PORTS: Readonly<Record<string, string>> = {
  2379: 'etcd',
  2380: 'etcd',
  2381: 'etcd',
  6443: 'kube-apiserver',
  10250: 'the kubelet',
  10248: 'the kubelet',
  10257: 'kube-controller-manager',
  10259: 'kube-scheduler',
};
const LOOPBACK = /^(?:127\.|\[?::1)/;
const dials = line('bind: cannot assign requested address', [], /dial (?:tcp|udp)[^\n]{0,200}?bind: cannot assign requested address/);

export const cause = defineCause({
  id: 'listen-address-not-on-host',
  area: 'control-plane',
  at: 'Node',
  maturity: 'stable',
  explains: ['control-plane-down', 'kubelet-down', 'node-not-ready', 'crash-loop', 'other-trouble'],

  text: {
    name: 'Listen address not on host',
    title: '{program} cannot listen on {address}:{port}: the host does not have that IP address (any more)',
    why: '{program} is told to listen on {address}, and the kernel refuses: no interface of the host has it. The address changed (DHCP, a cloned or moved machine, another interface), it is a public or floating address that is only translated to the host, or the interface is not up yet at boot. kubeadm writes the address into the manifests, kubeconfigs and certificates at init and does not follow a change.',
  },

  clues: {
    controlPlane: proves(cannotBind, ({ fields }) => PORTS[fields['port'] ?? ''] !== undefined && !LOOPBACK.test(fields['address'] ?? '')),
    streaming: proves(streaming),
    other: supports(cannotBind, ({ channel, fields }) => channel !== 'container-log' && PORTS[fields['port'] ?? ''] === undefined),
    dials: excludes(dials),
  },
  says: {
    controlPlane: '{program} cannot bind {address}:{port}: no interface has that address',
    streaming: 'the kubelet looked up localhost and got {address}, which no interface has',
    other: 'a daemon cannot bind {address}:{port}: no interface has that address',
    dials: 'the ports for outgoing connections are used up',
  },
  slots: (_place, { controlPlane, streaming: local, other }) => {
    const fields = (controlPlane ?? local ?? other)?.fields ?? {};
    const port = fields['port'] ?? '';
    return {
      program: PORTS[port] ?? (local ? 'the kubelet' : 'a daemon'),
      address: fields['address'] ?? 'its address',
      port: port || 'its port',
    };
  },

  fixes: [
    {
      say: 'Compare the addresses of the host with those in the manifests',
      risk: 'reads-only',
      steps: [
        { say: 'on the host', run: 'ip -br addr; ip route', on: 'node' },
        {
          say: 'where the old address stands',
          run: 'grep -rn -F "{{address}}" /etc/kubernetes /var/lib/kubelet/*.env /etc/etcd* 2>/dev/null',
          on: 'node',
        },
      ],
    },
    {
      say: 'Where it stands in /etc/hosts: localhost and the name of the host must mean addresses that this host has',
      risk: 'touches-node',
      for: ['streaming'],
      steps: [
        { say: 'what the names mean here', run: 'getent hosts localhost "$(hostname)"; cat /etc/hosts', on: 'node' },
        {
          say: 'correct /etc/hosts (127.0.0.1 localhost, each entry on a line of its own), then',
          run: 'systemctl restart kubelet',
          on: 'node',
        },
      ],
    },
    {
      say: 'Give the host its address back: static IP or DHCP reservation. This is the least work',
      risk: 'touches-node',
      for: ['controlPlane'],
      steps: [
        { say: 'for now', run: 'ip addr add {{address}}/24 dev eth0', on: 'node' },
        { say: 'for good: netplan, NetworkManager or the DHCP server; then restart', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'etcd and the API server run, and kubectl answers',
    },
    {
      say: 'Or move the control plane to the new address: manifests, kubeconfigs, certificates and the etcd member',
      risk: 'touches-node',
      steps: [
        {
          say: 'keep a copy, replace the address, make the certificates anew',
          run: 'cp -a /etc/kubernetes /var/backups/kubernetes-before && grep -rlF "{{address}}" /etc/kubernetes | xargs sed -i "s/{{address}}/NEW_IP/g" && rm -f /etc/kubernetes/pki/apiserver.* /etc/kubernetes/pki/etcd/server.* /etc/kubernetes/pki/etcd/peer.* && kubeadm init phase certs all',
          on: 'node',
        },
        { say: 'an address that is only translated: listen on 0.0.0.0 or on the private address, advertise the other one', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes/kubeadm issue 338', 'kubernetes/kubeadm issue 3299', 'etcd docs: --listen-peer-urls'],
});
