import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const LOG = ['container-log', 'object-events', 'objects'] as const;
const NAME = String.raw`(?<service>[\w.-]{1,253}(?:\/[\w.-]{1,253})?)`;

const noEndpoint = line(
  ['does not have any active Endpoint', 'Skipping service: no endpoints found', 'no endpoints found for'],
  LOG,
  new RegExp(
    `(?:[Ss]ervice [\\\\"“”]{0,8}${NAME}[\\\\"“”]{0,8} does not have any active [Ee]ndpoint|Skipping service: no endpoints found|no endpoints found for (?:service )?[\\\\"“”]{0,8}(?<other>[\\w./-]{1,253}))(?<rest>[^\\n]{0,300})`,
  ),
);
const noService = line(
  [
    'in local store',
    'Cannot create service',
    'could not find service',
    'unresolved service reference',
    'Failed build model due to ingress',
    '<error: services',
    '<error: endpoints',
    'BackendNotFound',
    'kubernetes service not found: ',
  ],
  LOG,
  /(?:(?:Endpoints|service)[^\n]{0,60}? [\\"“”]{1,8}(?<nginx>[\w.-]{1,253}\/[\w.-]{1,253})[\\"“”]{1,8}: no object matching key|Cannot create service[^\n]{0,200}?service not found(?:[^\n]{0,300}?serviceName=(?<traefik>[\w.-]{1,253}))?|could not find service [\\"“”]{1,8}(?<gce>[\w./-]{1,253})|unresolved service reference[^\n]{0,60}?[\\"“”]{1,8}(?<contour>[\w./-]{1,253})|Failed build model due to ingress: (?<ingress>[\w./-]{1,253}): Service [\\"“”]{1,8}(?<alb>[\w.-]{1,253})[\\"“”]{1,8} not found|(?<!default-http-backend:80 \()<error: (?:services|endpoints) [\\"“”]{1,8}(?<described>(?!default-http-backend)[\w.-]{1,253})[\\"“”]{1,8} not found>|kubernetes service not found: (?<route>[\w.-]{1,253}\/[\w.-]{1,253})|[Rr]eason: {1,40}BackendNotFound)/,
);
const noPort = line(
  ['service port not found', 'does not have a port', 'no service port', 'port not found'],
  LOG,
  /(?:Cannot create service[^\n]{0,200}?service port not found|service [\\"“”]{1,8}(?<service>[\w./-]{1,253})[\\"“”]{1,8} does not have a port[^\n]{0,80}|no service port [^\n]{1,80}|Service [^\n]{1,120} port not found)/i,
);
const noClass = line(
  [
    'does not contain a valid IngressClass',
    'Ignoring ingress because of error while validating ingress class',
    'no ingress class',
    'ignoring ingress',
    'based on annotation',
  ],
  'container-log',
  /(?:(?:validating ingress class|[Ii]gnoring ingress)[^\n]{0,160}?(?:ingress=[\\"]{1,4}(?<ingress>[\w.-]{1,253}\/[\w.-]{1,253})[\\"]{1,4} )?[^\n]{0,60}?no object matching key [\\"]{1,4}(?<class>[\w.-]{1,253})|ingress does not contain a valid IngressClass|[Ii]gnoring (?:add for )?ingress [^\n]{0,120}(?:ingress\.class|IngressClass|ingress class)[^\n]{0,60})/,
);
const answered503 = line(['] [] - - - -'], 'container-log', /" 503 \d{1,9} [^\n]{0,300}?\[(?<backend>[\w.-]{1,253})\] \[\] - - - -/);
const refused = line(
  ['while connecting to upstream'],
  'container-log',
  /(?:connect\(\) failed|upstream timed out) \((?<errno>\d{1,3}): (?<error>[\w ]{3,60})\) while connecting to upstream[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200})/,
);
/** The controller has reached a pod, or tried to, and answers in its stead. */
const gateway = line(
  [
    'HTTP/1.1" 502 ',
    'HTTP/1.1" 504 ',
    'HTTP/2.0" 502 ',
    'HTTP/2.0" 504 ',
    '502 Bad Gateway',
    '504 Gateway Time',
    '503 Service Temporarily Unavailable',
    'Bad Gateway',
    'Gateway Timeout',
  ],
  ['container-log', 'host-tools', 'prose'],
  /HTTP\/[\d.]{1,3}" (?<status>50[24]) \d{1,9} [^\n]{0,400}?(?:\[(?<backend>[\w.-]{1,253})\] \[[^\]\n]{0,60}\] (?<pod>[\d.]{7,15}:\d{1,5})|"(?<router>[\w.@/-]{1,253})" "(?<url>https?:\/\/[^"\s]{3,200})")|50(?:2 Bad Gateway|4 Gateway Timeout)'? (?:caused by: |error=[\\"]{0,3})(?:dial tcp (?<dialled>[\d.]{7,15}:\d{1,5}): )?(?<error>[^\n"]{3,80})|<(?:h1|title)>(?<page>502 Bad Gateway|503 Service Temporarily Unavailable|503 Service Unavailable)|^\s{0,4}(?<bare>Bad Gateway|Gateway Timeout)\s{0,4}$|^(?![^\n]{0,400}?(?:unexpected status|registry|pull|manifest|https?:\/\/|error=))[^\n]{0,400}?(?<told>50(?:2 Bad Gateway|3 Service Temporarily Unavailable|4 Gateway Time-?out))/,
);
const cut = line(
  [
    'upstream prematurely closed connection',
    'while reading response header from upstream',
    'while reading upstream',
    'no live upstreams while connecting',
  ],
  'container-log',
  /(?<cut>upstream prematurely closed connection|(?:recv|readv)\(\) failed \(104: Connection reset by peer\)) while reading (?:response header from )?upstream(?:[^\n]{0,300}?upstream: "(?<upstream>[^"\s]{3,200}))?|(?<none>no live upstreams) while connecting to upstream/,
);
/** What an AWS load balancer says of the pods or nodes behind it. */
const health = line(
  ['Target.FailedHealthChecks', 'Target.ResponseCodeMismatch', 'Health checks failed with these codes', 'Target.Timeout'],
  ['host-tools', 'objects', 'container-log', 'prose'],
  /(?<check>Health checks failed with these codes: \[[\d, ]{1,40}\]|Target\.(?:FailedHealthChecks|ResponseCodeMismatch|Timeout))/,
);
/** HAProxy checks its servers by itself. */
const haproxy = line(
  ['has no server available', 'is DOWN, reason: Layer', '/<NOSRV>'],
  'container-log',
  /(?:backend|proxy) '?(?<backend>[\w.:/-]{1,253})'? has no server available|Server (?<server>[\w.:/-]{1,253}) is DOWN, reason: (?<error>Layer[^\n]{3,80})|(?<nosrv>[\w.:/-]{1,253}\/<NOSRV>)/,
);
const noCertificate = line(
  [
    'Error getting SSL certificate',
    'error obtaining X.509 certificate',
    'Error configuring TLS',
    'secret does not contain',
    'cannot find fallback secret',
    'failed to fetch key and certificate for',
  ],
  'container-log',
  /Error getting SSL certificate [\\"“”]{1,8}(?<secret>[\w./-]{1,253})|error obtaining X\.509 certificate: [^\n]{0,60}?(?<other>[\w.-]{1,253}\/[\w.-]{1,253})|Error configuring TLS: secret (?<traefik>[\w./-]{1,253}) does not exist|(?:cannot find secret |failed to fetch key and certificate for kubernetes(?:-gateway)?:\/\/)(?<istio>[\w./-]{1,253}?)(?: and cannot find fallback secret|: secret [\w./-]{1,253} not found)/i,
);
const earlier = line(
  ['Failed build model due to', 'Failed deploy model due to'],
  ['object-events', 'objects', 'container-log'],
  /Failed (?:build|deploy) model due to (?!ingress: [\w./-]{1,253}: Service)/,
);

function hasNoClass({ about, status, detail }: Fact<'object.status'>): boolean {
  return about.startsWith('Object/Ingress/') && status === 'no address' && /CLASS <none>/.test(detail ?? '');
}

function podOf(fields: Readonly<Record<string, string | undefined>>): string {
  const pod = fields['pod'] ?? fields['url'] ?? fields['dialled'];
  return pod === undefined ? '' : ` (${pod})`;
}

export const cause = defineCause({
  id: 'ingress-backend-unavailable',
  area: 'network',
  at: 'Object',
  maturity: 'stable',
  explains: ['other-trouble', 'not-ready'],
  effectOf: ['service-selects-no-ready-pods'],
  wakesOn: [on('object.status', { status: 'no address', asked: true }), on('object.dangling', { type: 'Service' })],

  text: {
    name: 'Ingress has no backend',
    title: 'The Ingress cannot serve {service}: {what}',
    why: 'An ingress controller passes requests on to the pods behind the Service that the Ingress names. {what}, so it answers 503 (no backend) or 404 (no rule of it applies), whatever the state of the controller itself. Ingress and Service must be in the same namespace, and the Ingress must carry the class of the controller.',
  },

  clues: {
    noEndpoint: proves(noEndpoint),
    noService: proves(noService),
    noPort: proves(noPort),
    noClass: proves(noClass),
    answered503: supports(answered503),
    refused: supports(refused),
    cut: supports(cut),
    gateway: supports(gateway, ({ channel, fields }) => fields['told'] === undefined || channel === 'prose'),
    health: supports(health),
    haproxy: supports(haproxy),
    noCertificate: supports(noCertificate),
    classless: supports('object.status', hasNoClass),
    dangling: supports('object.dangling', ({ about, type }) => about.startsWith('Object/Ingress/') && type === 'Service'),
    earlier: excludes(earlier),
  },
  says: {
    noEndpoint: 'the controller finds no ready endpoint behind {service}',
    noService: 'the Ingress names {service}, which does not exist',
    noPort: 'the Service has no such port',
    noClass: 'no controller takes the Ingress: it has no valid ingress class',
    answered503: 'the controller answers 503 without asking any pod',
    refused: 'the controller gets no connection to the pod: {error}',
    cut: 'the pod ends the connection before it has answered, or none is left to ask',
    gateway: 'the controller answers 502, 503 or 504 in place of the pod',
    health: 'the load balancer finds its targets unhealthy: {check}',
    haproxy: 'HAProxy has no server left for it',
    dangling: 'the Ingress names {service}; the namespace shows only {others}',
    noCertificate: 'its TLS Secret {secret} is not there; a default certificate is shown',
    classless: 'the Ingress has neither class nor address',
    earlier: 'the controller has not got as far: it cannot make the load balancer',
  },
  slots: (
    place,
    {
      noEndpoint: empty,
      noService: missing,
      noPort: port,
      noClass: ignored,
      answered503: unavailable,
      refused: upstream,
      cut: broken,
      gateway: answered,
      haproxy: balanced,
      health: checked,
      noCertificate: uncertified,
      classless,
      dangling,
    },
  ) => {
    const traefik = /serviceName=(?<name>[\w.-]{1,253})/.exec(empty?.fields['rest'] ?? '')?.groups?.['name'];
    const absent =
      missing?.fields['nginx'] ??
      missing?.fields['gce'] ??
      missing?.fields['contour'] ??
      missing?.fields['alb'] ??
      missing?.fields['traefik'] ??
      missing?.fields['route'] ??
      missing?.fields['described'] ??
      dangling?.name;
    const service =
      absent ??
      empty?.fields['service'] ??
      empty?.fields['other'] ??
      traefik ??
      port?.fields['service'] ??
      unavailable?.fields['backend'] ??
      answered?.fields['backend'] ??
      answered?.fields['router'] ??
      balanced?.fields['backend'];
    const inside = service?.includes('/') ? service.split('/')[0] : place.namespace;
    return {
      service: service ? `Service ${service}` : 'its Service',
      name: service?.replace(/^.*\//, '') ?? 'SERVICE',
      namespace: inside === undefined || inside === '?' ? 'NAMESPACE' : inside,
      error: upstream?.fields['error'] ?? 'no answer',
      secret:
        uncertified?.fields['secret'] ??
        uncertified?.fields['other'] ??
        uncertified?.fields['traefik'] ??
        uncertified?.fields['istio'] ??
        'of the Ingress',
      check: checked?.fields['check'] ?? 'unhealthy',
      others: dangling?.others.join(', ') ?? 'others',
      what: missing
        ? `the backend Service ${absent ?? 'it names'} does not exist in its namespace`
        : dangling && !empty && !port
          ? `the backend Service ${dangling.name} is not among the Services shown of its namespace`
          : empty
            ? 'the Service has no active endpoint: no ready pod matches its selector'
            : port
              ? 'the Service has no port with that name or number'
              : ignored?.fields['class']
                ? `the Ingress${ignored.fields['ingress'] ? ` ${ignored.fields['ingress']}` : ''} names the ingress class ${ignored.fields['class']}, which does not exist, so no controller takes it`
                : (ignored ?? classless)
                  ? 'the Ingress has no valid ingressClassName, so no controller takes it'
                  : upstream
                    ? /^(?:110|113)$/.test(upstream.fields['errno'] ?? '')
                      ? `the pod behind it does not answer (${upstream.fields['upstream'] ?? 'upstream'}): the way from the controller to the pod is blocked or broken (firewall or security group between the nodes, NetworkPolicy, pod network), or its node is down`
                      : `the pod behind it does not accept connections (${upstream.fields['upstream'] ?? 'upstream connect error'}): wrong port, or it is not up`
                    : uncertified?.fields['istio']
                      ? `the TLS Secret ${uncertified.fields['istio']} (credentialName of the Gateway) is not in the namespace of the gateway pods, mostly istio-system, so TLS connections are reset`
                      : uncertified
                        ? `its TLS Secret ${uncertified.fields['secret'] ?? uncertified.fields['other'] ?? uncertified.fields['traefik'] ?? ''} is missing or not in its namespace, so clients get the default (fake) certificate`
                        : broken?.fields['cut']
                          ? `the pod behind it closes the connection before it has answered${broken.fields['upstream'] ? ` (${broken.fields['upstream']})` : ''}: it crashes or restarts under the request, is out of workers, or closes idle connections sooner than the controller (502)`
                          : answered
                            ? /^504|Gateway Timeout|i\/o timeout/.test(
                                `${answered.fields['status'] ?? answered.fields['told'] ?? ''}${answered.fields['error'] ?? ''}${answered.fields['bare'] ?? ''}`,
                              )
                              ? `the pod behind it${podOf(answered.fields)} does not answer in time (504): it hangs, or the way to it is blocked (NetworkPolicy, firewall between nodes)`
                              : /503/.test(answered.fields['page'] ?? answered.fields['told'] ?? '')
                                ? 'no pod behind it is available (503)'
                                : `the pod behind it${podOf(answered.fields)} does not accept or cuts connections (502): wrong targetPort, program not up or on 127.0.0.1 only, or HTTPS where HTTP is expected`
                            : checked
                              ? `the health check of the load balancer fails (${checked.fields['check'] ?? ''}): its path or port is not one the program answers with 200 (alb.ingress.kubernetes.io/healthcheck-path, healthcheck-port, success-codes), or a security group stops it`
                              : 'no pod behind it is available (503)',
    };
  },

  fixes: [
    {
      say: 'Follow the way from Ingress to pod',
      risk: 'reads-only',
      steps: [
        { say: 'backends as the Ingress names them', run: 'kubectl -n {{namespace}} describe ingress', on: 'cluster' },
        { say: 'Services, ports and endpoints that really exist', run: 'kubectl -n {{namespace}} get services,endpoints', on: 'cluster' },
        { say: 'classes there are', run: 'kubectl get ingressclass; kubectl -n {{namespace}} get ingress', on: 'cluster' },
      ],
    },
    {
      say: 'Correct the backend of the Ingress: name and port of a Service in the same namespace',
      risk: 'reads-only',
      for: ['noService', 'noPort', 'dangling'],
      steps: [
        {
          say: 'spec.rules[].http.paths[].backend.service.name must be the real name, port.number or port.name one of its ports',
          run: 'kubectl -n {{namespace}} edit ingress',
          on: 'cluster',
        },
        {
          say: 'or create the Service {name} it asks for',
          run: 'kubectl -n {{namespace}} expose deployment NAME --name={{name}} --port=80 --target-port=8080',
          on: 'cluster',
        },
      ],
      verified: 'kubectl describe ingress lists addresses behind every path, and the site answers',
    },
    {
      say: 'Where the Service has no endpoints: correct its selector, or get its pods ready',
      risk: 'restarts-pods',
      for: ['noEndpoint'],
      steps: [
        {
          say: 'selector against labels',
          run: "kubectl -n {{namespace}} get service {{name}} -o jsonpath='{.spec.selector}'; kubectl -n {{namespace}} get pods --show-labels",
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where the TLS Secret is missing: create it in the namespace where it is looked for',
      risk: 'reads-only',
      steps: [
        { say: 'where it is, if anywhere', run: 'kubectl get secrets -A --field-selector type=kubernetes.io/tls', on: 'cluster' },
        {
          say: 'an Ingress: in its own namespace; an Istio Gateway: in the namespace of the gateway pods (istio-system)',
          run: 'kubectl -n istio-system create secret tls NAME --cert=tls.crt --key=tls.key',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Where the class is missing: set ingressClassName to that of the controller',
      risk: 'reads-only',
      for: ['noClass', 'classless'],
      steps: [
        {
          say: 'for example nginx',
          run: 'kubectl -n {{namespace}} patch ingress NAME --type merge -p \'{"spec":{"ingressClassName":"nginx"}}\'',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes/ingress-nginx internal/ingress/controller/controller.go',
    'traefik pkg/provider/kubernetes/ingress',
    'kubernetes-sigs/aws-load-balancer-controller pkg/ingress',
    'kubectl describe ingress',
  ],
});
