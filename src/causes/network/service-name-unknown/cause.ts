import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, on, supports } from '../../define-cause.ts';

/** A name without a dot, with a namespace, or in full; two labels may also be a site. */
const SITES =
  /\.(?:com|org|net|io|dev|cn|ru|jp|kr|de|fr|eu|uk|us|co|me|app|cloud|ai|gov|edu|info|xyz|tech|lan|local|corp|internal|home|test|example)$/;

function isServiceName(target: string): boolean {
  if (/^kubernetes(?:\.default|$)/.test(target)) return false;
  if (/\.svc(?:\.|$)|\.cluster\.local\.?$/.test(target)) return true;
  return /^(?!localhost$)[a-z][\w-]{0,62}(?:\.[a-z][\w-]{0,62})?$/.test(target) && !SITES.test(target);
}

const unknown = supports('net.attempt', ({ result, target }) => result === 'unresolved' && isServiceName(target));
const silent = line(
  ['no servers could be reached', ':53: i/o timeout', 'Temporary failure in name resolution', 'connection timed out; '],
  [],
  /no servers could be reached|:53: i\/o timeout|Temporary failure in name resolution|connection timed out; /,
);
const failed = line(['SERVFAIL'], [], /: SERVFAIL|status: SERVFAIL/);

function isOwnNameUnknown({ result, target }: Fact<'net.attempt'>): boolean {
  return result === 'unresolved' && /^kubernetes(?:\.default|$)/.test(target);
}

export const cause = defineCause({
  id: 'service-name-unknown',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],
  effectOf: ['cluster-dns-misconfigured', 'cluster-dns-unanswered', 'coredns-cannot-reach-api'],
  wakesOn: [on('net.attempt', { result: 'unresolved' })],

  text: {
    name: 'Name of the Service does not resolve',
    title: 'The name {name} does not resolve: no such Service in that namespace, or DNS is not the one of the cluster',
    why: 'A Service is known in DNS as NAME.NAMESPACE.svc.cluster.local as soon as it exists; the short NAME works only from pods of the same namespace, and only where /etc/resolv.conf has the search list of the cluster. {name} is not found: a typing error, another namespace, no Service of that name (a Deployment alone has none; pods of a StatefulSet need its headless serviceName), another cluster domain, or the question went to another DNS server (host network without ClusterFirstWithHostNet, a node instead of a pod).',
  },

  clues: {
    unknown,
    silent: excludes(silent),
    failed: excludes(failed),
    own: excludes('net.attempt', isOwnNameUnknown),
  },
  says: {
    unknown: 'a look-up of {name} finds nothing',
    silent: 'DNS does not answer at all',
    failed: 'DNS answers with a failure of its own',
    own: 'not even kubernetes.default is known: DNS itself is at fault',
  },
  slots: (_place, { unknown: asked }) => {
    const [service = 'SERVICE', namespace = 'NAMESPACE'] = (asked?.target ?? 'SERVICE').split('.');
    return { name: asked?.target ?? 'asked for', service, namespace };
  },

  fixes: [
    {
      say: 'See whether there is such a Service, and what the pod asks',
      risk: 'reads-only',
      steps: [
        { say: 'Services of that name, in any namespace', run: 'kubectl get services -A | grep -w {{service}}', on: 'cluster' },
        { say: 'search list and server of the pod', run: 'kubectl exec POD -- cat /etc/resolv.conf', on: 'cluster' },
        {
          say: 'the full name, and a name that always exists',
          run: 'kubectl run probe --rm -it --restart=Never --image=busybox:1.36 -- sh -c "nslookup {{service}}.{{namespace}}.svc.cluster.local; nslookup kubernetes.default.svc.cluster.local"',
          on: 'cluster',
        },
        {
          say: 'cluster domain that CoreDNS serves',
          run: 'kubectl -n kube-system get configmap coredns -o yaml | grep -n kubernetes',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Use the full name, or create the Service',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'make a Service for a Deployment',
          run: 'kubectl -n {{namespace}} expose deployment {{service}} --port=80 --target-port=8080',
          on: 'cluster',
        },
        {
          say: 'pods on the host network: dnsPolicy ClusterFirstWithHostNet',
          run: 'kubectl -n NAMESPACE patch deployment NAME -p \'{"spec":{"template":{"spec":{"dnsPolicy":"ClusterFirstWithHostNet"}}}}\'',
          on: 'cluster',
        },
      ],
      verified: 'nslookup {name} answers in the pod',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: ['kubernetes.io docs: DNS for Services and Pods', 'kubernetes.io docs: debugging DNS resolution'],
});
