import { defineCause, excludes, line, minutes, on, proves, startupFault, supports } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'container-log', 'system-log'] as const;
const badStart = line(
  [
    'unknown flag: --',
    'invalid argument',
    'unrecognized feature gate',
    'command failed',
    'KubeSchedulerConfiguration',
    'kubescheduler.config.k8s.io',
    'initializing profiles',
    'scheduler config',
  ],
  LOGS,
  /(?:(?<flag>unknown flag: --[\w-]{2,80})|command failed[\\"]{0,4}(?: err=[\\"]{1,4}|: )(?<fault>[^\n]{3,300}?)(?:[\\"]{1,4}$|$)|(?<value>invalid argument [\\"]{1,4}[^\n]{1,200}|unrecognized feature gate: \w{1,80}|no kind [\\"]{1,4}\w{3,80}[\\"]{1,4} is registered for version [\\"]{1,4}kubescheduler\.config\.k8s\.io[^\n]{1,200}|no kind [\\"]{1,4}KubeSchedulerConfiguration[^\n]{1,200}|initializing profiles: [^\n]{3,200}))/m,
);
const lockDenied = line(
  ['error retrieving resource lock', 'Error retrieving lease lock', 'error initially creating lease lock'],
  LOGS,
  /(?:retrieving (?:resource|lease) lock|creating lease lock)[\\"]{0,4}[\s\S]{0,120}?kube-scheduler[\s\S]{0,300}?(?<fault>is forbidden[^\n]{0,160}|Unauthorized|x509: [^\n"\\]{3,100}|connection refused|context deadline exceeded)/,
);
// No channel: its own last words tell that it had worked until then.
const lostLease = line(
  ['leaderelection lost', 'failed to renew lease', 'lost master'],
  [],
  /leaderelection lost|failed to renew lease kube-system\/kube-scheduler|lost master$/,
);
/** Flags that only it has or had, so the name of the program need not stand beside them. */
const ITS_FLAGS =
  /--(?:policy-config(?:-file|map[\w-]{0,20})|algorithm-provider|use-legacy-policy-config|hard-pod-affinity-symmetric-weight|pod-max-in-unschedulable-pods-duration)$/;
const DOWN = /^(?:crash-loop|restarts|not-ready|image-pull|create-error|config-error|creating|failed|evicted|oom)$/;

function bySelf({ about, channel, by }: { readonly about: string; readonly channel: string; readonly by?: string }): boolean {
  return (/kube-scheduler/.test(about) || /^kube-scheduler/.test(by ?? '')) && channel !== 'prose';
}

