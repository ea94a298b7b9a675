import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const CHANNELS = ['pod-events', 'kubelet-log', 'containerd-log', 'crio-log', 'container-log'] as const;

const refused = line(
  ['connection is unauthorized', 'ClusterInformation: '],
  CHANNELS,
  /(?:ClusterInformation: )?connection is unauthorized(?:: (?<error>[^\n"\\,]{1,200}))?/,
);
const untrusted = line(
  ['ClusterInformation: Get'],
  CHANNELS,
  /ClusterInformation: Get [\\"“”]{0,8}https:\/\/(?<server>[^\s/"\\]{1,253})\/[\s\S]{0,200}?(?<error>x509: [^\n"\\]{1,160})/,
);
const multus = line(
  ['Multus: ', 'multus-cni', 'type="multus'],
  CHANNELS,
  /[Mm]ultus[\s\S]{0,400}?(?:error (?:getting|waiting for) pod|GetPod|SetNetworkStatus)[\s\S]{0,200}?(?<error>Unauthorized)/,
);
const bare = line(
  [': Unauthorized'],
  CHANNELS,
  /(?:plugin type=[\\"“”]{1,8}(?<type>[\w.-]{1,60})[\\"“”]{1,8}(?: name=[\\"“”]{1,8}[\w.-]{1,60}[\\"“”]{1,8})? failed \((?:add|delete)\)|[nN]etworkPlugin cni failed to (?:set up|teardown) pod [\\"“”]{1,8}[\w.-]{1,253}[\\"“”]{1,8} network): (?:[\w ]{1,60}: )?(?<error>Unauthorized)/,
);
const noAnswer = line(
  ['ClusterInformation: Get'],
  ['pod-events', 'kubelet-log'],
  /ClusterInformation: Get [\s\S]{0,300}?dial tcp [\w.:[\]-]{3,80}: (?:i\/o timeout|connect: )/,
);

interface Plugin {
  readonly pattern: RegExp;
  readonly name: string;
  readonly kubeconfig: string;
  readonly label: string;
}

const PLUGINS: readonly Plugin[] = [
  { pattern: /^calico/, name: 'calico', kubeconfig: 'calico-kubeconfig', label: 'k8s-app=calico-node' },
  { pattern: /^multus/, name: 'multus', kubeconfig: 'multus.d/multus.kubeconfig', label: 'app=multus' },
  { pattern: /^istio-cni/, name: 'istio-cni', kubeconfig: 'ZZZ-istio-cni-kubeconfig', label: 'k8s-app=istio-cni-node' },
  { pattern: /^consul-cni/, name: 'consul-cni', kubeconfig: 'ZZZ-consul-cni-kubeconfig', label: 'app=consul,component=cni' },
  { pattern: /^linkerd-cni/, name: 'linkerd-cni', kubeconfig: 'ZZZ-linkerd-cni-kubeconfig', label: 'k8s-app=linkerd-cni' },
];

export const cause = defineCause({
  id: 'calico-cni-unauthorized',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'stuck-terminating', 'init-stuck', 'crash-loop', 'other-trouble'],
  effectOf: ['clock-skew', 'control-plane-cert-expired', 'calico-init-hangs'],

  text: {
    name: 'CNI token is not accepted',
    title: 'The API server turns away the {plugin} CNI plugin on {node}: {error}',
    why: 'For every pod it adds or removes, the {plugin} plugin asks the API server with the token in /etc/cni/net.d/{kubeconfig}. The API server answers "{error}": that token has expired, was signed with an old key, lacks rights, or was issued by another cluster. So pods on {node} are neither set up nor torn down. The daemon pod writes a fresh token when it starts.',
  },

  clues: {
    refused: proves(refused),
    untrusted: proves(untrusted),
    multus: proves(multus),
    bare: proves(bare),
    noAnswer: excludes(noAnswer),
  },
  says: {
    refused: 'the plugin is turned away: connection is unauthorized ({error})',
    untrusted: 'the plugin does not trust the API server: {error}',
    multus: 'multus is turned away: Unauthorized',
    bare: 'the plugin is turned away: Unauthorized',
    noAnswer: 'the API server does not answer the plugin at all',
  },
  slots: (place, { refused: said, untrusted: x509, multus: meta, bare: named }) => {
    const type = said || x509 ? 'calico' : meta ? 'multus' : (named?.fields['type'] ?? 'calico');
    const known = PLUGINS.find(({ pattern }) => pattern.test(type));
    return {
      node: place.name,
      plugin: known?.name ?? type,
      kubeconfig: known?.kubeconfig ?? 'KUBECONFIG',
      label: known?.label ?? 'KEY=VALUE',
      error: said?.fields['error']?.trim() ?? x509?.fields['error'] ?? 'Unauthorized',
    };
  },

  fixes: [
    {
      say: 'See how old the token is and whether the clock is right',
      risk: 'reads-only',
      steps: [
        { say: 'the file is rewritten every few hours by a healthy daemon', run: 'ls -l /etc/cni/net.d/{{kubeconfig}}; date', on: 'node' },
        {
          say: 'the daemon pod of this node',
          run: 'kubectl get pods -A -o wide -l {{label}} --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
        { say: 'a wrong clock makes tokens invalid', run: 'timedatectl', on: 'node' },
      ],
    },
    {
      say: 'Restart the {plugin} daemon pod on {node}; it writes a fresh token',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'running pods keep their network meanwhile (namespace calico-system where the operator installed it)',
          run: 'kubectl -n kube-system delete pod -l {{label}} --field-selector spec.nodeName={{node}}',
          on: 'cluster',
        },
      ],
      verified: 'the kubeconfig is new and waiting pods start',
    },
    {
      say: 'If it stays: give its service account the rights of its version, or take away what another cluster left',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'may it read the object?',
          run: 'kubectl auth can-i get clusterinformations.crd.projectcalico.org --as=system:serviceaccount:kube-system:calico-node',
          on: 'cluster',
        },
        {
          say: 'roles and CRDs come with the manifest of the same version: apply it again',
          run: 'kubectl apply -f calico.yaml',
          on: 'cluster',
        },
        {
          say: 'x509 after a re-created cluster: remove the old file, the daemon writes it again',
          run: 'rm /etc/cni/net.d/{{kubeconfig}}',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'projectcalico/calico libcalico-go/lib/errors, cni-plugin/pkg/plugin/plugin.go',
    'projectcalico/calico node/pkg/cni (token refresh)',
    'k8snetworkplumbingwg/multus-cni pkg/k8sclient',
  ],
});
