import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['objects', 'container-log', 'object-events'] as const;
const noMatch = line(
  'no matches for kind',
  CHANNELS,
  /no matches for kind [\\"'“”]{1,8}(?<kind>[A-Za-z]{1,80})[\\"'“”]{1,8} in (?:version|group) [\\"'“”]{1,8}(?<api>[a-z0-9./-]{1,200})/,
);
const beforeStart = line(
  ['it should be installed before calling Start', 'if kind is a CRD'],
  CHANNELS,
  /if kind is a CRD, it should be installed before calling Start[\s\S]{0,40}?kind[\\": =]{1,6}(?<kind>[A-Z]\w{1,80})\.(?<group>[a-z0-9.-]{3,200})|if kind is a CRD/,
);
const notServed = line(
  'could not find the requested resource',
  CHANNELS,
  /the server could not find the requested resource \((?:get|post|list|watch|patch|put) (?<resource>[A-Za-z0-9-]{1,80})\.(?<group>[a-z0-9-]{1,80}(?:\.[a-z0-9-]{1,80}){1,5})(?: [\w.-]{1,253})?\)/,
);
const definition = line(
  'customresourcedefinitions.apiextensions.k8s.io',
  CHANNELS,
  /customresourcedefinitions\.apiextensions\.k8s\.io [\\"'“”]{1,8}(?<resource>[a-z0-9-]{1,80})\.(?<group>[a-z0-9.-]{3,200})[\\"'“”]{1,8} not found/,
);
const destination = line(
  ['CRD is installed on the destination cluster'],
  CHANNELS,
  /could not find (?<api>[a-z0-9.-]{3,200}(?:\/v\w{1,20})?)\/(?<kind>[A-Z]\w{1,80}) for requested resource/,
);
const noType = line(
  "doesn't have a resource type",
  ['objects'],
  /the server doesn't have a resource type [\\"'“”]{1,8}(?<resource>[a-z0-9.-]{1,200})/,
);
// No channel: kubectl says it in the same breath when the server is not reached.
const noServer = line(
  ['connection refused', 'Unable to connect to the server'],
  [],
  /unable to recognize[\s\S]{0,300}connection refused|Unable to connect to the server/,
);

const OWN_GROUP =
  /^(?:v1|v1beta\d|(?:apps|batch|extensions|policy|autoscaling)(?:\/v\d\w{0,10})?|(?:networking|rbac\.authorization|apiextensions|admissionregistration|apiregistration|authentication|authorization|certificates|coordination|scheduling|storage|discovery|events|node|flowcontrol\.apiserver|resource|internal\.apiserver|storagemigration|metrics|custom\.metrics|external\.metrics)\.k8s\.io(?:\/v\d\w{0,10})?)$/;

/** Who brings the definitions of well-known groups. */
const OWNERS: readonly (readonly [group: RegExp, owner: string])[] = [
  [/cert-manager\.io$/, 'cert-manager (its crds.enabled / installCRDs)'],
  [/monitoring\.coreos\.com$/, 'the Prometheus operator'],
  [/gateway\.networking\.k8s\.io$/, 'the Gateway API (standard-install.yaml)'],
  [/snapshot\.storage\.k8s\.io$/, 'external-snapshotter'],
  [/istio\.io$/, 'Istio (istio-base)'],
  [/traefik\.(?:io|containo\.us)$/, 'Traefik'],
  [/argoproj\.io$/, 'Argo'],
  [/longhorn\.io$/, 'Longhorn'],
  [/cilium\.io$/, 'Cilium'],
  [/projectcalico\.org$/, 'Calico (its operator or API server)'],
  [/operator\.tigera\.io$/, 'the Tigera operator'],
  [/external-secrets\.io$/, 'External Secrets'],
  [/keda\.sh$/, 'KEDA'],
  [/karpenter\.(?:sh|k8s\.aws)$/, 'Karpenter'],
  [/metallb\.io$/, 'MetalLB'],
  [/kyverno\.io$/, 'Kyverno'],
];

export const cause = defineCause({
  id: 'crd-missing',
  area: 'control-plane',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'other-trouble'],

  text: {
    name: 'Custom resource not defined',
    title: 'The cluster does not know {kind} ({api}): its CustomResourceDefinition (CRD) is not installed',
    why: '{kind} is not a kind of Kubernetes itself but of {owner}; it exists only after its CustomResourceDefinition was installed, in the version {api}. Manifests with it are refused, and a controller that watches it ends or never becomes ready.{remembered}',
  },

  clues: {
    noMatch: proves(noMatch, ({ fields }) => !OWN_GROUP.test(fields['api'] ?? '')),
    beforeStart: proves(beforeStart),
    definition: proves(definition),
    destination: proves(destination),
    notServed: supports(notServed, ({ fields }) => !OWN_GROUP.test(fields['group'] ?? '')),
    noType: supports(noType),
    noServer: excludes(noServer),
  },
  says: {
    noMatch: 'no matches for kind "{kind}" in version "{api}"',
    beforeStart: 'the controller says: if {kind} is a CRD, it should be installed first',
    definition: 'the definition {resource} is not found',
    destination: 'Argo CD does not find {kind} in the cluster it applies to',
    notServed: 'the server could not find {resource}',
    noType: 'kubectl says: no resource type "{resource}"',
    noServer: 'the API server was not reached, so nothing could be looked up',
  },
  slots: (place, { noMatch: none, beforeStart: start, definition: absent, destination: there, notServed: unknown, noType: type }) => {
    const api =
      none?.fields['api'] ?? there?.fields['api'] ?? start?.fields['group'] ?? absent?.fields['group'] ?? unknown?.fields['group'] ?? '';
    const group = api.replace(/\/v\d\w{0,10}$/, '');
    const resource =
      (absent ?? unknown) !== undefined
        ? `${(absent ?? unknown)?.fields['resource']}.${(absent ?? unknown)?.fields['group']}`
        : (type?.fields['resource'] ?? 'it');
    return {
      ...namesOf(place),
      kind: none?.fields['kind'] ?? there?.fields['kind'] ?? start?.fields['kind'] ?? resource,
      api: api || 'version unknown',
      group: group || 'GROUP',
      resource,
      remembered:
        (unknown ?? type) === undefined
          ? ''
          : ' If kubectl get crd shows it after all, the client asks in a way that is no longer served: it keeps its discovery of kinds, versions and scopes in a cache for minutes, and that is stale once a CRD was replaced by one of another version or scope.',
      owner: OWNERS.find(([test]) => test.test(group))?.[1] ?? 'the product whose group it is',
    };
  },

  fixes: [
    {
      say: 'Install the CustomResourceDefinitions first (they come with {owner}), in the version that the manifest names',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'is there any of that group, and in which versions',
          run: 'kubectl get crd | grep {{group}}; kubectl api-versions | grep {{group}}',
          on: 'cluster',
        },
        {
          say: 'Helm installs CRDs of a chart only at the first install, never at an upgrade',
          run: 'helm show crds CHART | kubectl apply --server-side -f -',
          on: 'cluster',
        },
        { say: 'or apply the CRD manifest of the product', run: 'kubectl apply --server-side -f CRDS.yaml', on: 'cluster' },
        {
          say: 'controllers that ended start by themselves; else restart them',
          run: 'kubectl -n {{namespace}} rollout restart {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'kubectl api-resources lists {kind}',
    },
    {
      say: 'If the CRD is there: let kubectl forget what it learnt of the kinds before the CRD was replaced',
      risk: 'reads-only',
      steps: [
        {
          say: 'is it there, Established, and with which versions and scope',
          run: 'kubectl get crd {{resource}} -o custom-columns=NAME:.metadata.name,SCOPE:.spec.scope,SERVED:.spec.versions[*].name',
          on: 'cluster',
        },
        {
          say: 'clear the discovery cache; controllers: restart them',
          run: 'rm -rf ~/.kube/cache/discovery ~/.kube/cache/http',
          on: 'cluster',
        },
      ],
      verified: 'kubectl api-resources lists {kind} with its new scope, and the manifest is accepted',
    },
    {
      say: 'If you do not use that product, leave the object out (charts have a switch, e.g. serviceMonitor.enabled=false)',
      risk: 'restarts-pods',
      steps: [{ say: 'the values of the chart', run: 'helm show values CHART | grep -n -i -A3 enabled', on: 'cluster' }],
      verified: 'the manifest is accepted',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes staging/src/k8s.io/apimachinery/pkg/api/meta/errors.go', 'controller-runtime pkg/internal/source/kind.go'],
});
