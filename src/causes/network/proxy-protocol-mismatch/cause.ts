import { defineCause, excludes, line, minutes, proves } from '../../define-cause.ts';

const CHANNELS = ['container-log', 'host-tools', 'prose'] as const;

/** The receiver waits for a PROXY line, and the first bytes are those of HTTP or TLS. */
const notSent = line(
  [
    'while reading PROXY protocol',
    'proxy protocol signature not present',
    'failed to read proxy protocol',
    'not look like a PROXY protocol header',
    'Received something which does not look like a PROXY',
    'proxy_protocol_error',
  ],
  CHANNELS,
  /broken header: [^\n]{0,400}? while reading PROXY protocol(?:, client: (?<client>[\da-fA-F.:]{3,45}))?|proxy protocol signature not present|failed to read proxy protocol|does not look like a PROXY protocol header/i,
);
/** The sender writes a PROXY line, and the receiver takes it for the request. */
const notExpected = line(
  ['"PROXY TCP4 ', '"PROXY TCP6 ', 'PROXY TCP4 ', 'PROXY TCP6 ', '"PROXY UNKNOWN', '\\x0D\\x0A\\x0D\\x0A\\x00\\x0D\\x0AQUIT'],
  CHANNELS,
  /(?:request: |\] )"PROXY (?:TCP[46]|UNKNOWN)[^\n"]{0,120}"|malformed HTTP (?:request|version) [^\n]{0,60}?PROXY TCP[46]|\\x0D\\x0A\\x0D\\x0A\\x00\\x0D\\x0AQUIT\\x0A/,
);
/** Health checks of a load balancer come without the line, and those of nobody else do. */
const served = line(['HTTP/1.1" 200 ', 'HTTP/2.0" 200 ', 'HTTP/1.0" 200 '], [], /HTTP\/[\d.]{1,3}" (?:200|30[1-8]) \d/);

export const cause = defineCause({
  id: 'proxy-protocol-mismatch',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],

  text: {
    name: 'PROXY protocol on one side only',
    title: 'PROXY protocol is on at one side only: {what}',
    why: 'With the PROXY protocol a load balancer writes one line with the address of the client before the request itself. Sender and receiver must agree: {what}. So every connection ends with 400 or a reset before the request is read. Calls from inside of the cluster, which pass no load balancer, never carry that line.',
  },

  clues: {
    notSent: proves(notSent),
    notExpected: proves(notExpected),
    served: excludes(served),
  },
  says: {
    notSent: 'the controller waits for a PROXY line, and gets the request itself{from}',
    notExpected: 'a PROXY line arrives where a request is expected',
    served: 'other requests are answered: only some callers leave the line out',
  },
  slots: (_place, { notSent: expects }) => ({
    from: expects?.fields['client'] ? ` (from ${expects.fields['client']})` : '',
    value: expects ? 'false' : 'true',
    what: expects
      ? 'the ingress controller expects it, and what stands before it does not send it'
      : 'the load balancer sends it, and the ingress controller does not expect it',
  }),

  fixes: [
    {
      say: 'See what each side is set to',
      risk: 'reads-only',
      steps: [
        {
          say: 'the controller: use-proxy-protocol (ingress-nginx), proxy-protocol (NGINX Inc.)',
          run: 'kubectl get configmaps -A -o yaml | grep -nE "^ +(use-)?proxy-protocol:|real-ip-header"',
          on: 'cluster',
        },
        {
          say: 'the load balancer: an annotation of the Service turns it on',
          run: 'kubectl get services -A -o yaml | grep -niE "proxy-protocol|proxy_protocol"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Set the controller to what the load balancer really does: use-proxy-protocol {value}',
      risk: 'reads-only',
      steps: [
        {
          say: 'ingress-nginx',
          run: 'kubectl -n ingress-nginx patch configmap ingress-nginx-controller --type merge -p \'{"data":{"use-proxy-protocol":"{{value}}"}}\'',
          on: 'cluster',
        },
        {
          say: 'Traefik: --entryPoints.websecure.proxyProtocol.trustedIPs=ADDRESS-OF-THE-BALANCER, or leave it out; HAProxy: accept-proxy',
        },
      ],
      verified: 'a request from outside gets an answer of the program',
    },
    {
      say: 'Or turn it on or off at the load balancer, where the controller needs the addresses of clients',
      risk: 'reads-only',
      steps: [
        {
          say: 'AWS; other clouds have an annotation of their own',
          run: "kubectl -n NAMESPACE annotate --overwrite service NAME service.beta.kubernetes.io/aws-load-balancer-proxy-protocol='*'",
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['nginx ngx_proxy_protocol.c', 'HAProxy doc/proxy-protocol.txt', 'kubernetes/ingress-nginx docs: use-proxy-protocol'],
});
