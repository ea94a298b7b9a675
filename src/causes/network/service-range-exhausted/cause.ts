import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const SAID_BY = ['objects', 'object-events', 'control-plane-log', 'container-log'] as const;
const full = line(
  [
    'failed to allocate a serviceIP',
    'failed to allocate a nodePort',
    'failed to allocate a nodeport',
    'failed to allocate requested HealthCheck NodePort',
  ],
  SAID_BY,
  /failed to allocate (?:a |requested HealthCheck )?(?<kind>serviceIP|node[Pp]ort)[^\n]{0,80}?: (?:range is full|[^\n]{0,80}no (?:more )?(?:free|available))/i,
);
const outside = line('is not in the valid range', 'objects', /provided (?:IP|port) (?:\([^)\n]{2,60}\) )?is not in the valid range/);

export const cause = defineCause({
  id: 'service-range-exhausted',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'no-pods', 'pending'],

  text: {
    name: 'No Service address or port left',
    title: 'No further Service can be made: {what} is used up',
    why: 'Every Service takes an address of the range --service-cluster-ip-range of the API server, and every NodePort or LoadBalancer Service takes ports of --service-node-port-range. Here {what} is used up, so Services, and charts and operators that bring some, are refused. Pod addresses have no part in it.',
  },

  clues: {
    full: proves(full),
    outside: excludes(outside),
  },
  says: {
    full: 'the API server has no {kind} left to give: range is full',
    outside: 'an address outside of the range was asked for',
  },
  slots: (_place, { full: said }) => {
    const ports = /port/i.test(said?.fields['kind'] ?? '');
    return {
      kind: ports ? 'node port' : 'Service address',
      what: ports ? 'the range of node ports' : 'the range of Service addresses (ClusterIP)',
    };
  },

  fixes: [
    {
      say: 'See how many Services there are, and delete those nobody uses',
      risk: 'reads-only',
      steps: [
        {
          say: 'by namespace',
          run: 'kubectl get services -A --no-headers | cut -d" " -f1 | sort | uniq -c | sort -rn | head',
          on: 'cluster',
        },
        {
          say: 'the range it has',
          run: 'grep -E "service-cluster-ip-range|service-node-port-range" /etc/kubernetes/manifests/kube-apiserver.yaml',
          on: 'node',
        },
      ],
    },
    {
      say: 'Give the API server a wider range: --service-node-port-range in its manifest, or from Kubernetes 1.33 on a further ServiceCIDR',
      risk: 'touches-node',
      steps: [
        { say: 'ranges of addresses there are', run: 'kubectl get servicecidrs', on: 'cluster' },
        { say: 'the manifest, on every control plane', run: 'vi /etc/kubernetes/manifests/kube-apiserver.yaml', on: 'node' },
      ],
      verified: 'a new Service gets an address',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/registry/core/service/storage/alloc.go, pkg/registry/core/service/ipallocator/interfaces.go'],
});
