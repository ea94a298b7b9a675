import { entityOf } from '../../../model/entity.ts';
import { defineCause, line, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const killedFor = line('failed startup probe', ['pod-events', 'kubelet-log']);
const failing = line(
  ['Startup probe failed', 'Startup probe errored', 'Startup probe for "', 'probeType=Startup'],
  ['pod-events', 'kubelet-log'],
  /(?:Startup probe (?:failed|errored[^:\n]{0,80}|for "[^"\n]{1,300}" (?:failed|errored)[^:\n]{0,40}): |probeType=Startup[^\n]{0,300}? output=)(?<text>[^\n]{1,400})/,
);

/** How the probe failed, in a few words. */
function failureOf(text: string): string {
  const code = /statuscode: (?<code>\d{3})/.exec(text)?.groups?.['code'];
  if (code !== undefined) return `HTTP ${code}`;
  if (text.includes('connection refused')) return 'connection refused';
  if (/deadline exceeded|timeout|timed out/i.test(text)) return 'timeout';
  if (text.includes('no route to host')) return 'no route to host';
  return text.replace(/\s+/g, ' ').trim().slice(0, 120) || 'it fails';
}

/** What is probed: the address in the error, else what the specification says. */
function targetOf(text: string, spec = ''): string {
  const url = /https?:\/\/[^\s"/]{0,260}?(?<rest>:\d{1,5}(?:\/[^\s"]{0,200})?)(?=["\s]|:? |$)/.exec(text)?.groups?.['rest'];
  const tcp = /dial tcp [^\s"]{1,260}?(?<port>:\d{1,5}): /.exec(text)?.groups?.['port'];
  const found = url?.replace(/:$/, '') ?? tcp;
  if (found !== undefined) return found;
  const said = /^(?:http-get \w{1,10}:\/\/|tcp-socket |grpc )[^\s:]{0,260}(?<target>:\S{1,260})|^exec \[(?<command>[^\]]{1,200})\]/.exec(
    spec,
  )?.groups;
  return said?.['target'] ?? said?.['command'] ?? 'its target';
}

function namesOf({ type, name, namespace }: { readonly type?: string; readonly name: string; readonly namespace?: string }) {
  return {
    target: type === undefined || type === '?' || name.includes(' ') ? 'deployment/NAME' : `${type.toLowerCase()}/${name}`,
    namespace: namespace === undefined || namespace === '?' ? 'NAMESPACE' : namespace,
  };
}

export const cause = defineCause({
  id: 'startup-probe-exhausted',
  area: 'probe',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed'],
  effectOf: [
    'probe-wrong-port-or-path',
    'probe-exec-fails',
    'probe-blocked-by-network-or-mesh',
    'probe-grpc-unimplemented',
    'cpu-throttling-starvation',
    'oom-container-limit',
    'app-dependency-unreachable',
  ],
  wakesOn: [on('pod.event', { killedBy: 'startup-probe' })],

  text: {
    name: 'Startup probe runs out',
    title: 'Container {container} is not up in time for its startup probe and is killed ({probed}: {failure})',
    why: 'The startup probe ({probed}) still fails with {failure} after {budget}, so the kubelet kills container {container} before it has started up, and it begins again from nothing. The program needs longer, hangs on something, or never serves what is probed.',
  },

  clues: {
    trouble: needs('pod.symptom', ({ symptom }) => /^(?:crash-loop|restarts|not-ready|failed)$/.test(symptom)),
    killed: needs('pod.event', ({ killedBy }) => killedBy === 'startup-probe'),
    said: proves(killedFor),
    failing: supports(failing),
    spec: supports('container.probe', ({ probe }) => probe === 'startup'),
    ended: supports('container.terminated', ({ exitCode }) => exitCode === 137 || exitCode === 143),
  },
  says: {
    trouble: 'the container is restarted: {state}',
    killed: 'the kubelet kills {container} because of its startup probe',
    said: 'the kubelet says: {container} failed startup probe',
    failing: 'the startup probe fails: {failure}',
    spec: 'the probe gives it {budget} to start',
    ended: 'the run ended by order from outside, exit code {exitCode}',
  },
  slots: (place, { trouble, killed, failing: failed, spec, ended }) => {
    const container = killed?.container ?? (spec ? entityOf(spec.about).name : undefined);
    const own = spec && entityOf(spec.about).name === container ? spec : undefined;
    const text = failed?.fields['text'] ?? '';
    return {
      ...namesOf(place),
      container: container ?? 'the container',
      probed: targetOf(text, own?.text),
      failure: failureOf(text),
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
