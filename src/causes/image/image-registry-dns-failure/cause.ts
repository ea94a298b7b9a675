import {
  defineCause,
  excludes,
  line,
  minutes,
  notAboutNode,
  notByContainers,
  notTried,
  on,
  proves,
  pullLine,
  sandboxImagePull,
  waitsForImage,
} from '../../define-cause.ts';

/** Go prints `lookup HOST on SERVER` only when the look-up itself failed. */
const lookupFailed = pullLine(
  ['dial tcp: lookup ', 'could not resolve host', 'temporary failure in name resolution'],
  /dial tcp: lookup (?<name>[\w.-]{1,253})(?: on (?<server>[\w.:[\]%-]{2,80}))?: (?<error>[^"\\\n]{3,160})|could not resolve host:? (?<curled>[\w.-]{1,253})|temporary failure in name resolution/,
  { also: ['kubeadm-output'] },
);
/** What the DNS Service and the node-local cache are given by installers; a node must not depend on them. */
const OF_CLUSTER = /^(?:10\.(?:96\.0\.10|43\.0\.10|152\.183\.10|233\.0\.(?:3|10)|68\.0\.2)|172\.20\.0\.10|169\.254\.2[05]\.10)(?::53)?$/;

/** Whoever got as far as a connection or an answer had resolved the name. */
const reached = line(
  [
    'manifest unknown',
    'name unknown',
    'toomanyrequests',
    '429 too many requests',
    'pull access denied',
    'no basic auth credentials',
    '401 unauthorized',
    '403 forbidden',
    'failed to resolve reference',
    'x509: cert',
    'http response to https client',
    ': i/o timeout',
    'connect: connection refused',
    'connect: no route to host',
    'TLS handshake timeout',
  ],
  [],
  /(?:manifest|name) unknown|toomanyrequests|429 too many requests|pull access denied|no basic auth credentials|401 unauthorized|403 forbidden|failed to resolve reference \\*"[^"\\]{1,255}\\*": [^\s"]{1,255}: not found|x509: cert|HTTP response to HTTPS client|(?<!:53: )dial tcp [\d.:[\]a-f]{3,60}: |TLS handshake timeout/i,
);

export const cause = defineCause({
  id: 'image-registry-dns-failure',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull'],
  effectOf: ['resolv-conf-broken'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Node cannot resolve the registry',
    title: '{node} cannot resolve the registry name {host} (DNS: {error}{asked})',
    why: 'The runtime looks up the registry with the resolver of the node{server}, not with the DNS of the cluster, and gets no address for {host}: the resolver is broken or out of reach, the node has no way to the internet (offline site), or the host name in the image is wrong.{circle} No image of that registry can be pulled.',
  },

  clues: {
    stuck: waitsForImage,
    lookup: proves(lookupFailed, notByContainers),
    reached: excludes(reached, notAboutNode),
    notTried: excludes(notTried, notAboutNode),
    sandbox: excludes(sandboxImagePull, notAboutNode),
  },
  says: {
    stuck: 'a pod waits for its image',
    lookup: 'the node asks for {host}{server} and gets: {error}',
    reached: 'the node got as far as the registry, so its name was resolved',
    notTried: 'no pull was tried: the policy is Never, or the name is invalid',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { lookup }) => {
    const server = lookup?.fields['server'];
    return {
      node: place.name,
      host: lookup?.fields['name'] ?? lookup?.fields['curled'] ?? 'of the image',
      server: server === undefined ? '' : ` (${server})`,
      circle: OF_CLUSTER.test(server ?? '')
        ? ` ${server} is the address of the cluster DNS (CoreDNS): the resolver of the node leads into the cluster, whose network and DNS need these very images first.`
        : '',
      asked: OF_CLUSTER.test(server ?? '') ? '; it asks the DNS of the cluster itself' : '',
      error: (lookup?.fields['error'] ?? 'name not resolved')
        .replace(/^read udp [^ ]* /, '')
        .replace(/^.*(?=i\/o timeout$)/, 'no answer, '),
    };
  },

  fixes: [
    {
      say: 'See what the node itself gets: name, resolver, and whether the host name of the image is right',
      risk: 'reads-only',
      steps: [
        { say: 'does the name resolve on the node?', run: 'getent hosts {{host}}; cat /etc/resolv.conf', on: 'node' },
        { say: 'with systemd-resolved: which servers it really asks', run: 'resolvectl status --no-pager', on: 'node' },
        { say: 'does the resolver answer at all?', run: 'nslookup {{host}}', on: 'node' },
      ],
    },
    {
      say: 'Give {node} a DNS server that answers and knows {host}',
      risk: 'touches-node',
      steps: [
        {
          say: 'Ubuntu with netplan, else systemd-resolved or NetworkManager: set the nameservers there, not in the generated /etc/resolv.conf',
          run: 'ls /etc/netplan /etc/systemd/resolved.conf /etc/NetworkManager/system-connections 2>/dev/null',
          on: 'node',
        },
        {
          say: 'where it asks the DNS of the cluster: name a server outside of it in /etc/systemd/resolved.conf (DNS=, FallbackDNS=) or /etc/resolv.conf',
          run: 'grep -nE "^(DNS|FallbackDNS|nameserver)" /etc/systemd/resolved.conf /etc/resolv.conf',
          on: 'node',
        },
        {
          say: 'then restart the runtime, which may keep the old resolver',
          run: 'systemctl restart containerd || systemctl restart docker || systemctl restart crio',
          on: 'node',
        },
      ],
      verified: 'getent hosts {host} prints an address on the node, then an event Pulled',
    },
    {
      say: 'On a site without internet: use a local registry, or a proxy for the runtime',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'push the image to a private registry and change the image in the template or chart values to it, or configure a mirror for {host}',
          on: 'cluster',
        },
        {
          say: 'behind a proxy: the runtime needs HTTPS_PROXY and NO_PROXY in its own unit',
          run: 'systemctl show containerd docker crio -p Environment',
          on: 'node',
        },
      ],
      changes: [
        { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
      ],
      verified: 'an event Pulled',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['go net/dnsclient_unix.go', 'containerd core/remotes/docker/resolver.go', 'containers/image docker/docker_client.go'],
});
