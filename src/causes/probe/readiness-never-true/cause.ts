import { entityOf, UNKNOWN } from '../../../model/entity.ts';
import { defineCause, excludes, line, minutes, namesOf, needs, on, proves, supports } from '../../define-cause.ts';

const reported = line(
  ['Readiness probe failed', 'Readiness probe errored', 'Readiness probe for "', 'probeType=Readiness'],
  ['pod-events', 'kubelet-log'],
  /(?<probe>Readiness) ?(?:probe (?:failed|errored[^:\n]{0,80}|for "[^"\n]{1,300}" (?:failed|errored)[^:\n]{0,40}): |[^\n]{0,300}? output=)(?<unhealthy>[^\n]{1,400})/,
);

const MEANING: readonly (readonly [failure: RegExp, meaning: string])[] = [
  [/refused/, ' Nothing listens on that port: the program is not up yet, listens on another port or only on 127.0.0.1.'],
  [/timeout/, ' The program, or the way to it, answers later than the probe waits.'],
  [/HTTP 5\d\d/, ' The program itself answers that it cannot serve; its log says what it misses.'],
  [/HTTP 4\d\d/, ' The program runs but does not serve that path to the probe.'],
];

const KINDS: Readonly<Record<string, string>> = { 'http-get': 'httpGet', 'tcp-socket': 'tcpSocket', grpc: 'grpc' };

/** Where the port stands in a probe that `kubectl describe` words so. */
function portFieldOf(text: string | undefined): string {
  const kind = KINDS[text?.split(' ')[0] ?? ''];
  return kind === undefined ? '' : `readinessProbe.${kind}.port`;
}

export const cause = defineCause({
  id: 'readiness-never-true',
  area: 'probe',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready'],
  effectOf: [
    'aws-ipamd-cannot-start',
    'probe-wrong-port-or-path',
    'probe-exec-fails',
    'probe-grpc-unimplemented',
    'probe-blocked-by-network-or-mesh',
    'app-dependency-unreachable',
    'app-listens-on-loopback-only',
    'calico-node-not-ready',
    'coredns-cannot-reach-api',
    'cilium-agent-down',
    'networkpolicy-blocks',
    'overlay-traffic-blocked',
  ],
  wakesOn: [on('pod.probe-failure', { probe: 'readiness' })],

  text: {
    name: 'Readiness probe fails',
    title: '{container} runs but its readiness probe fails ({probed}: {failure})',
    why: 'As long as the readiness probe ({probed}) fails with {failure}, the pod is not Ready, gets no traffic from its Service, and a rollout waits for it. The container is not restarted for that.{meaning}',
  },

  clues: {
    notReady: needs('pod.symptom', ({ symptom }) => symptom === 'not-ready'),
    failing: proves('pod.probe-failure', ({ probe }) => probe === 'readiness'),
    reported: supports(reported),
    spec: supports('container.probe', ({ probe }) => probe === 'readiness'),
    unready: supports('container.running', ({ ready, init }) => ready === false && init !== true),
    brokenOtherwise: excludes('pod.symptom', ({ symptom }) => symptom !== 'not-ready' && symptom !== 'pending'),
    killed: excludes('pod.event', ({ killedBy }) => killedBy === 'liveness-probe' || killedBy === 'startup-probe'),
    gate: excludes('pod.condition', ({ reason }) => reason === 'ReadinessGatesNotReady'),
  },
  says: {
    notReady: 'the pod runs and is not ready: {state}',
    failing: 'the readiness probe fails: {failure}',
    reported: 'failed readiness probes are reported',
    spec: 'what is probed: {specText}',
    unready: 'container {unreadyName} runs and is not ready',
    brokenOtherwise: 'the container does not stay up in the first place',
    killed: 'another probe gets it killed',
    gate: 'a readiness gate is missing, not the probe',
  },
  slots: (place, { notReady, failing, spec, unready }) => {
    const named = (name: string | undefined) => (name === UNKNOWN ? undefined : name);
    const unreadyName = named(unready && entityOf(unready.about).name);
    const container = unreadyName ?? named(failing?.container);
    const failure = failing?.failure ?? 'it fails';
    return {
      ...namesOf(place),
      container: container ?? 'the container',
      named: container ?? '',
      portField: /refused/.test(failure) ? portFieldOf(spec?.text) : '',
      slow: /time|deadline/.test(failure) ? 'readinessProbe.timeoutSeconds' : '',
      unreadyName: unreadyName ?? 'of the pod',
      probed: failing?.target ?? 'its target',
      failure,
      meaning: MEANING.find(([pattern]) => pattern.test(failure))?.[1] ?? '',
      state: notReady?.detail ?? 'not ready',
      specText: spec?.text ?? 'not shown',
    };
  },

  fixes: [
    {
      say: 'Find out why {probed} does not answer, and cure that: the log of {container} and the things it depends on',
      risk: 'reads-only',
      steps: [
        { say: 'what the program says', run: 'kubectl -n {{namespace}} logs {{target}} -c {{container}} --tail=80', on: 'cluster' },
        {
          say: 'what it listens on',
          run: 'kubectl -n {{namespace}} exec {{target}} -c {{container}} -- sh -c "ss -ltn || netstat -ltn"',
          on: 'cluster',
        },
      ],
      verified: 'the pod is Ready and its Service has endpoints',
    },
    {
      say: 'Correct the readiness probe (port, path, scheme, timeout) if the program serves well',
      risk: 'restarts-pods',
      steps: [{ say: 'readinessProbe of {container}', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [{ do: 'workload-set', container: '{{named}}', field: '{{slow}}', value: 'x5' }],
      verified: 'no event Unhealthy',
    },
    {
      say: 'Or let the readiness probe ask the port at which {container} listens',
      risk: 'restarts-pods',
      steps: [{ say: 'port of the readinessProbe', run: 'kubectl -n {{namespace}} edit {{target}}', on: 'cluster' }],
      changes: [
        {
          do: 'workload-set',
          container: '{{named}}',
          field: '{{portField}}',
          value: { ask: 'port', says: 'the port at which the program listens' },
        },
      ],
      verified: 'the pod is Ready and its Service has endpoints',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/prober/prober.go, pkg/kubelet/status/generate.go',
    'kubernetes pkg/probe/http/http.go, pkg/probe/tcp/tcp.go',
  ],
});
