import { defineCause, excludes, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['container-log', 'kubelet-log', 'control-plane-log', 'objects', 'pod-events'] as const;
const clientLimit = line(
  ['client rate limiter Wait returned an error', 'would exceed context deadline'],
  CHANNELS,
  /(?:client rate limiter Wait returned an error|Failed to make webhook (?:authenticator|authorizer) request|Unable to authenticate the request due to an error): (?<error>context deadline exceeded|rate: Wait\(n=\d+\) would exceed context deadline)/,
);
const tooMany = line(
  ['the server has received too many requests', 'Too many requests, please try again later', 'TooManyRequests'],
  CHANNELS,
  /the server has received too many requests and has asked us to try again later(?: \((?<request>[^)\n]{1,200})\))?|Too many requests, please try again later|(?:Error from server )?\(TooManyRequests\)(?!: Cannot evict)/,
);
/** What the API server notes of its own answers. */
const answered = line(['resp=429', ') 429 [['], ['control-plane-log'], /\bresp=429\b|\) 429 \[\[/);
const longWait = line(
  ['client-side throttling', 'Throttling request took'],
  CHANNELS,
  /(?:Waited (?:for |before sending request[\\"]{0,4} delay=[\\"]{0,4})|Throttling request took )(?<delay>\d{2,4}(?:\.\d{1,9})?s|\d{1,3}m\d[\d.]{0,10}s)/,
);
const registry = line(['toomanyrequests:', 'pull rate limit', 'pull QPS exceeded'], []);

export const cause = defineCause({
  id: 'api-priority-or-rate-limited',
  area: 'control-plane',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'creating', 'other-trouble'],
  effectOf: ['etcd-no-quorum-or-slow'],

  text: {
    name: 'API requests throttled',
    title: 'Requests of {name} to the API server are throttled: {what}',
    why: '{mechanism} What depends on these requests (leases, status updates, mounting ConfigMaps and Secrets, reconciling) is late or times out.',
  },

  clues: {
    // The limiter also gives up when time ran out for another reason, such as a server that does not answer.
    clientLimit: proves(clientLimit, ({ fields }) => fields['error'] !== 'context deadline exceeded'),
    ranOut: supports(clientLimit, ({ fields }) => fields['error'] === 'context deadline exceeded'),
    tooMany: proves(tooMany),
    answered: proves(answered, ({ count }) => count >= 2),
    answeredOnce: supports(answered, ({ count }) => count < 2),
    longWait: supports(longWait),
    registry: excludes(registry),
  },
  says: {
    clientLimit: 'its own client limiter let the request run out of time',
    tooMany: 'the API server answers 429: too many requests{request}',
    ranOut: 'a request ran out of time in the limiter of the client',
    answered: 'the API server notes answers of 429 (too many requests) again and again',
    answeredOnce: 'the API server notes an answer of 429 (too many requests)',
    longWait: 'a request waited {delay} in the client before it was sent',
    registry: 'an image registry or the pull limit of the kubelet throttles, not the API',
  },
  slots: (place, { clientLimit: limited, ranOut, tooMany, answered: noted, answeredOnce: once, longWait: wait }) => {
    const own = limited ?? ranOut;
    const busy = tooMany ?? noted ?? once;
    const delay = wait?.fields['delay'];
    return {
      ...namesOf(place),
      name: place.id.startsWith('Cluster/') ? 'clients' : place.name,
      request: busy?.fields['request'] === undefined ? '' : ` (${busy.fields['request']})`,
      delay: delay ?? 'long',
      what: busy
        ? 'it answers 429, too many requests (API Priority and Fairness)'
        : own
          ? 'the client-side rate limiter (QPS, burst) holds them until they time out'
          : `they wait ${delay ?? 'long'} in the client (QPS, burst)`,
      mechanism: busy
        ? 'The API server has only so many seats for requests at a time and shares them among flows (API Priority and Fairness); when one flow has used its share and its queue is full, further requests are refused with 429.'
        : 'Programs built on client-go limit themselves to a number of requests per second (QPS, burst); this one wants to send more, so requests queue inside the program although the API server is free.',
    };
  },

  fixes: [
    {
      say: 'See who asks so much, and whether the server or the client throttles',
      risk: 'reads-only',
      steps: [
        {
          say: 'refused and waiting requests by flow (server side)',
          run: "kubectl get --raw /metrics | grep -E 'apiserver_flowcontrol_(rejected_requests_total|current_inqueue_requests)' | grep -v ' 0$'",
          on: 'cluster',
        },
        {
          say: 'who asks most',
          run: "kubectl get --raw /metrics | grep ^apiserver_request_total | sort -t' ' -k2 -n -r | head -20",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Client side: raise QPS and burst of the program (often --kube-api-qps, --kube-api-burst), or make it ask less',
      risk: 'restarts-pods',
      for: ['clientLimit', 'ranOut', 'longWait'],
      steps: [
        { say: 'its flags', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
        { say: 'kubelet: kubeAPIQPS and kubeAPIBurst in /var/lib/kubelet/config.yaml', on: 'node' },
      ],
      verified: 'no more throttling lines in its log',
    },
    {
      say: 'Server side: stop the client that floods it, or give the important one a priority level of its own',
      risk: 'restarts-pods',
      for: ['tooMany', 'answered', 'answeredOnce'],
      steps: [
        { say: 'levels and rules', run: 'kubectl get prioritylevelconfigurations,flowschemas', on: 'cluster' },
        { say: 'a larger control plane: --max-requests-inflight and --max-mutating-requests-inflight of kube-apiserver', on: 'node' },
      ],
      verified: 'no more 429 answers',
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: [
    'kubernetes staging/src/k8s.io/client-go/rest/request.go',
    'kubernetes staging/src/k8s.io/apiserver/pkg/server/filters/priority-and-fairness.go',
  ],
});
