import { entityOf } from '../../../model/entity.ts';
import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, isWell, line, minutes, namesOf, proves, supports } from '../../define-cause.ts';

const LOCAL =
  /dial tcp[46]? (?:127\.0\.0\.1|\[::1\]|localhost):(?<go>\d{2,5}): connect: connection refused|ECONNREFUSED (?:127\.0\.0\.1|::1|localhost):(?<node>\d{2,5})|connection to server at "(?:localhost|127\.0\.0\.1)"[^\n]{0,60}?port (?<postgres>\d{2,5}) failed: Connection refused|connecting to (?:localhost|127\.0\.0\.1):(?<python>\d{2,5})\. Connection refused|Connection to (?:localhost|127\.0\.0\.1):(?<jdbc>\d{2,5}) refused|server on '(?:localhost|127\.0\.0\.1)'[^\n]{0,60}?(?:Connection refused|\(111\))|ConnectionPool\(host='(?:localhost|127\.0\.0\.1)', port=(?<requests>\d{2,5})\)[^\n]{0,600}?Connection refused|(?:localhost|127\.0\.0\.1)[:/](?<other>\d{2,5})\b[^\n]{0,100}?connection refused|running on host "(?:localhost|127\.0\.0\.1)"[^\n]{0,60}? and accepting/i;

const refused = line(
  [
    'connection refused',
    'ECONNREFUSED',
    ' refused. Check that',
    'connect to mysql server',
    'and accepting TCP/IP',
    'Is the server running on host',
    'Connection to localhost:',
    'Connection to 127.0.0.1:',
  ],
  'container-log',
  // kubectl port-forward and CNI plugins speak of a localhost of their own.
  new RegExp(`^(?![\\s\\S]*?(?:error forwarding port|failed \\(add\\)))[\\s\\S]*?(?:${LOCAL.source})`, 'i'),
);

/** Clients fall back to a socket file of their own machine when no host is set; the server's own tools look there as well. */
const socket = line(
  ['through socket ', 'server on socket ', 'Unix domain socket ', 'accepting connections on that socket'],
  'container-log',
  /(?:through socket|server on socket|Unix domain socket) ['"\\]{1,3}(?<socket>[^'"\\\n]{2,200})['"\\]{1,3}[^\n]{0,40}?(?:\((?:2|111)\b|No such file|Connection refused|\?)/,
);
/** Of the cluster itself, or of proxies in the same pod. */
const NOT_ITS_OWN = /^(?:8080|6443|2379|2380|10246|10247|10248|10249|1025\d|150\d\d|4140|4143|4191|3500|50001|9901)$/;
const HELPER = /proxy|sidecar|envoy|agent|dapr|pgbouncer/i;
const PROBE = /probe (?:failed|errored)|readiness|liveness|error forwarding port|failed \(add\)|networkPlugin cni/i;

function portIn(text: string): string | undefined {
  const groups = PROBE.test(text) ? undefined : LOCAL.exec(text.slice(0, 4000))?.groups;
  return groups === undefined ? undefined : (Object.values(groups).find((value) => value !== undefined) ?? 'its port');
}

function portAmong(lines: readonly string[]): string | undefined {
  return lines.map(portIn).find((port) => port !== undefined && !NOT_ITS_OWN.test(port));
}

function isForeign({ fields }: Fact<'log.signature'>): boolean {
  return !Object.values(fields).some((value) => NOT_ITS_OWN.test(value));
}

export const cause = defineCause({
  id: 'app-looks-for-server-on-localhost',
  area: 'app',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'other-trouble'],

  text: {
    name: 'Server expected on localhost',
    title: '{container} looks for its server on localhost{port}, where nothing listens ({how})',
    why: 'Inside a pod localhost is the pod itself, not the node and not another pod. {container} is set to reach a server at localhost{port} (often the default when a setting or variable is missing), nothing in its own pod listens there, and it gives up. It needs the name of the Service instead.',
  },

  clues: {
    diesOfIt: proves('container.last-words', ({ lines }) => portAmong(lines) !== undefined),
    refused: supports(refused, (fact) => isForeign(fact) && (fact.channel === 'container-log' || fact.channel === 'prose')),
    socket: supports(socket, ({ channel }) => channel === 'container-log' || channel === 'prose'),
    helper: excludes('container.spec', ({ about, init }) => !init && HELPER.test(entityOf(about).name)),
    well: excludes('pod.status', isWell),
    over: excludes('pod.history'),
  },
  says: {
    diesOfIt: 'it ends after localhost{port} refused its connection',
    refused: 'connections to localhost{port} are refused',
    socket: 'it looks for a socket file in its own container: no host is set',
    helper: 'a proxy in the same pod should listen there',
    well: 'the pod runs and is ready, or has finished well',
    over: 'the restarts are over: it runs and stays up',
  },
  slots: (place, { diesOfIt, refused: no, socket: local }) => {
    const port = portAmong(diesOfIt?.lines ?? []) ?? Object.values(no?.fields ?? {}).find((value) => value !== undefined);
    const number = port !== undefined && /^\d+$/.test(port) ? port : undefined;
    const file = diesOfIt || no ? undefined : local?.fields['socket'];
    return {
      ...namesOf(place),
      port: number ? `:${number}` : file ? ` (${file})` : '',
      number: number ?? 'PORT',
      how: file ? 'no such socket' : 'connection refused',
    };
  },

  fixes: [
    {
      say: 'See where the address comes from, and which Service should be asked',
      risk: 'reads-only',
      steps: [
        {
          say: 'environment and ConfigMaps of the container',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE -A3 'localhost|127.0.0.1|env:|envFrom|configMap'",
          on: 'cluster',
        },
        { say: 'Services with that port', run: "kubectl get svc -A | grep -E 'PORT|{{number}}'", on: 'cluster' },
      ],
    },
    {
      say: 'Set the address to the name of the Service (SERVICE.NAMESPACE.svc) instead of localhost',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'in the environment, ConfigMap or Helm values; check that the variable is called as the program expects',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
        { say: 'a server on the node itself: use the address of the node (status.hostIP), not localhost' },
      ],
      verified: '{container} connects and becomes ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['connect(2) ECONNREFUSED', 'kubernetes pod networking (one network namespace per pod)'],
});
