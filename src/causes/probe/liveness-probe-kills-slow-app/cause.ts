import { entityOf } from '../../../model/entity.ts';
import { defineCause, excludes, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

const killedFor = line(['failed liveness probe', 'is unhealthy, it will be killed'], ['pod-events', 'kubelet-log']);
const reported = line(
  ['Liveness probe failed', 'Liveness probe errored', 'Liveness probe for "', 'probeType=Liveness'],
  ['pod-events', 'kubelet-log'],
  /(?<probe>Liveness) ?(?:probe (?:failed|errored[^:\n]{0,80}|for "[^"\n]{1,300}" (?:failed|errored)[^:\n]{0,40}): |[^\n]{0,300}? output=)(?<unhealthy>[^\n]{1,400})/,
);

/** The probe was never run: the runtime could not start it. */
const noFork = line(
  ['resource temporarily unavailable'],
  [],
  /OCI runtime exec failed: [^\n]{0,200}?fork\/exec \S{1,120}: resource temporarily unavailable/,
);

const MEANING: readonly (readonly [failure: RegExp, meaning: string])[] = [
  [
    /refused/,
    ' Nothing listens on that port when the probe comes: the program takes longer to start than the probe waits, hangs, or the probe has the wrong port.',
  ],
  [/timeout/, ' The program answers later than the probe waits: it is too slow, starved of cpu, or waits for something itself.'],
  [/HTTP 5\d\d/, ' The program answers that it is not healthy; its log says why.'],
  [/HTTP 4\d\d/, ' The program runs but does not serve that path to the probe.'],
];

export const cause = defineCause({
  id: 'liveness-probe-kills-slow-app',
  area: 'probe',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed'],
  effectOf: [
    'aws-ipamd-cannot-start',
    'probe-wrong-port-or-path',
    'probe-exec-fails',
    'probe-blocked-by-network-or-mesh',
    'probe-grpc-unimplemented',
    'cpu-throttling-starvation',
    'oom-container-limit',
    'app-dependency-unreachable',
    'app-listens-on-loopback-only',
    'probe-self-inflicted-cascade',
  ],
  wakesOn: [on('pod.probe-failure', { probe: 'liveness' })],

  text: {
    name: 'Liveness probe kills container',
    title: 'The liveness probe of {container} fails and gets it killed ({probed}: {failure})',
    why: 'The program does not end by itself: after {failures} failed liveness probes in a row ({probed}, {failure}) the kubelet kills container {container} and starts it anew.{meaning}',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:crash-loop|restarts|not-ready|failed)$/.test(symptom)),
    killed: needs('pod.event', ({ killedBy }) => killedBy === 'liveness-probe'),
    said: proves(killedFor),
    failing: supports('pod.probe-failure', ({ probe }) => probe === 'liveness'),
    reported: supports(reported),
    spec: supports('container.probe', ({ probe }) => probe === 'liveness'),
    ended: supports('container.terminated', ({ exitCode }) => exitCode === 137 || exitCode === 143),
    silentStops: excludes('pod.silent-stops'),
    noFork: excludes(noFork),
  },
  says: {
    trouble: 'the container is restarted: {state}',
    killed: 'the kubelet kills {container} because of its liveness probe',
    said: 'the kubelet says: {container} failed liveness probe',
    failing: 'the liveness probe fails: {failure}',
    reported: 'failed liveness probes are reported',
    spec: 'the probe allows {budget}',
    ended: 'the run ended by order from outside, exit code {exitCode}',
    silentStops: 'the kubelet stops it without naming a probe',
    noFork: 'the node cannot start any more processes, so no probe can be run',
  },
  slots: (place, { trouble, killed, failing, spec, ended }) => {
    const container = killed?.container ?? failing?.container;
    const own = spec && entityOf(spec.about).name === container ? spec : undefined;
    const failure = failing?.failure ?? 'it fails';
    const seconds = (own?.delay ?? 0) + (own?.period ?? 10) * (own?.failures ?? 3);
    return {
      ...namesOf(place),
      container: container ?? 'the container',
      named: container ?? '',
      probed: failing?.target ?? 'its target',
      failure,
      failures: own?.failures ?? 3,
      meaning: MEANING.find(([pattern]) => pattern.test(failure))?.[1] ?? '',
      state: trouble?.detail ?? 'again and again',
      budget: `${seconds} s until the first kill, ${own?.timeout ?? 1} s for each answer`,
      exitCode: ended?.exitCode ?? 137,
    };
  },

  fixes: [
    {
      say: 'Give the program the time it needs: a startupProbe, a longer timeoutSeconds, a higher failureThreshold',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'ask as the kubelet does, from a pod or node: does {probed} answer, and how fast',
          run: 'kubectl -n {{namespace}} describe {{target}} | grep -E "Liveness|Readiness|Startup"; kubectl -n {{namespace}} logs {{target}} -c {{container}} --previous --tail=50',
          on: 'cluster',
        },
        {
          say: 'slow start: add a startupProbe with the same check (failureThreshold x periodSeconds = longest start); slow answers: raise timeoutSeconds and failureThreshold',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [
        { do: 'workload-set', container: '{{named}}', field: 'livenessProbe.failureThreshold', value: 'x5' },
        { do: 'workload-set', container: '{{named}}', field: 'livenessProbe.timeoutSeconds', value: 'x3' },
      ],
      verified: 'no event Killing and no new restart for 10 minutes',
    },
    {
      say: 'Correct the liveness probe (port, path, scheme, command) if the program never serves {probed}, or remove the probe for a test',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'a liveness probe must test only the process itself, never what it depends on',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'no event Unhealthy',
    },
    {
      say: 'Raise or remove the cpu limit of {container} if it is throttled',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'throttled periods of the container',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- cat /sys/fs/cgroup/cpu.stat',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/prober/worker.go, pkg/kubelet/kuberuntime/kuberuntime_manager.go', 'kubernetes pkg/probe/http/http.go'],
});
