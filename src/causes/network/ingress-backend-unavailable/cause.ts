import { defineCause, excludes, minutes, on, proves, supports } from '../../define-cause.ts';
import {
  answered503,
  cut,
  earlier,
  gateway,
  haproxy,
  hasNoClass,
  health,
  noCertificate,
  noClass,
  noEndpoint,
  noPort,
  noService,
  podOf,
  refused,
} from './lines.ts';

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
