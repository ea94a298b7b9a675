import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, needs, supports } from '../../define-cause.ts';

const described = line(
  ['External Traffic Policy:', 'externalTrafficPolicy: Local', '"externalTrafficPolicy": "Local"', '"externalTrafficPolicy":"Local"'],
  ['objects', 'host-tools'],
  /External Traffic Policy:\s{1,40}Local\b|"?externalTrafficPolicy"?: ?"?Local\b/,
);
const noEndpoints = line(
  ['has no local endpoints', 'no local endpoints', 'notOwner'],
  ['container-log', 'object-events'],
  /has no local endpoints|no local endpoints|"reason":"(?:notOwner|noIPAllocated)"/,
);
const cluster = line(['External Traffic Policy:'], [], /External Traffic Policy:\s{1,40}Cluster\b/);

/** Somebody tried a node port, or any address from outside. */
function isLost({ port, result }: Fact<'net.attempt'>): boolean {
  return (
    (result === 'timed-out' || result === 'refused') &&
    port !== undefined &&
    ((port >= 30_000 && port <= 32_767) || port === 80 || port === 443)
  );
}

export const cause = defineCause({
  id: 'external-traffic-policy-local',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],

  text: {
    name: 'Node without local pods drops traffic',
    title: 'externalTrafficPolicy is Local: nodes without a pod of {service} drop its traffic from outside',
    why: 'With externalTrafficPolicy: Local a node hands connections from outside (node port, load balancer address) only to pods that run on that very node, and drops them when there is none. Here {target} was asked and did not answer; nodes that run a ready pod of {service} do answer.',
  },

  clues: {
    described: needs(described),
    attempt: supports('net.attempt', isLost),
    noEndpoints: supports(noEndpoints),
    cluster: excludes(cluster),
  },
  says: {
    described: 'externalTrafficPolicy of the Service is Local',
    attempt: 'no connection to {target} from outside',
    noEndpoints: 'a node has no local endpoint of the Service',
    cluster: 'the Service takes pods of all nodes (policy Cluster)',
  },
  slots: (_place, { described: policy, attempt }) => {
    const [, type, namespace, name] = policy?.about.split('/') ?? [];
    const isNamed = type === 'Service' && name !== undefined && name !== '?';
    return {
      service: isNamed ? `Service ${name}` : 'the Service',
      name: isNamed ? name : 'SERVICE',
      namespace: isNamed && namespace !== undefined && namespace !== '?' ? namespace : 'NAMESPACE',
      target: attempt ? `${attempt.target}${attempt.port ? `:${attempt.port}` : ''}` : 'a node without such a pod',
    };
  },

  fixes: [
    {
      say: 'See on which nodes the pods of {service} run; only those answer',
      risk: 'reads-only',
      steps: [
        {
          say: 'pods behind the Service with their nodes',
          run: 'kubectl -n {{namespace}} get endpointslices -l kubernetes.io/service-name={{name}} -o wide; kubectl -n {{namespace}} get pods -o wide',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Let every node answer: externalTrafficPolicy: Cluster (pods then see the address of a node, not of the client)',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'no pod is restarted, but open connections may break',
          run: `kubectl -n {{namespace}} patch service {{name}} -p '{"spec":{"externalTrafficPolicy":"Cluster"}}'`,
          on: 'cluster',
        },
      ],
      verified: 'every node answers on the node port',
    },
    {
      say: 'Or keep Local: run a pod on every node (DaemonSet), and let the load balancer ask healthCheckNodePort',
      risk: 'moves-pods',
      steps: [
        {
          say: 'the port for health checks',
          run: 'kubectl -n {{namespace}} get service {{name}} -o jsonpath={.spec.healthCheckNodePort}',
          on: 'cluster',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/proxy (externalPolicyLocal)', 'kubernetes issue 66354'],
});
