import {
  defineCause,
  excludes,
  imageIn,
  line,
  minutes,
  notAboutNode,
  notByContainers,
  notTried,
  on,
  proves,
  pullLine,
  registryAnswers,
  registryIn,
  sandboxImagePull,
  supports,
  waitsForImage,
} from '../../define-cause.ts';

const noConnection = pullLine(
  [
    ': i/o timeout',
    'connect: connection refused',
    'connect: no route to host',
    'connect: network is unreachable',
    'connect: connection timed out',
    'connect: host is down',
    'TLS handshake timeout',
    'net/http: request canceled',
    'Client.Timeout exceeded',
    'context deadline exceeded',
    'desc = context canceled',
    'connection reset by peer',
    'unexpected EOF',
    'Error response from daemon',
    '/v2/: EOF',
    'failed to do request',
    'container registry ',
    'proxyconnect tcp',
    'Proxy Authentication Required',
    '502 Bad Gateway',
    '503 Service',
    '504 Gateway',
    '500 Internal Server Error',
    'registry is unavailable',
    'RegistryUnavailable',
    'http2: client connection lost',
    'connection error: PROTOCOL_ERROR',
    'unexpected media type text/html',
    "invalid character '<' looking for beginning of value",
  ],
  /(?<!:53: )dial tcp (?<address>[\w.:[\]%-]{3,80}): (?<error>i\/o timeout|connect: [a-z ]{5,40})|(?<other>TLS handshake timeout|net\/http: request canceled|Client\.Timeout exceeded|https?:\/\/[^"\\\s]{3,512}\\*"?: (?:context deadline exceeded|EOF|unexpected EOF|Forbidden)|read: connection reset by peer|unexpected EOF|Proxy Authentication Required|(?:500 Internal Server Error|502 Bad Gateway|503 Service (?:Temporarily )?Unavailable|504 Gateway Time-?out)|registry is unavailable|RegistryUnavailable|http2: client connection lost|unexpected media type text\/html|invalid character '<' looking for beginning of value|read tcp [^\s]{5,120}: i\/o timeout|desc = context (?:deadline exceeded|canceled)(?=\W{0,8}$))/,
  { may: [/(?<proxy>proxyconnect tcp|Proxy Authentication Required|https?:\/\/[^"\\\s]{3,512}\\*": Forbidden)/], also: ['kubeadm-output'] },
);
const noProgress = line(
  'because of no progress in',
  ['containerd-log', 'docker-log'],
  /cancel(?:led)? pulling image (?<image>\S{2,255}) because of no progress in/i,
);
/** Of an image whose registry has no address: another fault, maybe of another pod on the same node. */
const unresolved = line(['dial tcp: lookup '], [], /dial tcp: lookup [\w.-]{1,253}(?: on [\w.:[\]%-]{2,80})?: (?!i\/o timeout)/);
const answered = registryAnswers('unknown', 'denied', 'throttled');
const untrusted = line(
  ['x509: cert', 'x509: cannot', 'http response to https client'],
  [],
  /\/v2\/[\s\S]{0,600}?(?:x509: c|HTTP response to HTTPS client)/i,
);

function errorOf(fields: Readonly<Record<string, string>> | undefined): string {
  const text = fields?.['error'] ?? fields?.['other'] ?? 'no progress';
  const proxy = fields?.['proxy']?.startsWith('proxyconnect') ? fields['address'] : undefined;
  if (proxy !== undefined) return `the proxy ${proxy} does not answer (${text.replace(/^connect: /, '')})`;
  if (/i\/o timeout|timed out/.test(text)) return 'connection timed out (timeout)';
  if (/refused/.test(text)) return 'connection refused';
  if (/request canceled|Client\.Timeout|deadline|context canceled/.test(text)) return 'no answer in time (timeout)';
  if (/unexpected EOF/.test(text))
    return 'the download was cut off (unexpected EOF); where it always ends at the same layer, a mirror or cache on the way holds a damaged copy';
  if (/EOF|reset|connection lost/.test(text)) return 'the connection was cut off';
  if (/text\/html|character '<'/.test(text)) return 'a web page answers in its place (a proxy, a portal, or a mirror that is gone)';
  if (/Forbidden|Proxy/.test(text)) return 'the proxy refuses';
  return text.replace(/^connect: /, '');
}

export const cause = defineCause({
  id: 'image-registry-unreachable',
  area: 'image',
  at: 'Node',
  maturity: 'stable',
  explains: ['image-pull'],
  wakesOn: [on('pod.symptom', { symptom: 'image-pull' })],

  text: {
    name: 'Registry cannot be reached',
    title: '{node} cannot reach the registry {registry}: {error}',
    why: 'The name was resolved, but no working connection to the registry {registry} comes about: a firewall or missing route on the way out, a proxy the runtime does not know of (or one that refuses), no internet on this site, or the registry is down. Images the node does not have yet cannot be pulled.',
  },

  clues: {
    stuck: waitsForImage,
    connection: proves(noConnection, notByContainers),
    stalled: supports(noProgress),
    answered: excludes(answered, notAboutNode),
    untrusted: excludes(untrusted, notAboutNode),
    unresolved: excludes(unresolved, notAboutNode),
    notTried: excludes(notTried, notAboutNode),
    sandbox: excludes(sandboxImagePull, notAboutNode),
  },
  says: {
    stuck: 'a pod waits for its image',
    connection: 'connecting to the registry {registry}{address} fails: {error}',
    stalled: 'the runtime gave up a pull that made no progress',
    answered: 'the registry answers: no such image, no right to it, or too many pulls',
    untrusted: 'the registry is reached, its certificate or protocol is the trouble',
    unresolved: 'the name of the registry has no address; nothing was tried to be reached',
    notTried: 'no pull was tried: the policy is Never, or the name is invalid',
    sandbox: 'it is the pause image of the node that cannot be had',
  },
  slots: (place, { connection, stalled }) => {
    const fields = connection?.fields;
    const image = imageIn(connection) ?? imageIn(stalled) ?? '';
    const address = fields?.['address'];
    return {
      node: place.name,
      registry: fields?.['host'] ?? registryIn(image) ?? (image === '' ? 'of the image' : 'docker.io'),
      address: `${address === undefined ? '' : ` at ${address}`}${fields?.['proxy'] === undefined ? '' : ' through a proxy'}`,
      error: errorOf(fields),
    };
  },

  fixes: [
    {
      say: 'Try the way from {node} to {registry} by hand, with the proxy settings of the runtime',
      risk: 'reads-only',
      steps: [
        {
          say: 'a registry that is reached answers 200 or 401',
          run: 'curl -sv --max-time 20 https://{{registry}}/v2/ -o /dev/null',
          on: 'node',
        },
        {
          say: 'the proxy the runtime uses; the variables of your shell do not count',
          run: 'systemctl show containerd docker crio -p Environment',
          on: 'node',
        },
      ],
    },
    {
      say: 'Open the way: firewall, route, security group, or egress to {registry} on its port',
      risk: 'touches-node',
      steps: [
        {
          say: 'let the network team allow outgoing TCP 443 (or the port of the registry) from the nodes; check host firewall and routes',
          run: 'ip route get 1.1.1.1; nft list ruleset 2>/dev/null | head -50 || iptables -S OUTPUT',
          on: 'node',
        },
      ],
      verified: 'curl gets an answer, then an event Pulled',
    },
    {
      say: 'Behind a proxy: tell the runtime about it',
      risk: 'touches-node',
      steps: [
        {
          say: 'a drop-in for its unit (here containerd); NO_PROXY must hold the cluster and node networks',
          run: `mkdir -p /etc/systemd/system/containerd.service.d && printf '[Service]\\nEnvironment="HTTPS_PROXY=http://PROXY:PORT" "HTTP_PROXY=http://PROXY:PORT" "NO_PROXY=localhost,127.0.0.1,10.0.0.0/8,.svc,.cluster.local"\\n' > /etc/systemd/system/containerd.service.d/proxy.conf`,
          on: 'node',
        },
        { say: 'restart it; running containers stay', run: 'systemctl daemon-reload && systemctl restart containerd', on: 'node' },
      ],
      verified: 'an event Pulled',
    },
    {
      say: 'Without a way out: pull from a mirror or a local registry, or load the image onto the node',
      risk: 'touches-node',
      steps: [
        { say: 'change the image to a registry the nodes reach, or configure a mirror in /etc/containerd/certs.d' },
        { say: 'or carry it over', run: 'ctr -n k8s.io images import IMAGE.tar', on: 'node' },
      ],
      changes: [
        { do: 'workload-set', field: 'image', value: { ask: 'image', says: 'the image to use, such as registry.example/team/app:1.4' } },
      ],
      verified: 'an event Pulled',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'containerd core/remotes/docker/resolver.go',
    'go net/http/transport.go',
    'kubernetes pkg/kubelet/images/image_manager.go',
    'containers/image docker/docker_client.go',
  ],
});
