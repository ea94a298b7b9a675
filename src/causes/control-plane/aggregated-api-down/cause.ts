import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const listed = line(
  ['FailedDiscoveryCheck', 'MissingEndpoints', 'ServiceNotFound', 'EndpointsAccessError', 'ServiceAccessError', 'ServicePortError'],
  ['objects', 'control-plane-log'],
  /(?:(?<api>v\d\w{0,12}\.[a-z][a-z0-9.-]{2,200})\s+(?<service>[a-z0-9-]{1,63}\/[a-z0-9-]{1,63})\s+)?\w{0,8}\s?\(?(?<reason>FailedDiscoveryCheck|MissingEndpoints|ServiceNotFound|EndpointsAccessError|ServiceAccessError|ServicePortError)\)?/,
);
const discovery = line(
  [
    'unable to retrieve the complete list of server APIs',
    "couldn't get resource list for",
    'Discovery failed for some groups',
    'failed to discover',
  ],
  ['objects', 'control-plane-log', 'container-log'],
  /(?:complete list of server APIs: |couldn't get resource list for |some groups, \d{1,3} failing: |unable to retrieve the complete list of server APIs[^\n]{0,20})(?:[^\n]{0,100}?: )?(?<![a-z0-9.-])(?<group>[a-z][a-z0-9.-]{2,200}\/v\d\w{0,12})(?:: )?(?<error>the server is currently unable to handle the request|stale GroupVersion discovery|Unauthorized|the server could not find the requested resource|[^\n"\\]{3,120})/,
);
const failing = line(
  ['failing or missing response from', 'failed with: failing or missing'],
  ['control-plane-log', 'objects'],
  /(?:(?<api>v\d\w{0,12}\.[a-z][a-z0-9.-]{2,200}) failed with: )?failing or missing response from (?<url>https?:\/\/[^\s"\\]{3,200}): (?<error>[^\n]{3,300})/,
);
const unavailable = line(
  ['the server is currently unable to handle the request', 'Metrics API not available'],
  ['objects', 'container-log', 'object-events'],
  /the server is currently unable to handle the request \((?:get|list|post) (?<resource>[a-z0-9.*-]{3,200}\.[a-z0-9.-]{3,200})(?: [^)]{0,100})?\)|(?<metrics>Metrics API not available)/,
);
const absent = line(
  [
    'could not find the requested resource (get',
    'no metrics returned from resource metrics API',
    'unable to fetch metrics from resource metrics API',
  ],
  ['object-events', 'objects', 'control-plane-log'],
  /could not find the requested resource \(get (?:services http:heapster:|(?:pods|nodes)\.metrics\.k8s\.io)|unable to fetch metrics from resource metrics API: (?<error>[^\n]{3,160})/,
);
const allDown = line(['connection refused - did you', 'was refused - did you specify', 'Unable to connect to the server'], []);

const REMEDY: readonly (readonly [test: RegExp, hint: string])[] = [
  [/MissingEndpoints|EndpointsAccessError/, 'No ready pod stands behind its Service.'],
  [/ServiceNotFound/, 'Its Service does not exist: the program was uninstalled and its APIService left behind.'],
  [
    /timeout|deadline|no route|refused/i,
    'The API server does not reach the pod: the program is down, or a firewall or the pod network keeps the control plane from it.',
  ],
  [/x509|certificate/i, 'The API server does not trust its certificate, or the program does not trust the front proxy.'],
  [
    /\b40[13]\b|Unauthorized|Forbidden/i,
    'The program does not accept the front-proxy certificate (requestheader-client-ca) of the API server.',
  ],
];

export const cause = defineCause({
  id: 'aggregated-api-down',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['other-trouble', 'control-plane-down'],
  effectOf: ['overlay-traffic-blocked', 'networkpolicy-blocks', 'kubelet-serving-cert-pending', 'control-plane-cert-expired'],
  wakesOn: [
    'FailedDiscoveryCheck',
    'MissingEndpoints',
    'ServiceNotFound',
    'EndpointsAccessError',
    'ServiceAccessError',
    'ServicePortError',
  ].map((reason) => on('object.status', { status: `False (${reason})` })),

  text: {
    name: 'Aggregated API unavailable',
    title: 'The aggregated API {api} is not available: {fault}',
    why: 'Requests for {api} are passed on by the API server to a Service of the cluster ({service}), as its APIService says, and that one does not answer: {fault}. {hint} As long as it is so, discovery is incomplete: kubectl prints errors, deleted namespaces stay Terminating, garbage collection stops, and autoscalers that need {api} do not scale.',
  },

  clues: {
    row: proves('object.status', ({ about, status }) => about.startsWith('Object/APIService/') && /^False\b/.test(status)),
    listed: proves(listed, ({ fields }) => fields['reason'] !== undefined),
    discovery: proves(discovery, ({ fields }) => !/could not find the requested resource/.test(fields['error'] ?? '')),
    failing: proves(failing),
    unavailable: proves(unavailable),
    absent: supports(absent),
    allDown: excludes(allDown),
  },
  says: {
    row: 'kubectl lists the APIService {api} as {state}',
    listed: 'its APIService is not available: {reason}',
    discovery: 'the list of APIs is incomplete: {group} does not answer',
    failing: 'the API server gets no good response from it: {error}',
    unavailable: 'a request for it fails: the server is currently unable to handle it',
    absent: 'metrics are asked for and nobody serves them (metrics-server)',
    allDown: 'the API server itself does not answer',
  },
  slots: (_place, { row: table, listed: row, discovery: list, failing: bad, unavailable: request, absent: none }) => {
    const group = list?.fields['group']?.split('/');
    const resource = request?.fields['resource']?.replace(/^[a-z0-9*-]{1,80}\./, '');
    const api =
      row?.fields['api'] ??
      bad?.fields['api'] ??
      (group ? `${group[1]}.${group[0]}` : undefined) ??
      resource ??
      (request || none ? 'metrics.k8s.io' : 'of an extension');
    const service =
      row?.fields['service'] ?? (/metrics\.k8s\.io$/.test(api) && !/custom|external/.test(api) ? 'kube-system/metrics-server' : undefined);
    const error = (bad?.fields['error'] ?? '').replaceAll('\\"', '"').slice(0, 160);
    const reason = /\((?<reason>\w{3,60})\)/.exec(table?.status ?? '')?.groups?.['reason'] ?? row?.fields['reason'];
    const fault =
      error || reason || list?.fields['error'] || none?.fields['error'] || 'the server is currently unable to handle the request';
    return {
      api,
      service: service ?? 'see its APIService',
      namespace: service?.split('/')[0] ?? 'NAMESPACE',
      name: service?.split('/')[1] ?? 'NAME',
      apiName: /^v\d/.test(api) ? api : 'APISERVICE',
      group: list?.fields['group'] ?? api,
      reason: reason ?? 'False',
      state: table?.status ?? 'False',
      error: error || 'no answer',
      fault,
      hint: REMEDY.find(([test]) => test.test(`${reason ?? ''} ${fault}`))?.[1] ?? '',
    };
  },

  fixes: [
    {
      say: 'See which APIService fails, and the Service and pods behind it',
      risk: 'reads-only',
      steps: [
        { say: 'all that are not available', run: "kubectl get apiservices | grep -v ' True '", on: 'cluster' },
        { say: 'why', run: 'kubectl describe apiservice {{apiName}}', on: 'cluster' },
        {
          say: 'its pods',
          run: 'kubectl -n {{namespace}} get svc,endpoints {{name}}; kubectl -n {{namespace}} get pods -o wide',
          on: 'cluster',
        },
        { say: 'their log', run: 'kubectl -n {{namespace}} logs deployment/{{name}} --tail=50', on: 'cluster' },
      ],
    },
    {
      say: 'Bring the program behind it back (for metrics.k8s.io: install or repair metrics-server)',
      risk: 'restarts-pods',
      for: ['absent'],
      steps: [
        { say: 'restart it', run: 'kubectl -n {{namespace}} rollout restart deployment {{name}}', on: 'cluster' },
        { say: 'time-outs: open the way from the control plane to the pod (firewall, security group, hostNetwork)', on: 'cluster' },
      ],
      verified: 'kubectl get apiservices shows True for {api}',
    },
    {
      say: 'If the program is gone for good, delete the APIService it left behind',
      risk: 'restarts-pods',
      steps: [
        { say: 'an APIService whose program exists is made again by it', run: 'kubectl delete apiservice {{apiName}}', on: 'cluster' },
      ],
      verified: 'kubectl api-resources prints no error, and namespaces finish terminating',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kubernetes staging/src/k8s.io/kube-aggregator/pkg/controllers/status',
    'kubernetes staging/src/k8s.io/client-go/discovery/discovery_client.go',
  ],
});
