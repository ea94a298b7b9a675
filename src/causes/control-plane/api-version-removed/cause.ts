import { byDaemons, defineCause, excludes, line, minutes, namesOf, needs, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['objects', 'container-log', 'object-events', 'control-plane-log'] as const;
const noMatch = line(
  'no matches for kind',
  CHANNELS,
  /no matches for kind [\\"'“”]{1,8}(?<kind>[A-Za-z]{1,80})[\\"'“”]{1,8} in (?:version|group) [\\"'“”]{1,8}(?<api>[a-z0-9./-]{1,200})/,
);
const notServed = line(
  ['could not find the requested resource', 'Failed to list *v1beta', 'Failed to watch *v1beta'],
  CHANNELS,
  /(?:[Ff]ailed to (?:list|watch) )\*(?<version>v\d(?:alpha|beta)\d)\.(?<kind>[A-Za-z]{1,80})\b[^\n]{0,200}?the server could not find the requested resource(?: \(get (?<resource>[a-z.-]{1,200})\))?/,
);
/** A stable version that the server does not know yet: the program is newer than the cluster. */
const tooNew = line(
  ['could not find the requested resource'],
  CHANNELS,
  /[Ff]ailed to (?:list|watch) \*(?<version>v\d)\.(?<kind>CSIStorageCapacity|HorizontalPodAutoscaler|CronJob|PodDisruptionBudget|EndpointSlice|Ingress|IngressClass|RuntimeClass|Lease|FlowSchema|PriorityLevelConfiguration|ValidatingAdmissionPolicy|ValidatingAdmissionPolicyBinding|ResourceClaim|ResourceSlice|DeviceClass|ServiceCIDR|IPAddress|VolumeAttributesClass|CertificateSigningRequest|ValidatingWebhookConfiguration|MutatingWebhookConfiguration|CustomResourceDefinition): (?:failed to list \*\S{3,90}: )?the server could not find the requested resource/,
);
// No channel: without a refusal a deprecation is only a warning.
const refused = line(['no matches for kind', 'could not find the requested resource'], []);
const deprecated = line(
  'is deprecated in v1.',
  ['objects', 'container-log'],
  /(?<api>[a-z0-9./]{3,100}) (?<kind>[A-Za-z]{1,80}) is deprecated in v1\.\d{1,2}\+, unavailable in v(?<gone>1\.\d{1,2})\+(?:; use (?<use>[a-z0-9./]{3,100}(?: \w{1,60})?))?/,
);
// No channel: kubectl says it in the same breath when the server is not reached.
const noServer = line(
  ['connection refused', 'Unable to connect to the server'],
  [],
  /unable to recognize[\s\S]{0,300}connection refused|Unable to connect to the server/,
);

/** Versions that Kubernetes served once: what to write instead, and since when they are gone. */
const REMOVED: Readonly<Record<string, readonly [use: string, since: string]>> = {
  'extensions/v1beta1': [
    'apps/v1 (Deployment, DaemonSet, ReplicaSet), networking.k8s.io/v1 (Ingress, NetworkPolicy)',
    '1.16, Ingress 1.22',
  ],
  'apps/v1beta1': ['apps/v1', '1.16'],
  'apps/v1beta2': ['apps/v1', '1.16'],
  'networking.k8s.io/v1beta1': ['networking.k8s.io/v1', '1.22'],
  'rbac.authorization.k8s.io/v1beta1': ['rbac.authorization.k8s.io/v1', '1.22'],
  'rbac.authorization.k8s.io/v1alpha1': ['rbac.authorization.k8s.io/v1', '1.22'],
  'apiextensions.k8s.io/v1beta1': ['apiextensions.k8s.io/v1', '1.22'],
  'admissionregistration.k8s.io/v1beta1': ['admissionregistration.k8s.io/v1', '1.22'],
  'apiregistration.k8s.io/v1beta1': ['apiregistration.k8s.io/v1', '1.22'],
  'authentication.k8s.io/v1beta1': ['authentication.k8s.io/v1', '1.22'],
  'authorization.k8s.io/v1beta1': ['authorization.k8s.io/v1', '1.22'],
  'certificates.k8s.io/v1beta1': ['certificates.k8s.io/v1', '1.22'],
  'coordination.k8s.io/v1beta1': ['coordination.k8s.io/v1', '1.22'],
  'scheduling.k8s.io/v1beta1': ['scheduling.k8s.io/v1', '1.22'],
  'storage.k8s.io/v1beta1': ['storage.k8s.io/v1', '1.22 to 1.27'],
  'policy/v1beta1': ['policy/v1 (PodDisruptionBudget); PodSecurityPolicy is gone for good: Pod Security labels', '1.25'],
  'batch/v1beta1': ['batch/v1', '1.25'],
  'batch/v2alpha1': ['batch/v1', '1.21'],
  'discovery.k8s.io/v1beta1': ['discovery.k8s.io/v1', '1.25'],
  'events.k8s.io/v1beta1': ['events.k8s.io/v1', '1.25'],
  'node.k8s.io/v1beta1': ['node.k8s.io/v1', '1.25'],
  'autoscaling/v2beta1': ['autoscaling/v2', '1.25'],
  'autoscaling/v2beta2': ['autoscaling/v2', '1.26'],
  'flowcontrol.apiserver.k8s.io/v1beta1': ['flowcontrol.apiserver.k8s.io/v1', '1.26'],
  'flowcontrol.apiserver.k8s.io/v1beta2': ['flowcontrol.apiserver.k8s.io/v1', '1.29'],
  'flowcontrol.apiserver.k8s.io/v1beta3': ['flowcontrol.apiserver.k8s.io/v1', '1.32'],
};
Object.setPrototypeOf(REMOVED, null);

/** The group of kinds that old clients ask for; their messages name the version only. */
const GROUP_OF: Readonly<Record<string, string>> = {
  CronJob: 'batch',
  Ingress: 'networking.k8s.io',
  PodDisruptionBudget: 'policy',
  PodSecurityPolicy: 'policy',
  HorizontalPodAutoscaler: 'autoscaling',
  CustomResourceDefinition: 'apiextensions.k8s.io',
  CertificateSigningRequest: 'certificates.k8s.io',
  EndpointSlice: 'discovery.k8s.io',
  Lease: 'coordination.k8s.io',
  CSIStorageCapacity: 'storage.k8s.io',
  ValidatingWebhookConfiguration: 'admissionregistration.k8s.io',
  MutatingWebhookConfiguration: 'admissionregistration.k8s.io',
};
Object.setPrototypeOf(GROUP_OF, null);

/** Groups that Kubernetes itself serves; all others come with a CustomResourceDefinition or an extension. */
const OWN_GROUP =
  /^(?:v1|v1beta\d|(?:apps|batch|extensions|policy|autoscaling)\/v\d\w{0,10}|(?:networking|rbac\.authorization|apiextensions|admissionregistration|apiregistration|authentication|authorization|certificates|coordination|scheduling|storage|discovery|events|node|flowcontrol\.apiserver|resource|internal\.apiserver|storagemigration)\.k8s\.io(?:\/v\d\w{0,10})?)$/;

export const cause = defineCause({
  id: 'api-version-removed',
  area: 'control-plane',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'other-trouble'],

  text: {
    name: 'API version not served',
    title: 'The cluster does not serve {kind} in API version {api}{gone}',
    why: 'A manifest, Helm release or program asks for {kind} in version {api}. Each Kubernetes release serves certain versions only: {mechanism}',
  },

  clues: {
    refused: needs(refused),
    noMatch: proves(noMatch, ({ fields }) => OWN_GROUP.test(fields['api'] ?? '')),
    notServed: proves(
      notServed,
      ({ fields }) => !/\.(?!k8s\.io)[a-z-]+\.[a-z]+$/.test(fields['resource'] ?? '') || /k8s\.io$/.test(fields['resource'] ?? ''),
    ),
    // A kubelet that is newer than its server is a matter of the node: kubelet-version-skew.
    tooNew: proves(tooNew, (fact) => !byDaemons(fact)),
    deprecated: supports(deprecated),
    noServer: excludes(noServer),
  },
  says: {
    refused: 'something was refused, not only warned of',
    noMatch: 'no matches for kind "{kind}" in version "{api}"',
    notServed: 'its client asks for {kind} {api}, which the server does not know',
    tooNew: 'its client asks for {kind} {api}, which this cluster is too old to know',
    deprecated: 'the API server has warned: deprecated, unavailable in v{until}',
    noServer: 'the API server was not reached, so nothing could be looked up',
  },
  slots: (place, { noMatch: none, notServed: old, tooNew: ahead, deprecated: warned }) => {
    const kind = none?.fields['kind'] ?? old?.fields['kind'] ?? ahead?.fields['kind'] ?? warned?.fields['kind'] ?? 'KIND';
    const version = (old ?? ahead)?.fields['version'];
    const asked = version !== undefined && GROUP_OF[kind] !== undefined ? `${GROUP_OF[kind]}/${version}` : version;
    const api = none?.fields['api'] ?? asked ?? warned?.fields['api'] ?? 'VERSION';
    const known = REMOVED[api];
    const use = known?.[0] ?? warned?.fields['use'];
    const newer = known === undefined && old === undefined && warned === undefined;
    return {
      ...namesOf(place),
      kind,
      api,
      until: warned?.fields['gone'] ?? known?.[1] ?? 'a later release',
      gone: known === undefined ? '' : ` (removed in Kubernetes ${known[1]})`,
      use: use ?? 'a version that kubectl api-versions lists',
      mechanism: newer
        ? ahead
          ? 'this cluster is too old for that version: the program (a second scheduler, an operator, a sidecar) was built for a newer Kubernetes. Its caches never fill, so it waits or does nothing. Take the release of the program that fits the cluster, or upgrade the cluster.'
          : 'this cluster is too old for that version, or the kind does not exist in it. Nothing of the manifest is created.'
        : `old ones are removed, and this one is gone${known === undefined ? '' : ` since ${known[1]}`}; the objects themselves still exist under the newer version (${use ?? 'see kubectl api-resources'}). Nothing of the manifest is created; a program with an old client never gets its caches filled.`,
    };
  },

  fixes: [
    {
      say: 'Write the version that the cluster serves: {use}',
      risk: 'restarts-pods',
      steps: [
        { say: 'what it serves', run: 'kubectl version; kubectl api-resources | grep -i {{kind}}', on: 'cluster' },
        { say: 'change apiVersion in the manifest to {use}; fields may have changed too', run: 'kubectl explain {{kind}}', on: 'cluster' },
        { say: 'a plugin rewrites whole files', run: 'kubectl convert -f FILE.yaml', on: 'cluster' },
      ],
      verified: 'kubectl apply --dry-run=server accepts the manifest',
    },
    {
      say: 'Helm: a release stored with the old version blocks every upgrade; rewrite what is stored, then upgrade the chart',
      risk: 'restarts-pods',
      steps: [
        { say: 'a newer chart', run: 'helm repo update; helm search repo NAME --versions | head', on: 'cluster' },
        {
          say: 'rewrite the stored release (plugin mapkubeapis)',
          run: 'helm plugin install https://github.com/helm/helm-mapkubeapis; helm mapkubeapis RELEASE --namespace {{namespace}}',
          on: 'cluster',
        },
      ],
      verified: 'helm upgrade succeeds',
    },
    {
      say: 'A program with an old client: upgrade it to a version made for this Kubernetes',
      risk: 'restarts-pods',
      steps: [{ say: 'its image', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      verified: 'its log no longer says "could not find the requested resource"',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes docs: deprecated API migration guide', 'kubernetes staging/src/k8s.io/apimachinery/pkg/api/meta/errors.go'],
});
