import { defineCause, excludes, line, minutes, namesOf, needs, on, supports } from '../../define-cause.ts';

const THINGS =
  'database|\\bdb\\b|datasource|postgres|mysql|mariadb|oracle|redis|mongo|kafka|rabbit|amqp|elastic|zookeeper|etcd|ldap|upstream|backend|dependency|broker|vault|s3\\b|memcached';

const namesDependency = line(
  ['Liveness probe failed', 'Liveness probe errored'],
  ['pod-events', 'kubelet-log'],
  new RegExp(
    `Liveness probe (?:failed|errored)[^\\n]{0,300}?(?<dependency>${THINGS})[^\\n]{0,120}?(?:down\\b|unhealthy|unavailable|unreachable|refused|timed? ?out|not (?:ready|available|connected|reachable)|fail|error|no response)`,
    'i',
  ),
);
const ownHealth = line(
  ['"status":"DOWN"', '"status": "DOWN"', 'health indicator', 'HealthIndicator', 'Health check failed', 'health check for'],
  ['container-log', 'pod-events'],
  new RegExp(
    `(?<dependency>${THINGS})[^\\n]{0,80}?"status": ?"DOWN"|(?<indicator>\\w{2,40})HealthIndicator[^\\n]{0,100}?(?:fail|down|timed? ?out|error)|[Hh]ealth check (?:failed )?(?:for |of )?(?<checked>${THINGS})[^\\n]{0,80}?(?:fail|down|unhealthy|timed? ?out)`,
    'i',
  ),
);
const refused = line(['Liveness probe failed'], [], /Liveness probe failed[^\n]{0,200}?connect: connection refused/);

/** Paths that report on everything the program needs, not only on the program. */
const WHOLE =
  /\/(?:actuator\/health|health\/ready|ready|readyz|readiness|health\/full|health\/all|deep|status\/all)(?:\?\S{0,100})?(?: |$)/;

export const cause = defineCause({
  id: 'probe-self-inflicted-cascade',
  area: 'probe',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['restarts', 'crash-loop', 'not-ready', 'failed'],
  effectOf: ['app-dependency-unreachable', 'coredns-cannot-reach-api', 'networkpolicy-blocks'],
  wakesOn: [on('pod.probe-failure', { probe: 'liveness' })],

  text: {
    name: 'Liveness probe tests a dependency',
    title: 'The liveness probe of {name} tests {dependency}, so an outage there restarts every replica',
    why: 'A liveness probe should only tell whether the process itself is stuck. This one fails when {dependency} does not answer: the kubelet then kills healthy containers, all replicas at about the same time, and the restarts make the outage worse while they cure nothing.',
  },

  clues: {
    failing: needs('pod.probe-failure', ({ probe }) => probe === 'liveness'),
    namesDependency: supports(namesDependency),
    ownHealth: supports(ownHealth),
    answers: supports('pod.probe-failure', ({ probe, failure }) => probe === 'liveness' && /^HTTP 5\d\d/.test(failure)),
    whole: supports('container.probe', ({ probe, text }) => probe === 'liveness' && WHOLE.test(text)),
    refused: excludes(refused),
  },
  says: {
    failing: 'the liveness probe fails: {failure}',
    namesDependency: 'the answer to the liveness probe blames {dependency}',
    ownHealth: 'its health report says that {dependency} is down',
    answers: 'the program answers the probe itself, with {failure}',
    whole: 'the probe asks for the whole health: {path}',
    refused: 'the program does not listen at all',
  },
  slots: (place, { failing, namesDependency: named, ownHealth: report, whole }) => {
    const dependency =
      named?.fields['dependency'] ?? report?.fields['dependency'] ?? report?.fields['indicator'] ?? report?.fields['checked'];
    return {
      ...namesOf(place),
      name: place.name,
      named: whole?.about.split('/').at(-1) ?? '',
      livenessPath: whole?.text.startsWith('http-get') ? 'livenessProbe.httpGet.path' : '',
      dependency: dependency ? dependency.toLowerCase() : 'more than the process itself',
      failure: failing?.failure ?? 'it fails',
      path: whole?.text.split(' delay=')[0] ?? 'not shown',
    };
  },

  fixes: [
    {
      say: 'See what the liveness probe asks, and whether all replicas were killed together',
      risk: 'reads-only',
      steps: [
        {
          say: 'the probes',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A8 'livenessProbe:|readinessProbe:'",
          on: 'cluster',
        },
        { say: 'restart times of the replicas', run: 'kubectl -n {{namespace}} get pods -o wide', on: 'cluster' },
      ],
    },
    {
      say: 'Let the liveness probe test the process only; dependencies belong into the readiness probe',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for Spring Boot /actuator/health/liveness instead of /actuator/health; else a path that answers without asking anybody, or a tcpSocket probe',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: '{{livenessPath}}',
          value: { ask: 'path', says: 'a path that answers without asking anybody, such as /livez' },
        },
      ],
      verified: 'an outage of the dependency makes pods unready, but restarts none',
    },
    {
      say: 'Bring the dependency back: {dependency}',
      risk: 'reads-only',
      steps: [
        { say: 'its pods, endpoints and log', run: 'kubectl get svc,endpointslices,pods -A | grep -i {{dependency}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes pkg/kubelet/prober/worker.go', 'Spring Boot actuator, Kubernetes probes'],
});
