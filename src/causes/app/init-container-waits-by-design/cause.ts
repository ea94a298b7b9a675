import { defineCause, excludes, isOneOf, minutes, namesOf, on, proves, supports } from '../../define-cause.ts';

/** How wait loops speak of what they wait for. */
const SAYS =
  /(?:still )?waiting (?:for|on|until) (?:the )?(?:service |host |database |db |pod |deployment |job |tcp:\/\/)?["'`]?(?<target>[\w][\w.:/-]{0,252})|(?<unready>[\w][\w.:/-]{0,252}) (?:is )?(?:unavailable - sleeping|not (?:ready|up|available|reachable) yet|is not (?:ready|available))/i;
/** How the tools in such loops report that nothing answers. */
const IN_VAIN =
  /can't (?:resolve|find) '?(?<resolved>[\w.-]{1,253})|bad address '(?<address>[^']{1,253})'|connect to (?<host>[\w.-]{1,253}) (?:\([^)]{1,60}\) )?port \d{1,5}|resolve host:? '?(?<curl>[\w.-]{1,253})|connect to (?<connect>[\w.-]{1,253}) port|(?<postgres>[\w./-]{1,253}:\d{1,5}) - (?:no response|rejecting connections)/i;

/** Commands that loop or wait until something answers. */
const WAITS =
  /\b(?:until|while !|while true|while \[|while :)|wait[-_]?for|wait4|k8s-wait|dockerize .{0,200}-wait|kubectl (?:wait|rollout status)|wait_for|waitfor|pg_isready|mysqladmin .{0,100}ping|--wait\b/i;
/** What such a command asks for. */
const ASKED =
  /(?:nslookup|getent hosts|host|dig|ping(?: -\w+ ?\d*)*|pg_isready -h|mysqladmin .{0,60}-h ?) ?"?(?<name>[a-z0-9][\w.${}()-]{0,252})|(?:nc|ncat|netcat) (?:-\w{1,6} ?\d{0,4} ){0,4}(?<host>[\w.-]{1,253}) (?<port>\d{1,5})|https?:\/\/(?<url>[^\s"'/;]{1,253})|wait[-_]?for(?:-it)?(?:\.sh)? (?<script>[\w.-]{1,253}(?::\d{1,5})?)|tcp:\/\/(?<tcp>[\w.-]{1,253}:\d{1,5})|kubectl wait .{0,100}?(?<object>[a-z]{2,20}\/[\w.-]{1,253})/;

function commandOf(spec: { readonly command?: string; readonly args?: string } | undefined): string {
  return `${spec?.command ?? ''} ${spec?.args ?? ''}`.trim();
}

function isWait(spec: { readonly image: string; readonly command?: string; readonly args?: string }): boolean {
  return WAITS.test(commandOf(spec).slice(0, 1000)) || /wait-?for|dockerize/.test(spec.image);
}

function firstOf(fields: Readonly<Record<string, string | undefined>> | undefined): string | undefined {
  return Object.values(fields ?? {})
    .find((value) => value !== undefined && value !== '')
    ?.replace(/[.,;:]+$/, '');
}

function namedIn(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const text of lines.toReversed()) {
    const name = firstOf(pattern.exec(text.slice(0, 2000))?.groups);
    if (name !== undefined) return name;
  }
  return undefined;
}

export const cause = defineCause({
  id: 'init-container-waits-by-design',
  area: 'app',
  at: 'Workload',
  maturity: 'stable',
  explains: ['init-stuck'],
  effectOf: [
    'longhorn-deployer-waits-for-manager',
    'cluster-dns-misconfigured',
    'networkpolicy-blocks',
    'networkpolicy-default-deny',
    'kube-proxy-down-or-mode-unsupported',
  ],
  wakesOn: [on('pod.symptom', { symptom: 'init-stuck' }), on('container.hangs', { init: true })],

  text: {
    name: 'Init container waits',
    title: 'Init container {container} waits for {waited}, which does not answer',
    why: 'The command of init container {container} is made to wait until {waited} answers, and it never does. Nothing is wrong with the container or the node: the pod goes on by itself as soon as {waited} exists and is reachable.',
  },

  clues: {
    saysSo: proves('container.last-words', ({ lines }) => namedIn(lines, SAYS) !== undefined),
    looksUp: proves('container.last-words', ({ lines }) => namedIn(lines, IN_VAIN) !== undefined),
    command: supports('container.spec', (spec) => spec.init && isWait(spec)),
    named: supports('container.hangs', ({ about, init }) => init && /\/[^/]*(?:wait|until|depend|check-)[^/]*$/.test(about)),
    fails: excludes('pod.symptom', isOneOf('init-crash', 'crash-loop')),
    well: excludes('pod.status', ({ status }) => status === 'Running' || status === 'Completed'),
  },
  says: {
    saysSo: 'its log says that it waits for {waited}',
    looksUp: 'its log shows it asking for {waited} in vain',
    command: 'its command loops until something answers: {command}',
    named: '{container} runs for {minutes} minutes without a restart or an error',
    fails: 'it fails and is restarted; it does not wait',
    well: 'the init containers are done: the pod runs',
  },
  slots: (place, { saysSo, looksUp: asked, command, named }) => {
    const spec = commandOf(command);
    const pattern = ASKED.exec(spec.slice(0, 1000))?.groups;
    const host = pattern?.['host'] !== undefined ? `${pattern['host']}:${pattern['port']}` : firstOf(pattern);
    const target = namedIn(asked?.lines ?? [], IN_VAIN) ?? host ?? namedIn(saysSo?.lines ?? [], SAYS) ?? 'something else';
    const container = (named ?? saysSo ?? asked ?? command)?.about.split('/').at(-1);
    return {
      ...namesOf(place),
      container: container === undefined || container === '?' ? 'of the pod' : container,
      waited: target,
      service: target.replace(/:\d{1,5}$/, '').split('.')[0] ?? target,
      command: spec.length > 120 ? `${spec.slice(0, 119)}…` : spec || 'a wait loop',
      minutes: Math.round((named?.forSeconds ?? 0) / 60),
    };
  },

  fixes: [
    {
      say: 'See whether {waited} exists and answers',
      risk: 'reads-only',
      steps: [
        {
          say: 'Service, endpoints and pods of that name',
          run: 'kubectl get svc,endpointslices,pods -A -o wide | grep -- {{service}}',
          on: 'cluster',
        },
        { say: 'what the wait says now', run: 'kubectl -n {{namespace}} logs {{target}} --all-containers --tail=20', on: 'cluster' },
      ],
    },
    {
      say: 'Create or repair {waited}; the pod then goes on by itself',
      risk: 'reads-only',
      steps: [
        {
          say: 'a missing Service: create it in the namespace the command asks in; a Service without endpoints: its selector matches no ready pod',
          run: 'kubectl -n {{namespace}} get svc,endpoints,pods --show-labels',
          on: 'cluster',
        },
        {
          say: 'a misspelt name, wrong namespace or port in the wait command: correct it',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the init container ends with Completed and the main containers start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/kuberuntime/kuberuntime_container.go (findNextInitContainerToRun)',
    'busybox nslookup, nc and wget messages',
  ],
});
