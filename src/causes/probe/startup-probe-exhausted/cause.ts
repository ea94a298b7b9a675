import { entityOf } from '../../../model/entity.ts';
import { defineCause, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

const killedFor = line('failed startup probe', ['pod-events', 'kubelet-log']);
const reported = line(
  ['Startup probe failed', 'Startup probe errored', 'Startup probe for "', 'probeType=Startup'],
  ['pod-events', 'kubelet-log'],
  /(?<probe>Startup) ?(?:probe (?:failed|errored[^:\n]{0,80}|for "[^"\n]{1,300}" (?:failed|errored)[^:\n]{0,40}): |[^\n]{0,300}? output=)(?<unhealthy>[^\n]{1,400})/,
);

export const cause = defineCause({
  id: 'startup-probe-exhausted',
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
  ],
  wakesOn: [on('pod.probe-failure', { probe: 'startup' })],

  text: {
    name: 'Startup probe runs out',
    title: 'Container {container} is not up in time for its startup probe and is killed ({probed}: {failure})',
    why: 'The startup probe ({probed}) still fails with {failure} after {budget}, so the kubelet kills container {container} before it has started up, and it begins again from nothing. The program needs longer, hangs on something, or never serves what is probed.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:crash-loop|restarts|not-ready|failed)$/.test(symptom)),
    killed: needs('pod.event', ({ killedBy }) => killedBy === 'startup-probe'),
    said: proves(killedFor),
    failing: supports('pod.probe-failure', ({ probe }) => probe === 'startup'),
    reported: supports(reported),
    spec: supports('container.probe', ({ probe }) => probe === 'startup'),
    ended: supports('container.terminated', ({ exitCode }) => exitCode === 137 || exitCode === 143),
  },
  says: {
    trouble: 'the container is restarted: {state}',
    killed: 'the kubelet kills {container} because of its startup probe',
    said: 'the kubelet says: {container} failed startup probe',
    failing: 'the startup probe fails: {failure}',
    reported: 'failed startup probes are reported',
    spec: 'the probe gives it {budget} to start',
    ended: 'the run ended by order from outside, exit code {exitCode}',
  },
  slots: (place, { trouble, killed, failing, spec, ended }) => {
    const container = killed?.container ?? failing?.container;
    const own = spec && entityOf(spec.about).name === container ? spec : undefined;
    return {
      ...namesOf(place),
      container: container ?? 'the container',
      named: container ?? '',
      probed: failing?.target ?? 'its target',
      failure: failing?.failure ?? 'it fails',
      state: trouble?.detail ?? 'again and again',
      budget: own?.period !== undefined ? `${(own.delay ?? 0) + own.period * (own.failures ?? 3)} s` : 'failureThreshold x periodSeconds',
      exitCode: ended?.exitCode ?? 137,
    };
  },

  fixes: [
    {
      say: 'Give the start more time: raise failureThreshold or periodSeconds of the startupProbe',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'how far does it get: the log of the killed run',
          run: 'kubectl -n {{namespace}} logs {{target}} -c {{container}} --previous --tail=80',
          on: 'cluster',
        },
        {
          say: 'failureThreshold x periodSeconds must exceed the slowest start',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-set', container: '{{named}}', field: 'startupProbe.failureThreshold', value: 'x5' }],
      verified: 'the container is Ready and no event Killing follows',
    },
    {
      say: 'Correct the startup probe if the program is up but {probed} is not what it serves',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'what it listens on',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c "ss -ltn || netstat -ltn"',
          on: 'cluster',
        },
        { say: 'port, path, scheme or command of the startupProbe', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' },
      ],
      verified: 'no event Unhealthy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/prober/worker.go, pkg/kubelet/kuberuntime/kuberuntime_manager.go'],
});
