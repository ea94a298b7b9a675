import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, isOneOf, isWell, line, minutes, namesOf, proves, supports, tellsOfTrouble } from '../../define-cause.ts';

/** Probes, pulls and calls of webhooks are made from outside the container; a gateway tells of the pods behind it. */
const FROM_OUTSIDE = String.raw`^(?![\s\S]*?(?:probe (?:failed|errored)|calling (?:admission )?webhook|failed to pull|ping attempt failed|pinging (?:container|docker) registry|502 Bad Gateway|504 Gateway Timeout|\/v2\/\S{0,300}?\/(?:manifests|blobs)\/))[\s\S]*?`;
const REFUSED =
  /dial (?:tcp|udp)[46]? (?<dialled>[^\s,]{1,260}): connect: connection refused|ECONNREFUSED (?<node>[\w.:[\]-]{1,260})|connection to server at "(?<postgres>[^"]{1,253})"[\s\S]{0,120}?Connection refused|connecting to (?<python>[\w.-]{1,253}:\d{1,5})\. Connection refused|Connection to (?<jdbc>[\w.-]{1,253}:\d{1,5}) refused|server on '(?<mysql>[^']{1,253})'[\s\S]{0,120}?(?:Connection refused|\(111\))|ConnectionPool\(host='(?<requests>[^']{1,253})', port=\d{1,5}\)[\s\S]{0,600}?Connection refused|(?:to|at|on|from|with|host|broker|server|address)[ :=]{1,3}["'(/]{0,2}(?<other>[a-z0-9][\w.-]{0,252}:\d{2,5})\b[^\n]{0,120}?connection refused|Connect to (?:https?:\/\/)?(?<httpclient>[\w.-]{1,253}:\d{1,5})[^\n]{0,120}?(?:failed: )?(?:Connection|connect) refused|Connection to node -?\d{1,6} \((?<kafka>[^)\s]{1,300})\) could not be established|can't connect to remote host \((?<busybox>[\w.:-]{1,253})\): Connection refused|running on host "(?<libpq>[^"]{1,253})"[\s\S]{0,60}? and accepting|Can't reach database server at `?(?<prisma>[\w.-]{1,253})`?|tcp connect \((?<elixir>[\w.-]{1,253}:\d{1,5})\): connection refused|NpgsqlException[^\n]{0,20}: Failed to connect to (?<npgsql>[\w.:[\]-]{3,260})|UnableToConnect on (?<stackexchange>[\w.-]{1,253}:\d{1,5})|Cannot connect to (?:amqp|redis)s?:\/\/(?:[^\s@/]{0,200}@)?(?<celery>[\w.-]{1,253}:\d{1,5})[^\n]{0,80}?Connection refused|(?<rabbit>BrokerUnreachableException)|RedisConnectionException: Unable to connect to (?<lettuce>[\w.-]{1,253}:\d{1,5})\b|(?<noname>java\.net\.ConnectException: Connection refused)|kombu\.exceptions\.OperationalError: \[Errno 111\] (?<broker>Connection refused)|(?<pdo>SQLSTATE\[HY000\] \[2002\] Connection refused)|provided (?<jenkins>port:\d{1,5} is not reachable on host [\w.-]{1,253})/i;
