import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const tooLong = line(
  ['client intended to send too large body', '413 Request Entity Too Large', '413 Payload Too Large'],
  ['container-log', 'host-tools', 'prose'],
  /client intended to send too large body: (?<bytes>\d{1,15}) bytes|413 (?:Request Entity|Payload) Too Large/i,
);
const header = line(
  ['upstream sent too big header', 'Request Header Or Cookie Too Large', 'client sent too long header line', 'client sent too long URI'],
  ['container-log', 'host-tools', 'prose'],
  /(?<answer>upstream sent too big header)|(?<request>Request Header Or Cookie Too Large|client sent too long (?:header line|URI))/,
);
const connections = line(
  ['worker_connections are not enough', 'too many open files', 'Too many open files'],
  ['container-log', 'prose'],
  /(?<number>\d{1,9}) worker_connections are not enough|(?<files>(?:accept4|socket)\(\) failed \(24: (?:Too many|No file) [\w ]{4,30}\))/,
);
const slow = line(
  ['while reading response header from upstream', '504 Gateway Time-out', '504 Gateway Timeout'],
  ['container-log', 'host-tools', 'prose'],
  /upstream timed out \(110: [\w ]{5,30}\) while reading response header from upstream(?:[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200}))?|(?<page>504 Gateway Time-?out)/,
);
const unreached = line(
  ['while connecting to upstream', 'i/o timeout'],
  [],
  /upstream timed out \(110: [\w ]{5,30}\) while connecting to upstream|dial tcp [\d.:]{7,30}: i\/o timeout/,
);

export const cause = defineCause({
  id: 'ingress-limit-exceeded',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble'],

  text: {
    name: 'Limit of the ingress exceeded',
    title: 'The ingress controller ends the request at a limit of its own: {what}',
    why: 'nginx takes bodies of 1 MiB, answers whose headers fit into 4 or 8 KiB, and waits 60 seconds for an answer unless it is told otherwise. {what}. The pods themselves are reachable.',
  },

  clues: {
    tooLong: proves(tooLong),
    header: proves(header),
    connections: proves(connections),
    slow: supports(slow),
    unreached: excludes(unreached),
  },
  says: {
    tooLong: 'the body of the request is larger than allowed',
    header: 'a header is larger than the buffer for it',
    connections: 'nginx has no connection or file descriptor left',
    slow: 'the program did not answer within the read timeout',
    unreached: 'it does not even get a connection to the pod',
  },
  slots: (_place, { tooLong: body, header: large, connections: used, slow: late }) => {
    const annotation = body
      ? 'nginx.ingress.kubernetes.io/proxy-body-size=64m'
      : large
        ? 'nginx.ingress.kubernetes.io/proxy-buffer-size=16k'
        : 'nginx.ingress.kubernetes.io/proxy-read-timeout=300';
    return {
      annotation,
      what: body
        ? `the request has a body${body.fields['bytes'] ? ` of ${body.fields['bytes']} bytes` : ''} that is larger than proxy-body-size allows (413)`
        : large?.fields['answer']
          ? 'the answer of the program has headers (cookies, tokens) larger than proxy-buffer-size (502)'
          : large
            ? 'the request has headers, cookies or a URI larger than its buffers (400, 414)'
            : used
              ? `all connections of a worker are in use${used.fields['number'] ? ` (worker_connections ${used.fields['number']})` : ' (open files)'}, so requests fail with 500`
              : `the program${late?.fields['upstream'] ? ` at ${late.fields['upstream']}` : ''} took longer than proxy-read-timeout, or hangs (504)`,
    };
  },

  fixes: [
    {
      say: 'See what the program does meanwhile',
      risk: 'reads-only',
      steps: [
        {
          say: 'is it busy, throttled, waiting for something?',
          run: 'kubectl top pods -n NAMESPACE; kubectl -n NAMESPACE logs POD --tail=50',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Raise the limit for this Ingress',
      risk: 'reads-only',
      steps: [
        { say: 'ingress-nginx', run: 'kubectl -n NAMESPACE annotate ingress NAME {{annotation}}', on: 'cluster' },
        {
          say: 'connections: max-worker-connections and max-worker-open-files in the ConfigMap of the controller, or more replicas',
          run: 'kubectl -n ingress-nginx patch configmap ingress-nginx-controller --type merge -p \'{"data":{"max-worker-connections":"65536","max-worker-open-files":"131072"}}\'',
          on: 'cluster',
        },
        {
          say: 'headers of requests: large-client-header-buffers in the ConfigMap of the controller',
          run: 'kubectl -n ingress-nginx patch configmap ingress-nginx-controller --type merge -p \'{"data":{"large-client-header-buffers":"4 32k"}}\'',
          on: 'cluster',
        },
      ],
      verified: 'the same request is answered by the program',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['nginx ngx_http_upstream.c, ngx_http_core_module', 'kubernetes/ingress-nginx docs: annotations'],
});
