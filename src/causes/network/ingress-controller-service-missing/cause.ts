import { byContainers, defineCause, excludes, isWell, line, minutes, namesOf, proves } from '../../define-cause.ts';

const NAME = String.raw`[\w.-]{1,253}`;

/** Fatal words of ingress-nginx about the Services that its flags name. */
const absent = line(
  ['No service with name', 'no service with name', 'error while fetching default backend'],
  ['container-log', 'prose'],
  new RegExp(
    `[Nn]o service with name (?:(?<ns>${NAME})/)?(?<service>${NAME}) found(?: in namespace (?<namespace>${NAME}))?:|error while fetching default backend service (?<backend>[\\w./-]{1,253})`,
  ),
);
const withoutAddress = line(
  ['does not (yet) have ingress points'],
  ['container-log', 'prose'],
  /service (?<service>[\w./-]{1,253}) does not \(yet\) have ingress points/,
);
const forbidden = line(['is forbidden: User'], [], /services? [^\n]{0,80}is forbidden: User/);

export const cause = defineCause({
  id: 'ingress-controller-service-missing',
  area: 'network',
  at: 'WorkloadContainer',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'failed', 'not-ready', 'other-trouble'],

  text: {
    name: 'Service of ingress controller missing',
    title: 'The ingress controller exits: {what}',
    why: 'ingress-nginx looks at its start for the Services that its flags name: --publish-service, whose address it writes into the Ingresses, and --default-backend-service. {what}, so it ends with a fatal error, every time, and no Ingress is served.',
  },

  clues: {
    absent: proves(absent, byContainers),
    withoutAddress: proves(withoutAddress, byContainers),
    forbidden: excludes(forbidden),
    well: excludes('pod.status', isWell),
  },
  says: {
    absent: 'it finds no Service {service}',
    withoutAddress: 'Service {service} has no external address yet',
    forbidden: 'it may not read Services: its rights are missing, not the Service',
    well: 'the pod runs and is ready, or has finished well',
  },
  slots: (place, { absent: none, withoutAddress: bare }) => {
    const f = none?.fields ?? {};
    const where = f['namespace'] ?? f['ns'];
    const name = f['service'] === undefined ? f['backend'] : where === undefined ? f['service'] : `${where}/${f['service']}`;
    const service = name ?? bare?.fields['service'] ?? 'of its flags';
    return {
      ...namesOf(place),
      service,
      what: none
        ? `Service ${service}, which its flags name, does not exist`
        : `Service ${service} of --publish-service has no load balancer address yet`,
    };
  },

  fixes: [
    {
      say: 'See which Services its flags name, and which there are',
      risk: 'reads-only',
      steps: [
        {
          say: 'its flags',
          run: "kubectl -n {{namespace}} get {{target}} -o yaml | grep -nE 'publish-service|default-backend-service'",
          on: 'cluster',
        },
        { say: 'Services of its namespace', run: 'kubectl -n {{namespace}} get services', on: 'cluster' },
      ],
    },
    {
      say: 'Create the Service, or take the flag out: with hostNetwork or NodePort use --report-node-internal-ip-address in place of --publish-service',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'Helm: controller.service.enabled and controller.publishService.enabled go together; defaultBackend.enabled makes the default backend',
          run: 'kubectl -n {{namespace}} edit {{target}}',
          on: 'cluster',
        },
      ],
      verified: 'the controller runs and is ready',
    },
    {
      say: 'Where the Service only lacks an address: give the cluster a load balancer (cloud controller, MetalLB)',
      risk: 'reads-only',
      for: ['withoutAddress'],
      steps: [{ say: 'pending means that nobody answers for it', run: 'kubectl -n {{namespace}} get services -o wide', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes/ingress-nginx cmd/nginx/main.go', 'kubernetes/ingress-nginx issues 7770, 9477, 348'],
});