const UNKNOWN_HOST =
  /lookup (?<looked>[^\s:,]{1,253})(?: on [^\s,]{1,100})?: no such host|getaddrinfo (?:ENOTFOUND|EAI_NONAME) (?<node>[\w.-]{1,253})|translate host name "(?<postgres>[^"]{1,253})" to address: (?:Name or service not known|Name does not resolve|nodename nor servname)|UnknownHostException: (?<java>[\w.-]{1,253})(?!:? Temporary)|host not found in (?:upstream|resolver) "(?<nginx>[^":/]{1,253})|(?:nc|ping|wget|telnet): bad address '(?<busybox>[\w.-]{1,253})|epmd error for host ["']?(?<epmd>[\w.-]{1,253})["']?: nxdomain|nslookup: can't resolve '(?<nslookup>[\w.-]{1,253})'|server can't find (?<dig>[\w.-]{1,253}): NXDOMAIN|No resolvable bootstrap urls given in (?<kafka>[\w.-]{1,60})|\bHost not found: (?<poco>[\w.-]{4,253})|Could not resolve host(?:name)?:? ['"]?(?<curl>[\w.-]{1,253})|unable to resolve host address ['‘](?<wget>[\w.-]{1,253})|php_network_getaddresses: getaddrinfo for (?<php>[\w.-]{1,253}) failed|Failed to resolve '(?<rdkafka>[\w.-]{1,253}:\d{1,5})'|(?<mongo>[\w.-]{1,253}:\d{2,5}): \[Errno -[25]\] (?:Name or service not known|No address associated with hostname|Name does not resolve)|Name or service not known \((?<dotnet>[\w.-]{1,253}:\d{1,5})\)/i;
const TIMEOUT =
  /dial (?:tcp|udp)[46]? (?<dialled>[^\s,]{1,260}): (?:i\/o timeout|connect: (?:connection timed out|no route to host|network is unreachable))|(?:ETIMEDOUT|EHOSTUNREACH) (?<node>[\w.:[\]-]{1,260})|Connect to (?:https?:\/\/)?(?<httpclient>[\w.-]{1,253}:\d{1,5})[^\n]{0,120}?failed: [Cc]onnect(?:ion)? timed out|timeout occurred after waiting \d{1,6} seconds for (?<waited>[\w.-]{1,253}:\d{1,5})|can't connect to remote host \((?<busybox>[\w.:-]{1,253})\): (?:Connection timed out|No route to host|Network is unreachable)|(?:URL:|url=|Get |Post |Put )\\?"https?:\/\/(?<url>[^/"\s\\]{1,253})[\s\S]{0,600}?(?:upstream connect error|Client\.Timeout exceeded|context deadline exceeded)|couldn't connect to 'https?:\/\/(?<model>[\w.-]{1,253})|(?<jdbc>Communications link failure)|(?<mssql>network-related or instance-specific error occurred while establishing a connection)|(?<atlas>Could not connect to any servers in your MongoDB Atlas cluster)|(?<nacos>NacosException: Client not connected)|(?<keeper>All connection tries failed while connecting to ZooKeeper)|(?<kafkaKeeper>ZooKeeperClientTimeoutException)|(?<admin>Timed out waiting for a node assignment)|(?<wordpress>Error establishing a database connection)/i;

function ofContainer({ source }: RegExp): RegExp {
  return new RegExp(`${FROM_OUTSIDE}(?:${source})`, 'i');
}

const refused = line(
  [
    'connection refused',
    'ECONNREFUSED',
    ' refused. Check that',
    'connect refused',
    'connect to mysql server',
    'and accepting TCP/IP',
    'Is the server running on host',
    'RedisConnectionException: ',
    'Failed to connect to ',
    'UnableToConnect on ',
    'BrokerUnreachableException',
    'could not be established',
    "Can't reach database server at",
    'is not reachable on host',
  ],
  'container-log',
  ofContainer(REFUSED),
);
const unknownHost = line(
  [
    'no such host',
    'getaddrinfo',
    'translate host name',
    'UnknownHostException',
    'host not found in upstream',
    'host not found in resolver',
    "nslookup: can't resolve",
    'epmd error for host',
    "bad address '",
    "server can't find ",
    'No resolvable bootstrap',
    'Host not found: ',
    'Could not resolve host',
    'unable to resolve host address',
    'Name or service not known',
    'No address associated with hostname',
    "Failed to resolve '",
  ],
  'container-log',
  ofContainer(UNKNOWN_HOST),
);
const timeout = line(
  [
    'i/o timeout',
    'connection timed out',
    'no route to host',
    'network is unreachable',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'timeout occurred after waiting',
    'failed: connect timed out',
    'upstream connect error',
    'Client.Timeout exceeded',
    'context deadline exceeded',
    "couldn't connect to 'http",
    'Communications link failure',
    'network-related or instance-specific error',
    'servers in your MongoDB Atlas cluster',
    'NacosException: Client not connected',
    'tries failed while connecting to ZooKeeper',
    'ZooKeeperClientTimeoutException',
    'Timed out waiting for a node assignment',
    'Error establishing a database connection',
  ],
  'container-log',
  ofContainer(TIMEOUT),
);
const noDns = line(
  ['Temporary failure in name resolution', 'EAI_AGAIN', 'server misbehaving', ':53: i/o timeout', ':53: read: connection refused'],
  'container-log',
);

const LOCAL = /^(?:127\.|localhost\b|\[?::1\]?|0\.0\.0\.0|\[::\])/i;
/** The API, its store, the kubelet and DNS: when those do not answer, the cluster is at fault, not a dependency. */
const CLUSTER = /:(?:53|2379|2380|6443|10250)$|^(?:\d{1,3}\.){2}0\.1:443$|^kubernetes(?:\.default\b|$)/;

/** Programs go on without their telemetry, however much they complain. */
const TELEMETRY = /otlp|opentelemetry|jaeger|zipkin|telemetry|\btrac(?:es|ing)\b|statsd|sentry|:(?:4317|4318|9411|14250|14268|8125)\b/i;

/** The dependency a line names, if it is one. */
function dependencyIn(fields: Readonly<Record<string, string | undefined>> | undefined): string | undefined {
  const target = Object.values(fields ?? {})
    .find((value) => value !== undefined)
    ?.replace(/[.,;:]$/, '')
    .replace(/^(?:Communications link failure|SQLSTATE\[HY000\] \[2002\].*)$/i, 'its MySQL or MariaDB database')
    .replace(/^network-related or instance-specific error.*$/i, 'its SQL Server')
    .replace(
      /^Could not connect to any servers in your MongoDB Atlas.*$/i,
      'its MongoDB Atlas cluster (is the address of the nodes on its access list?)',
    )
    .replace(/^java\.net\.ConnectException.*$/i, 'a server it needs (its log does not say which)')
    .replace(/^Connection refused$/i, 'its message broker')
    .replace(/^BrokerUnreachableException$/i, 'its RabbitMQ')
    .replace(/^All connection tries failed while connecting to ZooKeeper$/i, 'its ZooKeeper or ClickHouse Keeper')
    .replace(/^ZooKeeperClientTimeoutException$/i, 'its ZooKeeper')
    .replace(/^Timed out waiting for a node assignment$/i, 'its Kafka brokers (their advertised addresses, too, must be reachable)')
    .replace(/^Error establishing a database connection$/i, 'its MySQL or MariaDB database')
    .replace(/^NacosException.*$/i, 'its Nacos server (ports 8848 and 9848)')
    .replace(/^port:(\d{1,5}) is not reachable on host (.+)$/i, '$2:$1');
  return target === undefined || LOCAL.test(target) || CLUSTER.test(target) || TELEMETRY.test(target) ? undefined : target;
}

/** One failed try early in a log is nothing; tries without end are, and so is a line that was worth pasting alone. */
function tellsOfDependency({ channel, fields, count }: Fact<'log.signature'>): boolean {
  const insistent = channel === 'prose' || channel === 'pod-status' || (channel === 'container-log' && count >= 3);
  return insistent && dependencyIn(fields) !== undefined;
}

/** A first try may fail: whoever says afterwards that it is up has got over it. */
function isUp(line = ''): boolean {
  return /\b(?:listening (?:on|at)|started|connected|ready|serving)\b/i.test(line.slice(0, 4000)) && !tellsOfTrouble(line);
}

function dependencyAmong(lines: readonly string[], patterns: readonly RegExp[]): string | undefined {
  for (const text of lines) {
    if (TELEMETRY.test(text)) continue;
    for (const pattern of patterns) {
      const target = dependencyIn(pattern.exec(text.slice(0, 4000))?.groups);
      if (target !== undefined) return target;
    }
  }
  return undefined;
}

export const cause = defineCause({
  id: 'app-dependency-unreachable',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash'],
  effectOf: [
    'networkpolicy-blocks',
    'networkpolicy-default-deny',
    'overlay-traffic-blocked',
    'kube-proxy-down-or-mode-unsupported',
    'cluster-dns-misconfigured',
    'mtu-mismatch',
  ],

  text: {
    name: 'Dependency unreachable',
    title: '{container} cannot reach {dependency}: {how}',
    why: '{container} needs {dependency} to start and gives up when it does not answer ({how}). It will crash again until {dependency} is up and reachable from its pod: nothing listens there, its Service has no endpoints, or the name or address is wrong.',
  },

  clues: {
    diesOfIt: proves(
      'container.last-words',
      ({ lines }) => !isUp(lines.at(-1)) && dependencyAmong(lines, [REFUSED, UNKNOWN_HOST]) !== undefined,
    ),
    fatal: proves(
      'log.error',
      ({ last, ownVoice, level, message }) =>
        last && ownVoice && level === 'fatal' && dependencyAmong([message], [REFUSED, UNKNOWN_HOST, TIMEOUT]) !== undefined,
    ),
    diesOfTimeout: supports('container.last-words', ({ lines }) => !isUp(lines.at(-1)) && dependencyAmong(lines, [TIMEOUT]) !== undefined),
    endsSo: supports(
      'log.error',
      ({ last, ownVoice, message }) => last && ownVoice && dependencyAmong([message], [REFUSED, UNKNOWN_HOST, TIMEOUT]) !== undefined,
    ),
    refused: supports(refused, tellsOfDependency),
    unknownHost: supports(unknownHost, tellsOfDependency),
    timeout: supports(timeout, tellsOfDependency),
    noDns: excludes(noDns),
    oom: excludes('pod.symptom', isOneOf('oom')),
    stops: excludes('pod.silent-stops'),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    diesOfIt: 'its last words: {dependency} {how}',
    fatal: 'it calls the failed connection fatal and ends',
    diesOfTimeout: 'its last words: no answer from {dependency}',
    endsSo: 'the log ends with the failed try',
    refused: '{dependency} refuses the connection: nothing listens there',
    unknownHost: 'the name {dependency} does not exist in DNS',
    timeout: '{dependency} does not answer in time',
    oom: 'the kernel kills it for memory',
    stops: 'the kubelet stops the whole pod, sandbox and all',
    noDns: 'DNS itself does not answer: no name can be looked up',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { diesOfIt, diesOfTimeout, refused: no, unknownHost: unknown, timeout: late }) => {
    const dying = diesOfIt?.lines ?? diesOfTimeout?.lines ?? [];
    const dependency =
      dependencyAmong(dying, [REFUSED, UNKNOWN_HOST, TIMEOUT]) ??
      dependencyIn(no?.fields) ??
      dependencyIn(unknown?.fields) ??
      dependencyIn(late?.fields);
    const isUnknown = dying.length > 0 ? dependencyAmong(dying, [UNKNOWN_HOST]) !== undefined : unknown !== undefined;
    const isRefused = dying.length > 0 ? dependencyAmong(dying, [REFUSED]) !== undefined : no !== undefined;
    const [host = 'HOST', port] = (dependency?.includes(' ') ? 'HOST' : (dependency ?? 'HOST')).split(/:(?=\d{1,5}$)/);
    return {
      ...namesOf(place),
      dependency: dependency ?? 'something it needs',
      // Prisma says the same of every failure to connect.
      how:
        isRefused && (no?.fields['prisma'] ?? dying.some((text) => text.includes('reach database server')))
          ? 'refused, or no answer'
          : isRefused
            ? 'connection refused'
            : isUnknown
              ? 'no such host'
              : 'no answer',
      service: host.split('.')[0] ?? host,
      host,
      port: port ?? 'PORT',
    };
  },

  fixes: [
    {
      say: 'See whether {dependency} runs and has endpoints',
      risk: 'reads-only',
      steps: [
        {
          say: 'Service, endpoints and pods behind it',
          run: 'kubectl get svc,endpointslices,pods -A -o wide | grep {{service}}',
          on: 'cluster',
        },
        {
          say: 'try it from inside the namespace',
          run: 'kubectl -n {{namespace}} run probe --rm -it --restart=Never --image=busybox:1.36 -- sh -c "nslookup {{host}}; nc -zvw3 {{host}} {{port}}"',
          on: 'cluster',
        },
        { say: 'policies that might forbid it', run: 'kubectl -n {{namespace}} get networkpolicy', on: 'cluster' },
      ],
    },
    {
      say: 'Bring {dependency} up first, or correct its address in the settings of {container}',
      risk: 'restarts-pods',
      steps: [
        { say: 'start or repair what serves {dependency}; a Service without endpoints has a selector that matches no ready pod' },
        {
          say: 'if the name or port is wrong: correct it in the environment or ConfigMap of {container}',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'do not wait for the back-off', run: 'kubectl -n {{namespace}} rollout restart {{target}}', on: 'cluster' },
      ],
      verified: '{container} connects to {dependency} and becomes ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'connect(2) ECONNREFUSED, ETIMEDOUT; getaddrinfo(3) EAI_NONAME',
    'Go net (OpError, DNSError)',
    'libpq, libuv, JDK and Python error texts',
  ],
});
