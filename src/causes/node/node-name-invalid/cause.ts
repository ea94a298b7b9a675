import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const invalid = line(
  ['nodeRegistration.name: Invalid value', 'a lowercase RFC 1123 subdomain must consist', 'a DNS-1123 subdomain must consist'],
  ['kubeadm-output', 'kubelet-log'],
  /(?:nodeRegistration\.name: Invalid value: [\\"“”]{1,8}(?<name>[^\s\\"“”]{1,253})|(?:register node|Node) [\\"“”]{1,8}(?<node>[^\s\\"“”]{1,253})[\\"“”]{1,8}[^\n]{0,160}?(?:is invalid: )?metadata\.name: Invalid value)/,
);
const label = line(
  'kubernetes.io/hostname',
  'kubelet-log',
  /(?:metadata\.labels|kubernetes\.io\/hostname)[^\n]{0,120}?Invalid value: [\\"“”]{1,8}(?<name>[^\s\\"“”]{1,253})[\\"“”]{1,8}[^\n]{0,40}?must be no more than 63/,
);
/** What microk8s inspect warns of. */
const warned = line(
  'hostname contains capital letters',
  ['host-tools', 'prose'],
  /hostname contains capital letters and\/or underscores\. This is not a valid name for a Kubernetes node/,
);
const registered = line('Successfully registered node', [], /Successfully registered node/);

export const cause = defineCause({
  id: 'node-name-invalid',
  area: 'node',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Host name no valid node name',
    title: 'The host name "{name}" cannot be the name of a node: {fault}',
    why: 'The kubelet registers its node under the host name. A node name must be a DNS name (RFC 1123): lower-case letters, digits, "-" and "."; "{name}" is not ({fault}), so kubeadm or the API server refuses it.',
  },

  clues: {
    invalid: proves(invalid),
    label: proves(label),
    warned: proves(warned),
    registered: excludes(registered, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    invalid: 'the name "{name}" is refused as a node name',
    label: 'the name "{name}" is longer than the 63 characters of a label',
    warned: 'microk8s says that the host name is no valid node name',
    registered: 'the node has registered since',
  },
  slots: (_place, { invalid: refused, label: long, warned: inspected }) => {
    const name = refused?.fields['name'] ?? refused?.fields['node'] ?? long?.fields['name'] ?? 'of this machine';
    return {
      name,
      fault: long
        ? 'it is longer than 63 characters'
        : inspected && !refused
          ? 'it holds capital letters or underscores'
          : /_/.test(name)
            ? 'it holds an underscore'
            : /[A-Z]/.test(name)
              ? 'it holds capital letters'
              : 'it holds characters that a DNS name may not have',
    };
  },

  fixes: [
    {
      say: 'Change the host name to a valid DNS name and run kubeadm again',
      risk: 'touches-node',
      steps: [
        { say: 'lower case, "-" instead of "_"', run: 'hostnamectl set-hostname node-1 && hostname', on: 'node' },
        { say: 'let the name resolve', run: 'echo "$(hostname -I | cut -d" " -f1) $(hostname)" >> /etc/hosts', on: 'node' },
        { say: 'a failed attempt first has to be undone', run: 'kubeadm reset -f', on: 'node' },
      ],
      verified: 'kubectl get nodes lists the node under its new name',
    },
    {
      say: 'Or give the node another name without renaming the host',
      risk: 'touches-node',
      steps: [
        {
          say: 'kubeadm',
          run: 'kubeadm join … --node-name node-1   # init as well; otherwise --hostname-override of the kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes apimachinery pkg/util/validation', 'kubernetes cmd/kubeadm/app/apis/kubeadm/validation'],
});
