import { byDaemons, defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

/** 2 MiB is the limit between the API server and etcd, no business of the kubelet; device plugins have a list of their own. */
const tooLarge = line(
  'message larger than max',
  ['kubelet-log', 'runtime-state', 'containerd-log'],
  /^(?![^\n]{0,600}(?:device plugin|listAndWatch))[\s\S]{0,6000}?grpc: (?:trying to send|received) message larger than max \((?<size>\d{5,12}) vs\. (?<max>(?!2097152\b)\d{5,12})\)/,
);
const pleg = line(
  'PLEG is not healthy',
  ['node-status', 'kubelet-log'],
  /PLEG is not healthy: pleg was last seen active (?<ago>[\dhmsµn.]{2,30}) ago/i,
);
const housekeeping = line(
  'Housekeeping took longer than',
  'kubelet-log',
  /Housekeeping took longer than[^\n]{0,80}?actual="?(?<took>[\dhms.]{2,20})|Housekeeping took longer than (?<old>[\dhms.]{2,20})/i,
);
const relist = line('relisting is slow', 'kubelet-log', /relisting is slow|relist took (?<took>[\dhms.]{2,20})/i);
const cgroupScan = line(
  ['took longer than expected to scan', 'Failed to create existing container'],
  'kubelet-log',
  /took longer than expected to scan/,
);
const slow = line(
  ['desc = context deadline exceeded', 'DeadlineExceeded'],
  [],
  /(?:ListPodSandbox|ListContainers|PodSandboxStatus|ContainerStatus|Unable to retrieve pods|runtime service failed)[^\n]{0,300}?deadline exceeded/i,
);
const gone = line(['containerd.sock: connect:', 'crio.sock: connect:', 'docker.sock: connect:', 'Cannot connect to the Docker daemon'], []);

export const cause = defineCause({
  id: 'kubelet-plegs-or-overload',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['node-not-ready', 'creating', 'stuck-terminating', 'not-ready', 'restarts', 'other-trouble'],

  text: {
    name: 'Too many containers on node',
    title: 'The kubelet of {where} cannot keep up with its containers: {what}',
    why: 'Every second the kubelet lists all pods and containers of {where}, ended ones too (PLEG, relist). With thousands of them, or too little CPU for the kubelet, the list takes longer than three minutes or no longer fits into one gRPC message; then the node turns NotReady, and pods are neither started nor removed. Cron jobs that leave ended pods and sandboxes behind are the usual reason.',
  },

  clues: {
    // Every gRPC program has such a limit; those of the CRI are 8 and 16 MiB.
    tooLarge: proves(
      tooLarge,
      (fact) => byDaemons(fact) || (fact.channel !== 'container-log' && /^(?:16777216|8388608)$/.test(fact.fields['max'] ?? '')),
    ),
    pleg: supports(pleg, ({ fields }) => !(fields['ago'] ?? '').startsWith('2562047h')),
    housekeeping: supports(housekeeping),
    relist: supports(relist),
    cgroupScan: supports(cgroupScan),
    allowed: supports('kubelet.setting', ({ key, value }) => /^max-?pods$/i.test(key) && Number(value) >= 250),
    slow: excludes(slow),
    gone: excludes(gone),
  },
  says: {
    tooLarge: 'the list of containers does not fit a message: {size} of {max} bytes',
    pleg: 'the kubelet could not list the containers for {ago} (PLEG)',
    housekeeping: 'housekeeping of the kubelet takes {took}',
    relist: 'listing the containers is slow',
    cgroupScan: 'walking the cgroups takes longer than expected',
    allowed: 'the node takes up to {pods} pods, far more than the usual 110',
    slow: 'the runtime itself does not answer in time',
    gone: 'the runtime does not listen at all',
  },
  slots: (place, seen) => {
    const ago = seen.pleg?.fields['ago'] ?? 'minutes';
    const size = seen.tooLarge?.fields['size'] ?? 'too many';
    const max = seen.tooLarge?.fields['max'] ?? '16777216';
    return {
      node: place.name,
      where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
      size,
      max,
      ago,
      took: seen.housekeeping?.fields['took'] ?? seen.housekeeping?.fields['old'] ?? 'too long',
      pods: seen.allowed?.value ?? 'hundreds of',
      what: seen.tooLarge
        ? `too many containers, most of them dead, are left on it, and their list is larger than one message may be (${size} of ${max} bytes)`
        : seen.pleg
          ? `PLEG is not healthy, no list for ${ago}`
          : 'its rounds take too long',
    };
  },

  fixes: [
    {
      say: 'Count pods and containers, ended ones too, and see how long a list takes',
      risk: 'reads-only',
      steps: [
        { say: 'more than a few hundred is too many', run: 'time crictl ps -aq | wc -l; crictl pods -q | wc -l', on: 'node' },
        {
          say: 'how many pods the cluster has put there',
          run: 'kubectl get pods -A --field-selector spec.nodeName={{node}} --no-headers | wc -l',
          on: 'cluster',
        },
        { say: 'load of the node', run: 'uptime; cat /proc/pressure/cpu; top -b -n1 | head -20', on: 'node' },
      ],
    },
    {
      say: 'Remove ended containers and sandboxes (garbage collection by hand)',
      risk: 'touches-node',
      steps: [
        {
          say: 'the ended containers, then the sandboxes that are not ready; when crictl fails for the size too, use ctr',
          run: 'crictl ps -a --state Exited -q | xargs -r -n 50 crictl rm; crictl pods --state NotReady -q | xargs -r -n 50 crictl rmp',
          on: 'node',
        },
        { say: 'then restart the kubelet', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'crictl ps -a answers within a second and {where} is Ready',
    },
    {
      say: 'Keep the number down',
      risk: 'moves-pods',
      steps: [
        {
          say: 'jobs: ttlSecondsAfterFinished, small history limits; kubelet: maximum-dead-containers, maxPods 110, kubeReserved CPU',
          run: "kubectl get cronjobs -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,SCHEDULE:.spec.schedule,KEEP:.spec.successfulJobsHistoryLimit; grep -nE 'maxPods|kubeReserved' /var/lib/kubelet/config.yaml",
          on: 'cluster',
        },
        { say: 'spread the load over more nodes', run: 'kubectl cordon {{node}}', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes pkg/kubelet/pleg/generic.go', 'kubernetes issues 63858, 108049, 131407, 45419'],
});
