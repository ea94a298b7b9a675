import { defineCause, excludes, line, minutes, supports } from '../../define-cause.ts';

/** Answers of ingress controllers that know no rule for what was asked. */
const body = line(
  [
    'default backend - 404',
    '404 page not found',
    '<h1>404 Not Found</h1>',
    '"no Route matched with those values"',
    'no Route matched with those values',
    'response 404 (backend NotFound)',
  ],
  ['host-tools', 'prose', 'container-log'],
  /(?<nginx>default backend - 404)|^\s{0,4}(?<traefik>404 page not found)\s{0,4}$|(?<page><h1>404 Not Found<\/h1>)|(?<kong>no Route matched with those values)|(?<gce>response 404 \(backend NotFound\))/,
);
const row = line(['[upstream-default-backend]'], 'container-log', /" 404 \d{1,9} [^\n]{0,300}?\[upstream-default-backend\]/);
const rule = line(
  [
    'does not exist" entryPointName',
    'middleware does not exist',
    '" does not exist',
    'not in the parent resource namespace',
    'No domain found in rule',
    "EntryPoint doesn't exist",
    'NotAllowedByListeners',
    'NoMatchingListenerHostname',
    'NoMatchingParent',
    'RefNotPermitted',
    'InvalidCertificateRef',
    'Referenced gateway not found',
    'Waiting for controller',
  ],
  ['container-log', 'objects', 'object-events', 'host-tools'],
  /(?<middleware>(?:invalid )?middleware [\\"]{1,4}[\w.@/-]{1,253}[\\"]{1,4}[^\n]{0,80}?does not exist)|(?<foreign>(?:service|middleware|secret)? ?[\w./-]{1,253} not in the parent resource namespace [\w.-]{1,63})|(?<entry>EntryPoint doesn't exist)|(?<listener>NotAllowedByListeners|NoMatchingListenerHostname|NoMatchingParent)|(?<grant>RefNotPermitted)|(?<certificate>InvalidCertificateRef)|(?<waiting>Waiting for controller)|Referenced gateway not found: (?<gateway>[\\"]{1,4}[\w./-]{1,253})/,
);
/** Somebody always asks for pages that are not there; a controller that serves others is well. */
const served = line(['HTTP/1.1" 200 ', 'HTTP/2.0" 200 ', 'HTTP/1.0" 200 '], [], /HTTP\/[\d.]{1,3}" 200 \d/);
const noPod = line(['does not have any active Endpoint', 'no endpoints found for'], []);

export const cause = defineCause({
  id: 'ingress-route-missing',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],

  text: {
    name: 'No rule of the Ingress applies',
    title: 'The ingress controller has no route for this request (404): {what}',
    why: 'An ingress controller looks for a rule that fits host, path and entry point, and answers 404 by itself when there is none. {what}. Asked by address or by another host name than the rule has, it answers the same although all is well.',
  },

  clues: {
    rule: supports(rule),
    row: supports(row),
    body: supports(body),
    served: excludes(served),
    noPod: excludes(noPod),
  },
  says: {
    rule: 'the controller does not use the rule: {what}',
    row: 'the controller sends the request to its default backend',
    body: 'the answer is the 404 of the controller, or of the program behind it',
    served: 'other requests are answered with 200',
    noPod: 'the rule is found; no pod is behind it',
  },
  slots: (_place, { rule: refused, row: logged, body: answer }) => ({
    what: refused?.fields['middleware']
      ? `a middleware its route names does not exist, so the whole route is dropped (${refused.fields['middleware'].replaceAll('\\', '')})`
      : refused?.fields['foreign']
        ? 'a route refers to something in another namespace, which is not allowed (allowCrossNamespace)'
        : refused?.fields['entry']
          ? 'the route names an entry point that the controller does not have'
          : refused?.fields['listener']
            ? `the Gateway does not accept the route (${refused.fields['listener']}): host name, namespace (allowedRoutes) or sectionName does not fit a listener`
            : refused?.fields['grant']
              ? 'the route or Gateway refers to an object in another namespace, and no ReferenceGrant there permits it (RefNotPermitted)'
              : refused?.fields['certificate']
                ? 'the certificate Secret that the Gateway names does not exist or is not of type kubernetes.io/tls (InvalidCertificateRef)'
                : refused?.fields['waiting']
                  ? 'no controller has taken the GatewayClass or Gateway (Waiting for controller): none is installed for its controllerName, or gatewayClassName names another'
                  : refused?.fields['gateway']
                    ? `the VirtualService names a Gateway that does not exist: ${refused.fields['gateway'].replace(/[\\"]/g, '')}`
                    : logged
                      ? 'host or path match no Ingress that this controller takes: other host name, path or pathType, no ingressClassName, or the Ingress is not there'
                      : answer?.fields['page']
                        ? 'either no rule fits host and path, or the path that the program gets is not one it knows (rewrite-target, pathType)'
                        : 'host or path match no rule that this controller takes: other host name, path or pathType, no ingressClassName, or another entry point',
  }),

  fixes: [
    {
      say: 'Compare what was asked with the rules there are',
      risk: 'reads-only',
      steps: [
        { say: 'hosts, paths, classes', run: 'kubectl get ingress,ingressclass -A -o wide', on: 'cluster' },
        {
          say: 'routes of other kinds',
          run: 'kubectl get ingressroutes,httproutes,gateways,virtualservices -A 2>/dev/null',
          on: 'cluster',
        },
        {
          say: 'Gateway API: a GatewayClass must be Accepted by a controller that runs',
          run: 'kubectl get gatewayclass,gateways -A; kubectl get gatewayclass -o yaml | grep -n controllerName',
          on: 'cluster',
        },
        {
          say: 'ask with the very host name of the rule',
          run: 'curl -sv -H "Host: HOST-OF-THE-RULE" http://INGRESS-ADDRESS/PATH',
          on: 'cluster',
        },
        {
          say: 'does the controller refuse the object?',
          run: 'kubectl get pods -A | grep -Ei "ingress|traefik|gateway|kong|contour"; kubectl -n NAMESPACE logs deploy/CONTROLLER --tail=50',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Correct the rule: host, path with pathType Prefix, ingressClassName of the controller',
      risk: 'reads-only',
      steps: [
        {
          say: 'the class',
          run: 'kubectl -n NAMESPACE patch ingress NAME --type merge -p \'{"spec":{"ingressClassName":"nginx"}}\'',
          on: 'cluster',
        },
        {
          say: 'the program gets the whole path; if it knows only what follows it, rewrite: path /api(/|$)(.*) with pathType ImplementationSpecific and',
          run: "kubectl -n NAMESPACE annotate ingress NAME 'nginx.ingress.kubernetes.io/rewrite-target=/$2'",
          on: 'cluster',
        },
      ],
      verified: 'the request reaches the log of the program',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes/ingress-nginx docs: troubleshooting', 'traefik pkg/server/router', 'gateway-api RouteConditionReason'],
});
