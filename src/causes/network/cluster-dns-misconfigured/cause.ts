import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const PUBLIC = String.raw`127\.0\.0\.\d{1,3}|8\.8\.[48]\.[48]|1\.[01]\.[01]\.1|9\.9\.9\.9|114\.114\.11[45]\.11[0459]|223\.[56]\.5\.5|223\.6\.6\.6|119\.29\.29\.29|180\.76\.76\.76|168\.63\.129\.16|169\.254\.169\.25[34]|100\.100\.2\.13[68]|183\.60\.8[23]\.19|208\.67\.22[02]\.22[02]|192\.168\.\d{1,3}\.1|\[::1\]`;

const noSetting = line(
  ['does not have ClusterDNS IP configured', 'MissingClusterDNS'],
  ['pod-events', 'kubelet-log'],
  /(?:does not have ClusterDNS IP configured|MissingClusterDNS)/,
);
/** A name only the cluster knows was asked of somebody else. */
const wrongServer = line(
  ['.svc on ', '.svc.cluster.local on ', '.cluster.local on ', '.cluster.local. on ', '.svc: no such host'],
  'container-log',
  new RegExp(
    `lookup (?<name>[\\w.-]{1,253}?\\.(?:svc|cluster\\.local)\\.?[\\w.]{0,60}) on (?<server>${PUBLIC}):53: (?<error>[^\\n]{3,80})`,
  ),
);
const nodeCache = line(
  ['169.254.20.10:53', '169.254.25.10:53'],
  'container-log',
  /(?<server>169\.254\.2[05]\.10):53: (?:read udp \S{7,80}: )?(?:read: |connect: )?(?<error>connection refused|i\/o timeout|no route to host|network is unreachable)/,
);
const podFile = line(['nameserver '], 'host-tools', new RegExp(`(?:^|\\s)nameserver (?<server>${PUBLIC})(?:\\s|$)`));
const noAnswer = line(
  [':53: i/o timeout', ':53: read: connection refused'],
  ['container-log', 'pod-events', 'host-tools'],
  /->(?:10|172)\.\d{1,3}\.\d{1,3}\.10:53: (?:i\/o timeout|read: connection refused)/,
);

function isInPod({ about }: { readonly about: string }): boolean {
  return about.startsWith('Pod/') || about.startsWith('Container/');
}

function isAskedElsewhere({
  server,
  result,
  target,
}: {
  readonly server?: string;
  readonly result: string;
  readonly target: string;
}): boolean {
  return (
    result === 'unresolved' &&
    server !== undefined &&
    new RegExp(`^(?:${PUBLIC})$`).test(server) &&
    /\.svc|\.cluster\.local|^kubernetes/.test(target)
  );
}

export const cause = defineCause({
  id: 'cluster-dns-misconfigured',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'init-stuck', 'init-crash', 'failed', 'other-trouble'],
  wakesOn: [on('net.attempt', { result: 'unresolved' })],

  text: {
    name: 'Pods use the wrong DNS',
    title: 'Pods on {node} ask the wrong DNS server: {what}',
    why: 'The kubelet writes /etc/resolv.conf of each pod from its setting clusterDNS, which must be the address of the Service kube-dns (or of the node-local cache). On {node} {what}, so names of Services are not resolved there. Pods on the host network need dnsPolicy: ClusterFirstWithHostNet to use the cluster DNS at all.',
  },

  clues: {
    noSetting: proves(noSetting),
    wrongServer: proves(wrongServer),
    cacheRefuses: proves(nodeCache, ({ fields }) => fields['error'] === 'connection refused'),
    cacheSilent: supports(nodeCache),
    podFile: supports(podFile, isInPod),
    askedElsewhere: supports('net.attempt', isAskedElsewhere),
    noAnswer: excludes(noAnswer),
  },
  says: {
    noSetting: 'the kubelet has no clusterDNS and falls back to the DNS of the host',
    wrongServer: '{name} was asked of {server}, which does not know the cluster',
    cacheRefuses: 'nothing listens at the node-local DNS address {server}',
    cacheSilent: 'the node-local DNS {server} does not answer',
    podFile: 'resolv.conf inside the pod names {server}',
    askedElsewhere: 'a look-up of a cluster name went to another server',
    noAnswer: 'pods ask the cluster DNS, and it does not answer',
  },
  slots: (place, { noSetting: none, wrongServer: wrong, cacheRefuses: cache, cacheSilent: silent, podFile: file, askedElsewhere }) => {
    const server =
      wrong?.fields['server'] ??
      cache?.fields['server'] ??
      silent?.fields['server'] ??
      file?.fields['server'] ??
      askedElsewhere?.server ??
      'another server';
    return {
      node: place.name,
      server,
      name: wrong?.fields['name'] ?? 'a name of the cluster',
      what: none
        ? 'the kubelet has no clusterDNS set'
        : (cache ?? silent)
          ? `they are sent to the node-local DNS cache ${server}, which does not run there`
          : `names of the cluster go to ${server}, not to the Service kube-dns`,
    };
  },

  fixes: [
    {
      say: 'Compare the DNS address of pods with the Service kube-dns',
      risk: 'reads-only',
      steps: [
        {
          say: 'address of the cluster DNS',
          run: "kubectl -n kube-system get service kube-dns -o jsonpath='{.spec.clusterIP}'",
          on: 'cluster',
        },
        {
          say: 'what the kubelet hands out',
          run: 'grep -nA2 clusterDNS /var/lib/kubelet/config.yaml; ps -ef | grep -o -- "--cluster-dns=[^ ]*"',
          on: 'node',
        },
        {
          say: 'what a pod has, and its policy',
          run: "kubectl exec POD -- cat /etc/resolv.conf; kubectl get pod POD -o jsonpath='{.spec.dnsPolicy} {.spec.hostNetwork}'",
          on: 'cluster',
        },
        {
          say: 'node-local cache, where one is used',
          run: 'kubectl -n kube-system get pods -o wide | grep -i -E "node-?local-?dns"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Set clusterDNS of the kubelet to the address of the Service kube-dns',
      risk: 'touches-node',
      for: ['noSetting', 'wrongServer'],
      steps: [
        {
          say: 'clusterDNS: [10.96.0.10] and clusterDomain: cluster.local in its configuration',
          run: 'vi /var/lib/kubelet/config.yaml && systemctl restart kubelet',
          on: 'node',
        },
        { say: 'pods keep the old file: make them anew', run: 'kubectl -n NAMESPACE rollout restart deployment NAME', on: 'cluster' },
      ],
      verified: 'nslookup kubernetes.default works in a new pod on {node}',
    },
    {
      say: 'For pods on the host network: dnsPolicy: ClusterFirstWithHostNet',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the pod template, beside hostNetwork: true',
          run: 'kubectl -n NAMESPACE patch deployment NAME -p \'{"spec":{"template":{"spec":{"dnsPolicy":"ClusterFirstWithHostNet"}}}}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where a node-local cache is used: bring its pod back on {node}',
      risk: 'restarts-pods',
      for: ['cacheRefuses', 'cacheSilent'],
      steps: [
        {
          say: 'one pod per node',
          run: 'kubectl -n kube-system rollout restart daemonset node-local-dns || kubectl -n kube-system rollout restart daemonset nodelocaldns',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'kubernetes pkg/kubelet/network/dns/dns.go',
    'kubernetes pkg/kubelet/apis/config (ClusterDNS)',
    'kubernetes cluster/addons/dns/nodelocaldns',
  ],
});
