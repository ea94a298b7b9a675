import { defineCause, excludes, line, minutes, namesOf, supports } from '../../define-cause.ts';

/** What Envoy answers to the caller when it gets nothing from behind. */
const body = line(
  ['upstream connect error or disconnect/reset before headers', 'upstream request timeout', 'no healthy upstream', 'OPENSSL_internal:'],
  ['container-log', 'host-tools', 'prose'],
  /^(?![\s\S]{0,300}?plugin\/(?:forward|errors))[\s\S]{0,3000}?(?:upstream connect error or disconnect\/reset before headers(?:\. (?:retried and the latest )?reset reason: (?<reason>[\w ]{3,60}))?(?:, transport failure reason: (?<transport>[^\n"\\]{3,160}))?|TLS[ _]error:[ |]\d{5,12}:SSL[ _]routines:(?<tls>OPENSSL_internal:\w{5,60})|(?<late>upstream request timeout)|(?<none>no healthy upstream))/,
);
/** The access log: status, then response flags; the cluster further on says who should have answered. */
const flags = line(
  [
    'outbound|',
    'inbound|',
    'route_not_found',
    'no_healthy_upstream',
    'upstream_reset_before_response',
    'cluster_not_found',
    'PassthroughCluster',
    'BlackHoleCluster',
    'via_upstream',
    'no_route_found',
  ],
  'container-log',
  /(?:"|\s)(?<status>[45]\d\d|0) (?<flags>(?:UH|UF|NR|NC|URX|UC|UT|UO|UR|LH|UPE|UMSDR|DPE)(?:,[A-Z]{2,5}){0,4}) (?:(?<detail>[\w{}:|,._-]{4,200}) )?[^\n]{0,900}?(?:(?:outbound|inbound)\|(?<port>\d{1,5})\|[\w.-]{0,60}\|(?<host>[\w.-]{0,253})|(?<special>BlackHoleCluster|PassthroughCluster)|$)/,
);
const ready = line(['Envoy proxy is NOT ready'], [], /Envoy proxy is NOT ready/);

interface Flag {
  readonly flag: RegExp;
  readonly says: string;
}

const FLAGS: readonly Flag[] = [
  {
    flag: /WRONG_VERSION_NUMBER|TLS error|TLS_error|OPENSSL_internal|CERTIFICATE_VERIFY_FAILED/i,
    says: 'one side speaks TLS and the other does not, or their certificates do not fit (mutual TLS mode of DestinationRule and PeerAuthentication, sidecar on one side only)',
  },
  {
    flag: /^NR|route_not_found|no_route_found/,
    says: 'no route matches the host and path of the request (Gateway, VirtualService, HTTPRoute: hosts, gateways, port name)',
  },
  {
    flag: /^NC|cluster_not_found/,
    says: 'the route leads to a host or subset that does not exist (DestinationRule subset, name of the Service)',
  },
  {
    flag: /BlackHole/,
    says: 'the mesh lets nothing out that it does not know (outboundTrafficPolicy REGISTRY_ONLY): a ServiceEntry is missing',
  },
  {
    flag: /^UH|no.healthy.upstream/,
    says: 'there is no healthy endpoint behind the Service: no ready pod, no matching subset, or all were ejected as outliers',
  },
  { flag: /^UO|overflow/, says: 'the circuit breaker is open: more connections or requests than the DestinationRule allows' },
  { flag: /^UT|request timeout/, says: 'the program takes longer than the timeout of the route' },
  {
    flag: /^UC|connection termination|remote reset/,
    says: 'the program closes the connection before it has answered: it crashes, it closes idle connections sooner than the proxy, or the protocol (HTTP/1, HTTP/2, TCP) is not what the port name says',
  },
  {
    flag: /111|refused/,
    says: 'nothing listens at the port of the pod: wrong targetPort, the program listens on 127.0.0.1 only, or it is not up yet',
  },
  {
    flag: /^UF|connection failure|connection timeout|connect/,
    says: 'no connection to the pod: wrong targetPort, program not up, NetworkPolicy, or mutual TLS on one side only',
  },
];

export const cause = defineCause({
  id: 'envoy-upstream-fails',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],
  effectOf: ['service-selects-no-ready-pods', 'mesh-proxy-not-ready', 'networkpolicy-blocks', 'networkpolicy-default-deny'],

  text: {
    name: 'Envoy gets no answer from behind',
    title: 'Envoy cannot pass the request on to {service} ({flag}): {what}',
    why: 'Envoy (sidecar or gateway of Istio, Contour, Envoy Gateway) answers 503, 504 or 404 by itself when it has no route, no healthy endpoint, or no connection to it. Its response flag tells which: {flag}, that is {what}.',
  },

  clues: {
    flags: supports(flags),
    body: supports(body),
    unready: excludes(ready),
  },
  says: {
    flags: 'the access log of Envoy carries the flag {flag}',
    body: 'the answer is made by Envoy itself, not by the program: {flag}',
    unready: 'the proxy itself is not ready yet',
  },
  slots: (place, { flags: row, body: answer }) => {
    const said =
      answer?.fields['transport'] ?? answer?.fields['tls'] ?? answer?.fields['reason'] ?? answer?.fields['late'] ?? answer?.fields['none'];
    const flag = row
      ? `${row.fields['flags'] ?? ''}${row.fields['detail'] ? ` ${row.fields['detail']}` : ''}`
      : (said ?? 'no answer').trim();
    const hint = row?.fields['special'] ?? answer?.fields['transport'] ?? flag;
    const found = FLAGS.find((one) => one.flag.test(hint)) ?? FLAGS.find((one) => one.flag.test(flag));
    const host = row?.fields['host'];
    return {
      namespace: namesOf(place).namespace,
      service: host ? `${host}:${row?.fields['port'] ?? ''}` : 'the pod behind it',
      name: host?.split('.')[0] || 'SERVICE',
      flag: flag.slice(0, 80),
      what: found?.says ?? 'no connection to the pod: wrong targetPort, program not up, NetworkPolicy, or mutual TLS on one side only',
    };
  },

  fixes: [
    {
      say: 'Go along the way of the request, in this order',
      risk: 'reads-only',
      steps: [
        {
          say: 'is there a ready pod behind the Service, and does the Service name its real port?',
          run: 'kubectl get service,endpointslices -A | grep {{name}}',
          on: 'cluster',
        },
        { say: 'faulty routes, gateways and rules', run: 'istioctl analyze -A', on: 'cluster' },
        {
          say: 'what the calling proxy knows of it',
          run: 'istioctl proxy-config endpoints POD.NAMESPACE | grep {{name}}; istioctl proxy-config routes POD.NAMESPACE',
          on: 'cluster',
        },
        {
          say: 'mutual TLS on both sides',
          run: 'kubectl get peerauthentications,destinationrules -A -o yaml | grep -nE "mode:|host:|namespace:"',
          on: 'cluster',
        },
        { say: 'does the program answer inside its own pod?', run: 'kubectl exec POD -- curl -sv http://127.0.0.1:PORT/', on: 'cluster' },
      ],
    },
    {
      say: 'Correct what that shows: targetPort, port name (http, grpc, tcp), tls mode, or the host of the route',
      risk: 'reads-only',
      steps: [
        { say: 'the Service', run: 'kubectl -n {{namespace}} edit service {{name}}', on: 'cluster' },
        {
          say: 'a caller outside of the mesh meets STRICT mutual TLS: PERMISSIVE lets it in, for as long as it has no sidecar',
          run: 'kubectl -n {{namespace}} edit peerauthentication',
          on: 'cluster',
        },
      ],
      verified: 'the access log shows via_upstream and no flag',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['envoyproxy.io: access log response flags', 'istio.io: traffic management problems'],
});
