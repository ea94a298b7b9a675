import { defineCause, excludes, line, minutes, on, proves, startupFault, supports } from '../../define-cause.ts';

const LOGS = ['control-plane-log', 'container-log', 'system-log'] as const;
const badStart = line(
  [
    'unknown flag: --',
    'invalid argument',
    'unrecognized feature gate',
    'command failed',
    'Error starting controllers',
    'error running controllers',
    'failed to start controllers',
    'unable to load configmap based',
    'error loading config',
    'ailed to start certificate controller',
    'error creating self-signed certificates',
  ],
  LOGS,
  /(?:(?<flag>unknown flag: --[\w-]{2,80})|(?:command failed|Error starting controllers|error running controllers|failed to start controllers)[\\"]{0,4}(?: err=[\\"]{1,4}|: )?(?<fault>[^\n]{3,300}?)(?:[\\"]{1,4}$|$)|(?<value>invalid argument [\\"]{1,4}[^\n]{1,200}|unrecognized feature gate: \w{1,80}|error loading config[^\n]{0,160}|[Ff]ailed to start certificate controller: [^\n]{3,200}|error creating self-signed certificates: [^\n]{3,200}))/m,
);
const cidr = line(
  ['as occupied for node', 'out the range of cluster cidr', 'CIDRNotAvailable'],
  ['control-plane-log', 'node-events'],
  /failed to mark cidr\[?(?<cidr>[\d./a-f:]{4,50})\]?[\s\S]{0,40}? as occupied for node: (?<node>[^\s:]{1,253})|out the range of cluster cidr (?<range>[\d./a-f:]{4,50})/,
);
const lockDenied = line(
  ['error retrieving resource lock', 'Error retrieving lease lock', 'error initially creating lease lock'],
  LOGS,
  /(?:retrieving (?:resource|lease) lock|creating lease lock)[\\"]{0,4}[\s\S]{0,120}?kube-controller-manager[\s\S]{0,300}?(?<fault>is forbidden[^\n]{0,160}|Unauthorized|x509: [^\n"\\]{3,100}|connection refused|context deadline exceeded)/,
);
// No channel: its own last words tell that it had worked until then.
const lostLease = line(
  ['leaderelection lost', 'failed to renew lease', 'lost master'],
  [],
  /leaderelection lost|failed to renew lease kube-system\/kube-controller-manager|lost master$/,
);

function bySelf({ about, channel, by }: { readonly about: string; readonly channel: string; readonly by?: string }): boolean {
  return (/kube-controller-manager/.test(about) || /^kube-controller-manager/.test(by ?? '')) && channel !== 'prose';
}
const ITS_FLAGS =
  /--(?:pod-eviction-timeout|enable-taint-manager|horizontal-pod-autoscaler-[\w-]{3,60}|experimental-cluster-signing-duration|deleting-pods-\w{2,10}|register-retry-count|node-cidr-mask-size\w{0,10}|cluster-signing-[\w-]{3,60}|allocate-node-cidrs|node-monitor-\w[\w-]{3,40}|concurrent-[\w-]{3,60}-syncs|volume-host-[\w-]{3,60})$/;

