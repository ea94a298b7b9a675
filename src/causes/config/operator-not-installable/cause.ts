import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'container-log'] as const;

const unsatisfied = line(['constraints not satisfiable'], SAID_BY, /constraints not satisfiable: (?<why>[^\n]{5,400})/);
const noPackage = line(
  ['no operators found in'],
  SAID_BY,
  /no operators found (?:in package (?<package>[\w.-]{1,253})|from catalog (?<catalog>[\w.-]{1,253})|in channel (?<channel>[\w.-]{1,253}))/,
);
const leftOver = line(
  ['exists and is not referenced by a subscription'],
  SAID_BY,
  /clusterserviceversion (?<csv>[\w.-]{1,253}) exists and is not referenced by a subscription/,
);
const group = line(
  ['multiple operatorgroups', 'no operatorgroups', 'UnsupportedOperatorGroup', 'InstallModeType not supported'],
  SAID_BY,
  /csv created in namespace with (?<count>multiple|no) operatorgroups|(?<mode>OwnNamespace|SingleNamespace|MultiNamespace|AllNamespaces) InstallModeType not supported/i,
);
const unpack = line(
  ['bundle unpacking failed', 'BundleUnpackFailed'],
  SAID_BY,
  /[Bb]undle unpacking failed\.? Reason: (?<reason>[\w ]{3,60})(?:, and Message: (?<error>[^\n]{3,200}))?|BundleUnpackFailed/,
);
const source = line(
  ['error using catalogsource', 'failed to populate resolver cache from source'],
  SAID_BY,
  /(?:error using catalogsource|failed to populate resolver cache from source) (?<catalog>[\w./-]{1,300}): (?<error>[^\n]{5,300})/,
);
const requirements = line(
  ['RequirementsNotMet', 'one or more requirements couldn', 'requirements not met'],
  SAID_BY,
  /RequirementsNotMet|one or more requirements couldn't be found|requirements not met/,
);
const succeeded = line(['install strategy completed with no errors'], []);

export const cause = defineCause({
  id: 'operator-not-installable',
  area: 'config',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'no-pods', 'failed'],

  text: {
    name: 'OLM cannot install the operator',
    title: 'The Operator Lifecycle Manager (OLM) cannot install the operator: {what}',
    why: 'A Subscription names a package, a channel and a CatalogSource; OLM looks for a set of operators that satisfies all Subscriptions of the namespace at once, and makes an InstallPlan from it. Here {what}, so there is no InstallPlan and no operator pod. One Subscription that cannot be satisfied holds up all others of the namespace. {hint}',
  },

  clues: {
    noPackage: proves(noPackage),
    leftOver: proves(leftOver),
    group: proves(group),
    unpack: proves(unpack),
    source: proves(source),
    unsatisfied: proves(unsatisfied),
    requirements: supports(requirements),
    succeeded: excludes(succeeded),
  },
  says: {
    noPackage: 'the catalog has no such package or channel',
    leftOver: 'the version {csv} is there already without a Subscription',
    group: 'the OperatorGroup of the namespace does not fit',
    unpack: 'the bundle of the operator cannot be unpacked',
    source: 'the catalog does not answer: {error}',
    unsatisfied: 'the demands cannot all be satisfied: {error}',
    requirements: 'its requirements are not met',
    succeeded: 'the operator was installed since',
  },
  slots: (
    _place,
    { noPackage: absent, leftOver: rest, group: scope, unpack: bundle, source: catalog, unsatisfied: demands, requirements: needs },
  ) => {
    const csv = rest?.fields['csv'] ?? 'CSV';
    const error = (catalog?.fields['error'] ?? bundle?.fields['error'] ?? demands?.fields['why'] ?? 'see its conditions')
      .trim()
      .slice(0, 220);
    const [what, hint] = absent
      ? [
          absent.fields['package']
            ? `the catalog has no package ${absent.fields['package']}`
            : absent.fields['channel']
              ? `the package has no channel ${absent.fields['channel']}`
              : `the catalog ${absent.fields['catalog'] ?? ''} has no such operator`,
          'spec.name of the Subscription is the name of the package (not of the channel, nor the title on the page), spec.channel one of its channels, spec.source the CatalogSource that has it.',
        ]
      : rest
        ? [
            `the ClusterServiceVersion ${csv} of an earlier installation is still there`,
            'Deleting a Subscription leaves its ClusterServiceVersion; a new Subscription then competes with it.',
          ]
        : scope
          ? [
              scope.fields['count']
                ? `the namespace has ${scope.fields['count']} OperatorGroups, and exactly one is needed`
                : `the operator does not support the install mode ${scope.fields['mode']} that its OperatorGroup asks for`,
              'An OperatorGroup says which namespaces the operators of a namespace watch; exactly one per namespace, and of a kind the operator supports.',
            ]
          : bundle
            ? [
                `its bundle cannot be unpacked (${bundle.fields['reason']?.trim() ?? 'see the job'})`,
                'OLM unpacks the bundle image in a Job: mostly its image cannot be pulled. A failed Job and ConfigMap of that name stay and have to be deleted.',
              ]
            : catalog
              ? [
                  `the catalog ${catalog.fields['catalog']} does not answer`,
                  'Each CatalogSource is a pod (openshift-marketplace, olm) that must run and be reachable by gRPC.',
                ]
              : needs && !demands
                ? [
                    'its requirements are not met (RequirementsNotMet)',
                    'A CRD, ServiceAccount or right that the ClusterServiceVersion names is missing: status.requirementStatus lists which one is NotPresent.',
                  ]
                : [error, 'The message lists which demands exclude each other.'];
    return { what: what ?? '', hint: hint ?? '', error, csv };
  },

  fixes: [
    {
      say: 'See Subscriptions, their conditions and what the catalogs offer',
      risk: 'reads-only',
      steps: [
        {
          say: 'state of Subscriptions, plans, versions and catalogs',
          run: 'kubectl get subscriptions.operators.coreos.com,installplans,clusterserviceversions,operatorgroups -n NAMESPACE; kubectl get catalogsources,pods -A | grep -E "catalog|marketplace|olm"',
          on: 'cluster',
        },
        {
          say: 'packages with their channels and versions',
          run: 'kubectl get packagemanifests -A; kubectl describe packagemanifest NAME | grep -A3 "Channels:"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct package, channel or source in the Subscription, or have exactly one fitting OperatorGroup',
      risk: 'restarts-pods',
      for: ['noPackage', 'group', 'source'],
      steps: [
        {
          say: 'spec.name, spec.channel, spec.source',
          run: 'kubectl -n NAMESPACE edit subscriptions.operators.coreos.com NAME',
          on: 'cluster',
        },
      ],
      verified: 'an InstallPlan exists and the ClusterServiceVersion is Succeeded',
    },
    {
      say: 'Take away what an earlier installation left (the custom resources stay)',
      risk: 'restarts-pods',
      for: ['leftOver'],
      steps: [
        {
          say: 'the version without a Subscription, then the Subscription once more',
          run: 'kubectl -n NAMESPACE delete clusterserviceversion {{csv}}',
          on: 'cluster',
        },
      ],
      verified: 'the ClusterServiceVersion is Succeeded',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'operator-lifecycle-manager pkg/controller/registry/resolver, pkg/controller/operators/catalog/operator.go',
    'operator-lifecycle-manager pkg/controller/operators/olm/operatorgroup.go, pkg/controller/bundle/bundle_unpacker.go',
  ],
});
