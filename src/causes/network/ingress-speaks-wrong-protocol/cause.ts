import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const CHANNELS = ['container-log', 'host-tools', 'prose'] as const;

/** TLS to a port that speaks plain HTTP. */
const tlsToPlain = line(
  ['while SSL handshaking to upstream', 'http: server gave HTTP response to HTTPS client'],
  CHANNELS,
  /(?<error>wrong version number|packet length too long|unknown protocol|http request)[^\n]{0,80}?while SSL handshaking to upstream[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200})/,
);
/** Plain HTTP to a port that wants TLS, or that speaks HTTP/2 only. */
const plainToTls = line(
  [
    'The plain HTTP request was sent to HTTPS port',
    'Client sent an HTTP request to an HTTPS server',
    'upstream sent no valid HTTP/1.0 header',
    'http2: frame too large',
  ],
  CHANNELS,
  /(?<error>The plain HTTP request was sent to HTTPS port|Client sent an HTTP request to an HTTPS server|upstream sent no valid HTTP\/1\.0 header)(?:[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200}))?/,
);
/** The same, as the server behind it logs it; a scanner or a check that speaks so leaves the same line. */
const heard = line(
  [
    'tls: first record does not look like a TLS handshake',
    'client sent an HTTP request to an HTTPS server',
    'This combination of host and port requires TLS',
    'not an SSL/TLS record',
    'CLIENT_HELLO:http request',
    'SSL routines::http request',
  ],
  CHANNELS,
  /TLS handshake error from (?<caller>[\da-fA-F.:[\]]{3,50}?)(?::\d{1,5})?: (?<error>tls: first record does not look like a TLS handshake|client sent an HTTP request to an HTTPS server)|(?<said>This combination of host and port requires TLS|not an SSL\/TLS record|(?:CLIENT_HELLO|SSL routines:):http request)/,
);
const grpc = line(
  ['upstream sent invalid http2', 'upstream rejected request with error', 'upstream sent too large http2 frame'],
  'container-log',
  /(?<error>upstream sent (?:invalid|too large) http2 [^\n,]{3,60}|upstream rejected request with error \d{1,3})(?:[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200}))?/,
);
const probe = line(['probe failed', 'probe errored', 'HTTP probe failed'], [], /(?:Liveness|Readiness|Startup) probe (?:failed|errored)/);

export const cause = defineCause({
  id: 'ingress-speaks-wrong-protocol',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble'],

  text: {
    name: 'Ingress and pod speak different protocols',
    title: 'HTTP and HTTPS are mixed up on the way to {upstream}: {what}',
    why: 'What stands in front (ingress controller, load balancer, or who calls) and the port behind it do not speak the same protocol: {what}. The connection comes about, and then the first bytes make no sense to the other side, so the answer is 400, 502 or a reset.',
  },

  clues: {
    tlsToPlain: proves(tlsToPlain),
    plainToTls: proves(plainToTls),
    grpc: proves(grpc),
    heard: supports(heard),
    probe: excludes(probe),
  },
  says: {
    tlsToPlain: 'TLS is spoken to a port that does not know it: {error}',
    plainToTls: 'plain HTTP is spoken to a port that wants TLS: {error}',
    grpc: 'HTTP/2 (gRPC) is spoken to a port that does not know it: {error}',
    heard: 'the server logs plain HTTP where it wants TLS{caller}: {error}',
    probe: 'it is a probe of the kubelet that speaks so: its scheme is wrong',
  },
  slots: (_place, { tlsToPlain: encrypted, plainToTls: plain, grpc: framed, heard: logged }) => {
    const seen = encrypted ?? plain ?? framed ?? logged;
    return {
      upstream: seen?.fields['upstream'] ?? 'the pod',
      caller: logged?.fields['caller'] ? ` (from ${logged.fields['caller']})` : '',
      error: seen?.fields['error'] ?? logged?.fields['said'] ?? 'no valid answer',
      protocol: encrypted ? 'HTTP' : framed ? 'GRPC' : 'HTTPS',
      what: encrypted
        ? 'TLS (https) is sent to a backend port that speaks plain HTTP'
        : framed
          ? 'gRPC or HTTP/2 is sent to a port that does not speak it'
          : logged && !plain
            ? `plain HTTP comes from the ingress controller, a check or another caller${logged.fields['caller'] ? ` (${logged.fields['caller']})` : ''}, and the port serves HTTPS only`
            : 'plain HTTP is sent to a backend port that wants TLS (or speaks HTTP/2 only)',
    };
  },

  fixes: [
    {
      say: 'Ask the pod itself in both ways',
      risk: 'reads-only',
      steps: [
        {
          say: 'which of the two answers?',
          run: 'kubectl run probe --rm -it --restart=Never --image=curlimages/curl -- sh -c "curl -skv https://POD-IP:PORT/; curl -sv http://POD-IP:PORT/"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Tell the ingress controller what the pod speaks',
      risk: 'reads-only',
      steps: [
        {
          say: 'ingress-nginx: HTTP, HTTPS, GRPC or GRPCS',
          run: 'kubectl -n NAMESPACE annotate --overwrite ingress NAME nginx.ingress.kubernetes.io/backend-protocol={{protocol}}',
          on: 'cluster',
        },
        {
          say: 'Traefik',
          run: 'kubectl -n NAMESPACE annotate --overwrite service NAME traefik.ingress.kubernetes.io/service.serversscheme=https',
          on: 'cluster',
        },
        { say: 'or let the Service lead to the other port of the program', run: 'kubectl -n NAMESPACE edit service NAME', on: 'cluster' },
      ],
      verified: 'the page comes without 400 or 502',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['nginx ngx_http_upstream.c', 'Go net/http server.go', 'kubernetes/ingress-nginx docs: backend-protocol'],
});