export const cause = defineCause({
  id: 'controller-manager-down',
  area: 'control-plane',
  at: 'Pod',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'control-plane-down', 'other-trouble'],
  effectOf: ['control-plane-cert-expired', 'apiserver-down', 'etcd-no-quorum-or-slow'],
  wakesOn: [
    on('pod.symptom', { symptom: 'crash-loop' }, { named: 'kube-controller-manager' }),
    on('object.status', { status: 'Unhealthy' }),
  ],

  text: {
    name: 'Controller manager is down',
    title: 'kube-controller-manager does not run: {what}',
    why: 'kube-controller-manager holds the controllers that make ReplicaSets and pods from Deployments and Jobs, fill Endpoints, assign pod CIDRs and mark silent nodes. It does not run ({what}), so objects are accepted and nothing happens: a scaled Deployment gets no pods, deleted things stay, node states are stale.',
  },

  clues: {
    badStart: proves(
      badStart,
      (fact) =>
        bySelf(fact) || ITS_FLAGS.test(fact.fields['flag'] ?? '') || /\/controller-manager\.conf\b/.test(fact.fields['fault'] ?? ''),
    ),
    cidr: proves(cidr),
    podDown: supports('pod.symptom', ({ about }) => /^Pod\/[^/]*\/kube-controller-manager(?:-|$)/.test(about)),
    lockDenied: supports(lockDenied),
    componentStatus: supports(
      'object.status',
      ({ about, status }) => /\/ComponentStatus\/[^/]*\/controller-manager$/.test(about) && status === 'Unhealthy',
    ),
    lostLease: excludes(lostLease),
  },
  says: {
    badStart: 'it ends at its start: {fault}',
    cidr: 'a node has a pod CIDR outside of its --cluster-cidr: {cidr}',
    podDown: 'its pod does not run: {state}',
    lockDenied: 'it cannot get its lease: {lock}',
    componentStatus: 'componentstatuses shows it as Unhealthy',
    lostLease: 'it worked and lost its lease: the API server or etcd is slow',
  },
  slots: (_place, { badStart: end, cidr: range, podDown, lockDenied: lock, componentStatus: status }) => {
    const said = (end?.fields['flag'] ?? end?.fields['value'] ?? end?.fields['fault'])?.replaceAll('\\"', '"').slice(0, 300);
    const fault = startupFault(said) ?? said;
    const net = range?.fields['cidr'] ?? range?.fields['range'];
    const state = podDown?.detail ?? podDown?.symptom;
    return {
      fault: fault ?? 'see its log',
      cidr: net ?? 'see its log',
      state: state ?? 'down',
      lock: lock?.fields['fault'] ?? 'see its log',
      what: range
        ? `the pod CIDR ${net ?? ''} of node ${range.fields['node'] ?? 'NODE'} lies outside of --cluster-cidr`
        : (fault ??
          (lock
            ? `it cannot get its lease (${lock.fields['fault']})`
            : (state ?? (status ? 'its health check fails' : 'its log tells why')))),
    };
  },

  fixes: [
    {
      say: 'Read its last words and its manifest',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pods and the lease it renews',
          run: 'kubectl -n kube-system get pods -l component=kube-controller-manager; kubectl -n kube-system get lease kube-controller-manager',
          on: 'cluster',
        },
        {
          say: 'the log of the last attempt',
          run: 'crictl logs --tail=50 $(crictl ps -a --name kube-controller-manager -q | head -1)',
          on: 'node',
        },
        { say: 'its manifest', run: 'cat /etc/kubernetes/manifests/kube-controller-manager.yaml', on: 'node' },
      ],
    },
    {
      say: 'Correct the flag or file in /etc/kubernetes/manifests/kube-controller-manager.yaml that the message names: {fault}',
      risk: 'touches-node',
      for: ['badStart'],
      steps: [
        {
          say: 'keep a copy outside the manifests folder',
          run: 'cp /etc/kubernetes/manifests/kube-controller-manager.yaml /var/tmp/',
          on: 'node',
        },
        {
          say: 'a CIDR out of range: set --cluster-cidr to the network that the nodes already use',
          run: "kubectl get nodes -o custom-columns='NODE:.metadata.name,CIDR:.spec.podCIDR'",
          on: 'cluster',
        },
        { say: 'edit; the kubelet starts it anew by itself', run: 'vi /etc/kubernetes/manifests/kube-controller-manager.yaml', on: 'node' },
      ],
      verified: 'the lease kube-system/kube-controller-manager is renewed, and Deployments get their pods',
    },
    {
      say: 'Only kubectl get cs calls it Unhealthy while its pod runs: a false alarm of --port=0 in the manifests of 1.18 to 1.23',
      risk: 'touches-node',
      for: ['componentStatus'],
      steps: [
        {
          say: 'take the line out where it stands; kubectl get cs is deprecated, the lease tells more',
          run: "sed -i '/--port=0/d' /etc/kubernetes/manifests/kube-controller-manager.yaml && systemctl restart kubelet",
          on: 'node',
        },
      ],
      verified: 'kubectl get cs shows Healthy',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes cmd/kube-controller-manager/app/controllermanager.go',
    'kubernetes pkg/controller/nodeipam/ipam/range_allocator.go',
  ],
});
