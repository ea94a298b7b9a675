import { defineCause, excludes, line, minutes, namesOf, proves } from '../../define-cause.ts';

const CHANNELS = ['object-events', 'workload', 'objects', 'control-plane-log', 'container-log'] as const;
const securityContext = line(
  [
    'SecurityContext.RunAsUser is forbidden',
    'SecurityContext.FSGroup is forbidden',
    'SecurityContext.SupplementalGroups is forbidden',
    'SecurityContext.SELinuxOptions is forbidden',
  ],
  CHANNELS,
  /SecurityContext\.(?<field>RunAsUser|FSGroup|SupplementalGroups|SELinuxOptions) is forbidden/,
);
const nodeSelector = line(
  ['conflicts with its namespace node label selector', 'pod node label selector labels conflict with'],
  CHANNELS,
  /pod node label selector (?:conflicts with its namespace node label selector|labels conflict with its namespace whitelist)/,
);
const tolerations = line(
  ['namespace tolerations and pod tolerations conflict', 'conflict with its namespace whitelist'],
  CHANNELS,
  /namespace tolerations and pod tolerations conflict|pod tolerations \(possibly merged with namespace default tolerations\) conflict with its namespace whitelist/,
);
const antiAffinity = line(
  'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey',
  CHANNELS,
  /RequiredDuringScheduling has TopologyKey (?<key>[^\s"\\]{1,200}) but only key (?<allowed>[^\s"\\]{1,200}) is allowed/,
);
const priority = line(
  ['must not be provided in pod spec; priority admission controller'],
  CHANNELS,
  /(?:integer value of priority|string value of PreemptionPolicy) \((?<value>[^)\n]{1,60})\) must not be provided in pod spec/,
);
const externalAddress = line('Use of external IPs is denied by admission control', CHANNELS);
const webhook = line('denied the request', [], /admission webhook [\\"'“”]{1,8}[^\s\\"'“”]{1,253}[\\"'“”]{1,8} denied the request/);

export const cause = defineCause({
  id: 'admission-plugin-refuses',
  area: 'policy',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['no-pods', 'other-trouble'],

  text: {
    name: 'Admission plugin refuses the pod',
    title: 'The admission plugin {plugin} of the API server refuses {name}: {what}',
    why: 'Admission plugins are rules that are built into the API server and switched on by --enable-admission-plugins, no webhooks and no policies of a tool. {plugin} refuses the object before it is stored: {what}. There is no pod to look at; only the events of the controller tell.',
  },

  clues: {
    securityContext: proves(securityContext),
    nodeSelector: proves(nodeSelector),
    tolerations: proves(tolerations),
    antiAffinity: proves(antiAffinity),
    priority: proves(priority),
    externalAddress: proves(externalAddress),
    webhook: excludes(webhook),
  },
  says: {
    securityContext: 'the API server forbids the field {field} of the security context',
    nodeSelector: 'the node selector of the pod contradicts that of its namespace',
    tolerations: 'the tolerations of the pod are not those its namespace allows',
    antiAffinity: 'a required anti-affinity may only be by host name here, not by {field}',
    priority: 'the pod sets a priority of its own beside its PriorityClass',
    externalAddress: 'external addresses of Services are denied',
    webhook: 'a webhook denies it, not a plugin',
  },
  slots: (
    place,
    {
      securityContext: context,
      nodeSelector: selector,
      tolerations: taints,
      antiAffinity: affinity,
      priority: own,
      externalAddress: address,
    },
  ) => {
    const field = context?.fields['field'] ?? affinity?.fields['key'] ?? 'of the pod';
    const [plugin, what] = context
      ? ['SecurityContextDeny', `a pod may not set ${field} in its securityContext`]
      : selector
        ? ['PodNodeSelector', 'its nodeSelector contradicts the one that its namespace prescribes']
        : taints
          ? ['PodTolerationRestriction', 'its tolerations are not among those its namespace allows']
          : affinity
            ? [
                'LimitPodHardAntiAffinityTopology',
                `a required pod anti-affinity by ${field} is not allowed, only by ${affinity.fields['allowed'] ?? 'host name'}`,
              ]
            : own
              ? ['Priority', 'spec.priority or preemptionPolicy is set by hand and differs from its PriorityClass']
              : address
                ? ['DenyServiceExternalIPs', 'Services may not have externalIPs']
                : ['of the cluster', 'a rule of the cluster forbids it'];
    return {
      ...namesOf(place),
      name: place.kind === 'Workload' ? place.name : 'the workload',
      plugin: plugin ?? '',
      what: what ?? '',
      field,
    };
  },

  fixes: [
    {
      say: 'See which plugins are on, and what the namespace prescribes',
      risk: 'reads-only',
      steps: [
        {
          say: 'flags of the API server',
          run: "grep -nE 'admission-plugins|admission-control' /etc/kubernetes/manifests/kube-apiserver.yaml /etc/kubernetes/apiserver 2>/dev/null",
          on: 'node',
        },
        {
          say: 'annotations node-selector, defaultTolerations, tolerationsWhitelist',
          run: 'kubectl get namespace {{namespace}} -o yaml',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Change the template so that it obeys: {what}',
      risk: 'restarts-pods',
      steps: [{ say: 'take out or adapt the field', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      verified: 'the controller has the event SuccessfulCreate',
    },
    {
      say: 'Or switch the plugin {plugin} off in the API server (SecurityContextDeny is gone since Kubernetes 1.30: Pod Security takes its place)',
      risk: 'touches-node',
      steps: [
        {
          say: 'take it out of --enable-admission-plugins (--admission-control in old versions); the API server restarts by itself when it is a static pod',
          run: 'vi /etc/kubernetes/manifests/kube-apiserver.yaml',
          on: 'node',
        },
      ],
      verified: 'the controller has the event SuccessfulCreate',
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'kubernetes plugin/pkg/admission/securitycontext/scdeny, podnodeselector, podtolerationrestriction, antiaffinity, priority (up to 1.29)',
    'kubernetes plugin/pkg/admission/network/denyserviceexternalips',
  ],
});
