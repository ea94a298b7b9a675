import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const DIAL = String.raw`dial tcp (?:lookup )?(?<address>[\w.:[\]-]{3,80}?): (?<error>i\/o timeout|connect: [a-z ]{8,40}|no such host)`;

const plugin = line(
  ['plugin/kubernetes: '],
  'container-log',
  new RegExp(
    `plugin/kubernetes: [\\s\\S]{0,300}?(?:Get|Post|Watch)? ?[\\\\"“”]{0,8}https://[\\s\\S]{0,300}?(?:${DIAL}|(?<trust>x509: [^\\n]{5,120}|Unauthorized))`,
  ),
);
const reflector = line(
  ['Failed to list *v1', 'Failed to watch *v1', 'failed to list *v1'],
  'container-log',
  new RegExp(`ailed to (?:list|watch) \\*v1\\w{0,10}\\.\\w{4,20}: [\\s\\S]{0,400}?${DIAL}`),
);
const forbidden = line(
  ['is forbidden: User'],
  'container-log',
  /(?<resource>endpointslices\.discovery\.k8s\.io|endpoints|services|namespaces|pods|nodes) is forbidden: User [\\"“”]{1,8}(?<user>system:serviceaccount:[\w-]{1,63}:(?:[\w-]{0,40}coredns[\w-]{0,40}|kube-dns))/,
);
const waits = line(
  [
    'Plugins not ready: "kubernetes',
    'Still waiting on: "kubernetes',
    'waiting for Kubernetes API before starting server',
    'with unsynced Kubernetes API',
    'Kubernetes API connection failure',
  ],
  'container-log',
  /(?:Plugins not ready: "kubernetes|Still waiting on: "kubernetes|waiting for Kubernetes API before starting server|starting server with unsynced Kubernetes API|Kubernetes API connection failure)/,
);
const otherFault = line(
  ['plugin/loop: Loop', 'plugin/loop: Forwarding loop', 'Error during parsing'],
  'container-log',
  /(?:plugin\/loop: (?:Loop \(|Forwarding loop)|Error during parsing)/,
);

function isCoreDns({ about }: { readonly about: string }): boolean {
  return /coredns|kube-dns|node-local-dns|nodelocaldns/i.test(about);
}

export const cause = defineCause({
  id: 'coredns-cannot-reach-api',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['not-ready', 'crash-loop', 'restarts', 'failed', 'other-trouble'],
  effectOf: [
    'kube-proxy-down-or-mode-unsupported',
    'firewalld-or-security-agent-interferes',
    'ip-forward-or-rp-filter',
    'overlay-traffic-blocked',
    'cni-conf-invalid-or-duplicate',
    'flannel-wrong-interface',
    'apiserver-down',
    'networkpolicy-blocks',
  ],

  text: {
    name: 'CoreDNS does not reach the API',
    title: 'CoreDNS {what}, so it serves no cluster names',
    why: 'The kubernetes plugin of CoreDNS loads Services and endpoints from the API server through its service address. It {what}. Until that succeeds CoreDNS stays unready (0/1) and no name of the cluster resolves; other programs then fail with DNS errors. {hint}',
  },

  clues: {
    plugin: proves(plugin),
    reflector: proves(reflector, isCoreDns),
    forbidden: proves(forbidden),
    waitsLong: proves(waits, ({ count }) => count >= 3),
    waits: supports(waits),
    unready: supports('pod.probe-failure', (fact) => isCoreDns(fact) && /503/.test(fact.failure)),
    otherFault: excludes(otherFault),
  },
  says: {
    plugin: 'the kubernetes plugin gets no answer from {address}: {error}',
    reflector: 'CoreDNS cannot list objects at {address}: {error}',
    forbidden: 'CoreDNS may not list {resource}',
    waitsLong: 'the kubernetes plugin is not ready, again and again',
    waits: 'the kubernetes plugin waits for the API server',
    unready: 'its readiness check answers 503',
    otherFault: 'CoreDNS ends for a reason of its own: a loop or a broken Corefile',
  },
  slots: (place, { plugin: said, reflector: lists, forbidden: denied }) => {
    const known = said?.fields['address'] ?? lists?.fields['address'];
    const address = known ?? 'the API server';
    const error = (said?.fields['error'] ?? said?.fields['trust'] ?? lists?.fields['error'] ?? 'no answer').replace(/^connect: /, '');
    const resource = denied?.fields['resource'] ?? 'objects of the cluster';
    return {
      address,
      server: known ?? '10.96.0.1:443',
      error,
      resource,
      namespace: place.namespace === undefined || place.namespace === '?' ? 'kube-system' : place.namespace,
      what: denied
        ? `is not allowed to list ${resource} (forbidden)`
        : `cannot reach the API server${known ? ` at ${known}` : ''} (${error})`,
      hint: denied
        ? 'Its ClusterRole is older than its image: an upgrade brought a CoreDNS that needs endpointslices.'
        : /no route/.test(error)
          ? '"No route to host" mostly is a host firewall (firewalld) that rejects pod traffic.'
          : 'A timeout there means that kube-proxy has no rules on this node, that a firewall drops the packets, or that the pod network does not reach the control plane.',
    };
  },

  fixes: [
    {
      say: 'Try the API server from the node and from a pod',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the node of the CoreDNS pod; any answer (even 401 or 403) is good',
          run: 'curl -k -m 5 https://{{server}}/livez',
          on: 'node',
        },
        {
          say: 'from a pod',
          run: 'kubectl run probe --rm -it --restart=Never --image=curlimages/curl -- -k -m 5 https://kubernetes.default.svc/livez --resolve kubernetes.default.svc:443:10.96.0.1',
          on: 'cluster',
        },
        {
          say: 'endpoints of the service must be the real addresses of the API servers',
          run: 'kubectl get endpoints kubernetes -o wide',
          on: 'cluster',
        },
        {
          say: 'kube-proxy and the pod network on that node',
          run: 'kubectl -n kube-system get pods -o wide | grep -Ei "proxy|flannel|calico|cilium"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where rights are missing: let the role list endpointslices',
      risk: 'restarts-pods',
      for: ['forbidden'],
      steps: [
        {
          say: 'add apiGroups ["discovery.k8s.io"], resources ["endpointslices"], verbs ["list","watch"]',
          run: 'kubectl edit clusterrole system:coredns',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make the way to the API server free: kube-proxy, host firewall, IP forwarding, pod network',
      risk: 'touches-node',
      for: ['plugin', 'reflector'],
      steps: [
        { say: 'kube-proxy must run and be up to date', run: 'kubectl -n kube-system rollout restart daemonset kube-proxy', on: 'cluster' },
        {
          say: 'host firewall: stop it, or put the pod network into a trusted zone',
          run: 'systemctl disable --now firewalld',
          on: 'node',
          family: 'rhel',
        },
        { say: 'host firewall: stop it, or allow routed traffic', run: 'ufw disable', on: 'node', family: 'debian' },
        { say: 'forwarding', run: 'sysctl -w net.ipv4.ip_forward=1', on: 'node' },
        { say: 'start CoreDNS anew', run: 'kubectl -n {{namespace}} rollout restart deployment coredns', on: 'cluster' },
      ],
      verified: 'the CoreDNS pods are 1/1 and nslookup kubernetes.default works in a pod',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['coredns plugin/kubernetes, plugin/ready', 'kubernetes client-go tools/cache/reflector.go'],
});
