import { defineCause, excludes, excludesEverywhere, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['objects', 'container-log', 'object-events', 'prose'] as const;
/** Operators of OpenShift call their own routes from inside, by the name that people use. */
const route = line(
  [
    'oauth-openshift.',
    'console-openshift-console.',
    'canary-openshift-ingress-canary.',
    'downloads-openshift-console.',
    'prometheus-k8s-openshift-monitoring.',
  ],
  SAID_BY,
  /(?<host>(?:oauth-openshift|console-openshift-console|canary-openshift-ingress-canary|downloads-openshift-console|prometheus-k8s-openshift-monitoring)\.(?<domain>[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}))(?:\/|:|\\?"|'|\s)[^\n]{0,300}?(?:(?<unresolved>no such host|server misbehaving)|(?<refused>connection refused)|(?<late>context deadline exceeded|Client\.Timeout exceeded|i\/o timeout|no route to host)|(?<cut>EOF\b|connection reset by peer)|(?<status>(?:status code |returns '?|got )?50[234]\b[^\n"\\]{0,40})|x509: (?<certificate>[^\n"\\]{5,160}))/,
);
const canary = line(
  ['Canary route checks for the default ingress controller', 'CanaryChecksRepetitiveFailures'],
  SAID_BY,
  /CanaryChecksRepetitiveFailures|Canary route checks for the default ingress controller are failing/,
);
const routeCheck = line(
  ['OAuthServerRouteEndpointAccessible', 'RouteHealthDegraded', 'RouteHealthAvailable'],
  SAID_BY,
  /OAuthServerRouteEndpointAccessible\w{0,30}|RouteHealth(?:Degraded|Available)/,
);
const noRouter = line(
  ['NoReadyIngressNodes', 'requires at least one schedulable and ready node', 'router-default'],
  [],
  /NoReadyIngressNodes|requires at least one schedulable and ready node|router-default-\S{3,40}\s{1,20}0\/\d/,
);

export const cause = defineCause({
  id: 'openshift-apps-domain-unreachable',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['control-plane-down', 'other-trouble'],

  text: {
    name: 'Routes of OpenShift not reached',
    title: 'OpenShift does not reach its own routes below {domain}: {what}',
    why: 'Console, login (OAuth) and the canary of the router are routes below the domain *.apps of the cluster, and their operators call them by that name from inside. Here {what}. So the operators authentication, console and ingress report Degraded or not Available, and nobody can log in; an installation does not end. {hint}',
  },

  clues: {
    unresolved: proves(route, ({ fields }) => fields['unresolved'] !== undefined),
    unanswered: proves(
      route,
      ({ fields }) => (fields['refused'] ?? fields['late'] ?? fields['cut'] ?? fields['status'] ?? undefined) !== undefined,
    ),
    distrusted: proves(route, ({ fields }) => fields['certificate'] !== undefined),
    canary: supports(canary),
    routeCheck: supports(routeCheck),
    noRouter: excludesEverywhere(excludes(noRouter)),
  },
  says: {
    unresolved: 'the name {host} does not resolve from inside the cluster',
    unanswered: 'a request to {host} is not answered: {error}',
    distrusted: 'the certificate shown for {host} is refused: {error}',
    canary: 'the canary route of the router does not answer',
    routeCheck: 'an operator checks its route in vain',
    noRouter: 'no router pod runs, so no route can answer',
  },
  slots: (_place, { unresolved, unanswered, distrusted }) => {
    const fields = (unresolved ?? unanswered ?? distrusted)?.fields;
    const domain = fields?.['domain'] ?? 'apps.CLUSTER.DOMAIN';
    const error =
      fields?.['unresolved'] ??
      fields?.['refused'] ??
      fields?.['late'] ??
      fields?.['cut'] ??
      fields?.['status'] ??
      fields?.['certificate'] ??
      'see its message';
    const [what, hint] = unresolved
      ? [
          `the wildcard name *.${domain} does not resolve (${error})`,
          'A DNS record *.apps that points to the load balancer of the routers is missing, or the name servers of the nodes do not know the zone.',
        ]
      : unanswered?.fields['refused']
        ? [
            `nothing listens where *.${domain} points to (connection refused)`,
            'The load balancer does not listen on 80 and 443, or the record points to another machine.',
          ]
        : unanswered?.fields['cut'] || unanswered?.fields['status']
          ? [
              `the load balancer of *.${domain} takes the connection, but no router answers behind it (${error})`,
              'It forwards to nodes without a router pod, or its health check fails: by default routers run on workers.',
            ]
          : unanswered
            ? [
                `a connection to *.${domain} gets no answer (${error})`,
                'Load balancer, firewall or route between nodes and load balancer: nodes must reach the address too (hairpin).',
              ]
            : distrusted
              ? [
                  `the certificate shown for *.${domain} is not accepted (${error})`,
                  'The default certificate of the router must be for *.apps and its authority trusted by the cluster (proxy/cluster trustedCA).',
                ]
              : ['its route checks fail', 'The log of the ingress operator tells how.'];
    return { host: fields?.['host'] ?? 'its route', domain, error, what: what ?? '', hint: hint ?? '' };
  },

  fixes: [
    {
      say: 'Make *.{domain} resolve to the load balancer of the routers, for the nodes too',
      risk: 'touches-node',
      for: ['unresolved'],
      steps: [
        {
          say: 'from a node: what does it resolve to',
          run: 'oc debug node/NODE -- chroot /host getent hosts console-openshift-console.{{domain}}',
          on: 'cluster',
        },
        { say: 'add the record *.{domain} (A or CNAME) in the DNS that the nodes use', run: 'dig +short test.{{domain}}', on: 'node' },
        {
          say: 'where the cluster DNS asks',
          run: 'oc get dns.operator/default -o yaml; oc -n openshift-dns logs ds/dns-default -c dns --tail=20',
          on: 'cluster',
        },
      ],
      verified: 'oc get co shows authentication, console and ingress Available and not Degraded',
    },
    {
      say: 'Let the load balancer forward 80 and 443 to the nodes where router pods run, and the nodes reach it',
      risk: 'touches-node',
      for: ['unanswered'],
      steps: [
        { say: 'where the routers run', run: 'oc -n openshift-ingress get pods -o wide; oc -n openshift-ingress get svc', on: 'cluster' },
        {
          say: 'past the load balancer, straight to such a node',
          run: 'curl -kI --resolve console-openshift-console.{{domain}}:443:NODE_IP https://console-openshift-console.{{domain}}',
          on: 'node',
        },
        { say: 'and through it, from a node', run: 'curl -kI https://console-openshift-console.{{domain}}', on: 'node' },
      ],
      verified: 'oc get co shows authentication, console and ingress Available and not Degraded',
    },
    {
      say: 'See what the operators say',
      risk: 'reads-only',
      steps: [
        {
          say: 'their conditions, and the canary',
          run: 'oc get co authentication console ingress; oc -n openshift-ingress-operator logs deploy/ingress-operator -c ingress-operator --tail=30 | grep -i canary',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'openshift/cluster-ingress-operator pkg/operator/controller/canary',
    'openshift/library-go pkg/operator/... endpointaccessible (cluster-authentication-operator)',
  ],
});