export const cause = defineCause({
  id: 'scheduler-down',
  area: 'control-plane',
  at: 'Cluster',
  maturity: 'stable',
  explains: ['control-plane-down', 'other-trouble'],
  effectOf: ['control-plane-cert-expired', 'apiserver-down', 'etcd-no-quorum-or-slow', 'control-plane-on-mismatched-runtime'],
  wakesOn: [
    on('pod.symptom', { symptom: 'crash-loop' }, { named: 'kube-scheduler' }),
    on('container.runtime-state', { state: 'exited' }, { named: 'kube-scheduler' }),
    on('object.status', { status: 'Unhealthy' }),
  ],

  text: {
    name: 'Scheduler is down',
    title: 'kube-scheduler does not run: {what}',
    why: 'kube-scheduler chooses a node for every new pod. It does not run ({what}), so new pods stay Pending without any event, on a cluster with free nodes; pods that have a node go on.',
  },

  clues: {
    badStart: proves(
      badStart,
      (fact) =>
        bySelf(fact) ||
        ITS_FLAGS.test(fact.fields['flag'] ?? '') ||
        /KubeSchedulerConfiguration|kubescheduler\.config|initializing profiles|\/scheduler\.conf\b/.test(
          `${fact.fields['value']} ${fact.fields['fault']}`,
        ),
    ),
    badConfig: proves(badStart, ({ fields }) =>
      /no kind [\\"]{1,4}\w{3,80}[\\"]{1,4} is registered for version [\\"]{1,4}kubescheduler\.config/.test(
        `${fields['value']} ${fields['fault']}`,
      ),
    ),
    podDown: supports('pod.symptom', ({ about, symptom }) => /^Pod\/[^/]*\/kube-scheduler(?:-|$)/.test(about) && DOWN.test(symptom)),
    exited: supports('container.runtime-state', ({ about, state }) => /\/kube-scheduler(?:-|\/|$)/.test(about) && /exited/i.test(state)),
    lockDenied: supports(lockDenied),
    componentStatus: supports(
      'object.status',
      ({ about, status }) => /\/ComponentStatus\/[^/]*\/scheduler$/.test(about) && status === 'Unhealthy',
    ),
    lostLease: excludes(lostLease),
  },
  says: {
    badStart: 'it ends at its start: {fault}',
    badConfig: 'its configuration file is of an API version it does not know',
    podDown: 'its pod does not run: {state}',
    exited: 'its container has exited',
    lockDenied: 'it cannot get its lease: {lock}',
    componentStatus: 'componentstatuses shows it as Unhealthy',
    lostLease: 'it worked and lost its lease: the API server or etcd is slow',
  },
  slots: (_place, { badStart: end, podDown, lockDenied: lock, componentStatus: status }) => {
    const said = (end?.fields['flag'] ?? end?.fields['value'] ?? end?.fields['fault'])?.replaceAll('\\"', '"').slice(0, 300);
    const fault = startupFault(said) ?? said;
    const state = podDown?.detail ?? podDown?.symptom;
    return {
      fault: fault ?? 'see its log',
      state: state ?? 'down',
      lock: lock?.fields['fault'] ?? 'see its log',
      what:
        fault ??
        (lock ? `it cannot get its lease (${lock.fields['fault']})` : (state ?? (status ? 'its health check fails' : 'its log tells why'))),
    };
  },

  fixes: [
    {
      say: 'Write its configuration file for an API version that this release knows (v1 since 1.25; v1beta3 up to 1.28, v1beta2 up to 1.27, v1beta1 up to 1.22)',
      risk: 'touches-node',
      for: ['badConfig'],
      steps: [
        {
          say: 'its release, and the file it is given',
          run: 'kube-scheduler --version; grep -rn -- "--config" /etc/kubernetes/manifests/kube-scheduler.yaml /etc/systemd/system/kube-scheduler.service',
          on: 'node',
        },
        {
          say: 'set apiVersion: kubescheduler.config.k8s.io/v1 there (or the one of the list above), mind that plugins changed names, and restart it',
          run: 'vi FILE; systemctl restart kube-scheduler',
          on: 'node',
        },
      ],
      verified: 'the waiting pods have the event Scheduled',
    },
    {
      say: 'Read its last words and its manifest',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pods and the lease it renews',
          run: 'kubectl -n kube-system get pods -l component=kube-scheduler; kubectl -n kube-system get lease kube-scheduler',
          on: 'cluster',
        },
        { say: 'the log of the last attempt', run: 'crictl logs --tail=50 $(crictl ps -a --name kube-scheduler -q | head -1)', on: 'node' },
        { say: 'its manifest', run: 'cat /etc/kubernetes/manifests/kube-scheduler.yaml', on: 'node' },
      ],
    },
    {
      say: 'Correct the flag, configuration file or kubeconfig in /etc/kubernetes/manifests/kube-scheduler.yaml: {fault}',
      risk: 'touches-node',
      for: ['badStart'],
      steps: [
        { say: 'keep a copy outside the manifests folder', run: 'cp /etc/kubernetes/manifests/kube-scheduler.yaml /var/tmp/', on: 'node' },
        { say: 'edit; the kubelet starts it anew by itself', run: 'vi /etc/kubernetes/manifests/kube-scheduler.yaml', on: 'node' },
        { say: 'an expired or missing scheduler.conf', run: 'kubeadm certs renew scheduler.conf', on: 'node' },
      ],
      verified: 'the waiting pods have the event Scheduled',
    },
    {
      say: 'Only kubectl get cs calls it Unhealthy while its pod runs: a false alarm of --port=0 in the manifests of 1.18 to 1.23',
      risk: 'touches-node',
      for: ['componentStatus'],
      steps: [
        {
          say: 'take the line out where it stands; kubectl get cs is deprecated, the lease tells more',
          run: "sed -i '/--port=0/d' /etc/kubernetes/manifests/kube-scheduler.yaml && systemctl restart kubelet",
          on: 'node',
        },
      ],
      verified: 'kubectl get cs shows Healthy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kube-scheduler/app/server.go, cmd/kube-scheduler/app/options'],
});
