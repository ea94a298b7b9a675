import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const oldSpec = line(
  'your configuration file uses an old API spec',
  'kubeadm-output',
  /your configuration file uses an old API spec: [\\"“”]{1,4}(?<api>[\w./]{5,60})[\\"“”]{1,4}(?:[^\n]{0,60}?Please use (?<use>kubeadm v[\d.]{3,8}))?/,
);
const refused = line(
  [
    'no InitConfiguration or ClusterConfiguration kind was found',
    'no kind "',
    "couldn't parse Kubernetes version",
    'can not mix',
    'podSubnet: Invalid value',
    'podSubnet is not set',
    'serviceSubnet: Invalid value',
    'controlPlaneEndpoint: Invalid value',
    'advertiseAddress: Invalid value',
    'error unmarshaling configuration',
    'unable to load config file',
    'kubeadm.k8s.io',
    'the ConfigMap "kubeadm-config"',
    'configmaps "kubeadm-config" not found',
  ],
  'kubeadm-output',
  /(?<error>no InitConfiguration or ClusterConfiguration kind was found[^\n]{0,120}|no kind [\\"“”]{1,4}\w{3,60}[\\"“”]{1,4} is registered for version [\\"“”]{1,4}kubeadm\.k8s\.io[^\n]{0,80}|couldn't parse Kubernetes version [^\n]{3,160}|can not mix [^\n]{3,160}|(?:networking\.)?(?:pod|service)Subnet: Invalid value[^\n]{3,160}|(?:localAPIEndpoint\.advertiseAddress|controlPlaneEndpoint): Invalid value[^\n]{3,160}|the ConfigMap [\\"]{1,4}kubeadm-config[\\"]{1,4} in the kube-system namespace[^\n]{0,100}? was not found|configmaps [\\"]{1,4}kubeadm-config[\\"]{1,4} not found|error unmarshaling configuration schema\.GroupVersionKind[^\n]{3,200})/,
);
const done = line(['initialized successfully', 'This node has joined the cluster'], []);

export const cause = defineCause({
  id: 'kubeadm-config-invalid',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'kubeadm configuration refused',
    title: 'kubeadm refuses its configuration on {node}: {fault}',
    why: 'kubeadm checks its configuration file and flags before it does anything. Here it refuses them: {fault}. {hint}',
  },

  clues: {
    oldSpec: proves(oldSpec),
    refused: proves(refused, ({ channel, fields }) => channel === 'kubeadm-output' || /kubeadm\.k8s\.io/.test(fields['error'] ?? '')),
    done: excludes(done),
  },
  says: {
    oldSpec: 'the configuration is written for the old API {api}',
    refused: 'kubeadm says: {error}',
    done: 'kubeadm has come to its end well',
  },
  slots: (place, { oldSpec: old, refused: said }) => {
    const error = (said?.fields['error'] ?? 'not valid').trim().slice(0, 200);
    const api = old?.fields['api'] ?? 'kubeadm.k8s.io/v1beta2';
    return {
      node: place.name,
      api,
      error,
      fault: old ? `it is written for ${api}, which this kubeadm does not read any more` : error,
      hint: old
        ? `Convert it with kubeadm config migrate${old.fields['use'] ? ` of ${old.fields['use']}` : ''}, or write it for kubeadm.k8s.io/v1beta3 or v1beta4.`
        : 'Correct the value it names, or write a fresh file from kubeadm config print init-defaults.',
    };
  },

  fixes: [
    {
      say: 'Convert or correct the configuration file',
      risk: 'touches-node',
      steps: [
        {
          say: 'convert (with a kubeadm that still reads the old form)',
          run: 'kubeadm config migrate --old-config old.yaml --new-config new.yaml',
          on: 'node',
        },
        {
          say: 'or begin from the defaults of this version',
          run: 'kubeadm config print init-defaults > new.yaml && kubeadm config validate --config new.yaml',
          on: 'node',
        },
      ],
      verified: 'kubeadm config validate says ok, and kubeadm goes on to its preflight checks',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kubeadm/app/util/config', 'kubernetes docs: kubeadm configuration v1beta4'],
});
