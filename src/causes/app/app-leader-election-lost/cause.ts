import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const SAID_BY = ['container-log', 'control-plane-log'] as const;

const lost = line(
  [
    'leaderelection lost',
    'leader election lost',
    'leader-election lost',
    'lost leader lease',
    'Lost lease',
    'leaderelection: lost',
    'stopped leading',
    'lost master',
    'leadership lost',
  ],
  SAID_BY,
  /leader-?[ _]?election:? lost|lost (?:the )?(?:leader )?lease|(?<stopped>\bstopped leading\b)|leadership lost|lost leadership|lost master/i,
);
const notRenewed = line(
  [
    'failed to renew lease',
    'Failed to update lock',
    'error retrieving resource lock',
    'failed to tryAcquireOrRenew',
    'Failed to release lock',
    'update lock optimistically',
  ],
  SAID_BY,
  /failed to renew lease (?<lease>[\w./-]{1,317}?)(?::? (?<error>[^\n]{1,200}))?$|(?:error retrieving resource lock|Failed to update lock(?: optimistically)?)[: ]{1,2}(?:(?<lock>[\w.-]{1,63}\/[\w.-]{1,253}): )?(?<why>[^\n]{1,300})/i,
);
const api = line(
  [
    'etcdserver: request timed out',
    'etcdserver: leader changed',
    'took too long',
    'client rate limiter Wait returned an error',
    'apply request took too long',
  ],
  ['control-plane-log', 'container-log'],
  /etcdserver: (?:request timed out|leader changed)|apply request took too long|client rate limiter Wait returned an error[^\n]{0,60}/,
);
const panic = line(
  ['panic: runtime error', 'goroutine 1 [running]', 'invalid memory address'],
  [],
  /panic: runtime error|invalid memory address or nil pointer/,
);

export const cause = defineCause({
  id: 'app-leader-election-lost',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],
  effectOf: [
    'kubeadm-admin-not-bound',
    'etcd-no-quorum-or-slow',
    'apiserver-down',
    'api-priority-or-rate-limited',
    'clock-skew',
    'disk-io-error',
    'networkpolicy-blocks',
    'overlay-traffic-blocked',
    'kernel-bug-or-hung-task',
    'entropy-or-cpu-steal-virtualisation',
    'controller-manager-down',
    'scheduler-down',
  ],

  text: {
    name: 'Leader election lost',
    title: '{container} exits because it lost its leader election{lease}: it could not renew the lease in time',
    why: 'A controller that leads must renew its lease{lease} every few seconds at the API server. {container} could not ({error}), so it ends itself on purpose, that no two leaders act at once, and is started anew. The fault lies with what it renews against: the API server or etcd answer too slowly, or the way there (or the node itself) stalls.',
  },

  clues: {
    lost: proves(lost, ({ fields }) => fields['stopped'] === undefined),
    stopped: supports(lost, ({ fields }) => fields['stopped'] !== undefined),
    notRenewed: supports(notRenewed),
    api: supports(api),
    panic: excludes(panic),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    lost: 'it says that it lost the leader election',
    stopped: 'it stopped leading',
    notRenewed: 'it cannot renew its lease{lease}: {error}',
    api: 'the API server or etcd answers slowly or not at all',
    panic: 'the program crashes with a stack trace of its own',
    well: 'the pod runs and is ready',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { notRenewed: renewal }) => {
    const lease = renewal?.fields['lease'] ?? renewal?.fields['lock'];
    const error = (renewal?.fields['error'] ?? renewal?.fields['why'])?.replaceAll('\\', '').slice(0, 200);
    const [namespace, name] = lease?.includes('/') ? lease.split('/') : [undefined, lease];
    return {
      ...namesOf(place),
      lease: lease ? ` ${lease}` : '',
      leaseNamespace: namespace ?? 'kube-system',
      leaseName: name ?? '',
      error: error ?? 'no answer in time',
    };
  },

  fixes: [
    {
      say: 'See whether the API server and etcd were slow at that moment, and who else lost its lease then',
      risk: 'reads-only',
      steps: [
        {
          say: 'who restarted at the same time: several controllers at once mean the API',
          run: "kubectl get pods -A --sort-by='.status.containerStatuses[0].lastState.terminated.finishedAt' | tail -20",
          on: 'cluster',
        },
        { say: 'the lease', run: 'kubectl -n {{leaseNamespace}} get lease {{leaseName}} -o wide', on: 'cluster' },
        {
          say: 'slow requests of etcd and the API server',
          run: "kubectl -n kube-system logs -l component=etcd --tail=200 | grep -E 'took too long|slow fdatasync|leader changed'; kubectl get --raw='/readyz?verbose' | tail -5",
          on: 'cluster',
        },
        { say: 'the node of the controller: cpu, disk, clock', run: 'uptime; iostat -x 1 3; chronyc tracking', on: 'node' },
      ],
    },
    {
      say: 'Cure the API: fast disks for etcd, no overload of the API server, a stable network to it',
      risk: 'touches-node',
      steps: [
        { say: 'etcd wants an SSD of its own and fdatasync under 10 ms', run: 'etcdctl endpoint status --cluster -w table', on: 'node' },
        { say: 'more cpu and memory for the control plane, fewer and smaller watches and lists' },
      ],
      verified: 'the restarts of {container} stop',
    },
    {
      say: 'Let the controller wait longer: lease duration, renew deadline and retry period',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'for example --leader-elect-lease-duration=60s --leader-elect-renew-deadline=40s; for CSI sidecars --leader-election-lease-duration; with one replica --leader-elect=false',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'no cpu limit that throttles the controller itself' },
      ],
      verified: 'the restarts of {container} stop',
    },
  ],

  verify: { quietForMinutes: minutes(30) },
  sources: [
    'client-go tools/leaderelection/leaderelection.go',
    'kubernetes cmd/kube-controller-manager/app/controllermanager.go',
    'controller-runtime pkg/manager/internal.go',
  ],
});
