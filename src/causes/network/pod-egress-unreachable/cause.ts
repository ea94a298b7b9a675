import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, minutes, on, supports } from '../../define-cause.ts';

const PRIVATE = /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|169\.254|0)\./;
const ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const SITE = /\.(?:com|org|net|io|dev|cn|ru|jp|kr|de|fr|eu|uk|us|co|me|app|cloud|ai|gov|edu|info|xyz|tech)$/;

function isOutside({ target, port }: Fact<'net.attempt'>): boolean {
  if (port !== undefined && port >= 30_000 && port <= 32_767) return false;
  return ADDRESS.test(target) ? !PRIVATE.test(target) : SITE.test(target);
}

/** From a pod, or from where nobody knows; a named host has a network of its own. */
function isFromPod(fact: Fact<'net.attempt'>): boolean {
  return isOutside(fact) && /^(?:Pod\/|Container\/|Node\/\?$)/.test(fact.about);
}

const LOST = new Set(['timed-out', 'no-route', 'unreachable']);

export const cause = defineCause({
  id: 'pod-egress-unreachable',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['other-trouble', 'not-ready'],
  effectOf: [
    'ip-forward-or-rp-filter',
    'networkpolicy-blocks',
    'networkpolicy-default-deny',
    'firewalld-or-security-agent-interferes',
    'default-route-missing',
    'pod-gateway-unreachable',
    'mtu-mismatch',
    'http-proxy-takes-cluster-traffic',
  ],
  wakesOn: [
    on('net.attempt', { result: 'timed-out' }),
    on('net.attempt', { result: 'no-route' }),
    on('net.attempt', { result: 'unreachable' }),
  ],

  text: {
    name: 'Pods do not get out of the cluster',
    title: 'No answer from {target} outside of the cluster: traffic of pods does not get out, or answers do not come back',
    why: 'Packets of a pod leave the node under the address of the node (masquerade, SNAT), because nobody outside knows a way back to pod addresses. {target} does not answer: the node does not masquerade (ipMasq of the CNI configuration, natOutgoing of the calico pool, ip-masq-agent), does not forward (ip_forward), a NetworkPolicy allows no egress, a firewall, security group or missing NAT gateway stops it, or the site can be reached by a proxy only.',
  },

  clues: {
    attempt: supports('net.attempt', (fact) => LOST.has(fact.result) && isFromPod(fact)),
    through: excludes('net.attempt', (fact) => (fact.result === 'ok' || fact.result === 'refused') && isFromPod(fact)),
  },
  says: {
    attempt: 'an attempt to reach {target} failed',
    through: 'another site outside did answer',
  },
  slots: (_place, { attempt }) => ({ target: attempt?.target ?? 'a site' }),

  fixes: [
    {
      say: 'Find where the packets are lost',
      risk: 'reads-only',
      steps: [
        {
          say: 'the same from the node itself: does it fail there too, the cluster is not at fault',
          run: 'curl -m 5 -sv https://{{target}}/ -o /dev/null; ping -c2 {{target}}',
          on: 'node',
        },
        {
          say: 'does the node forward and masquerade?',
          run: 'sysctl net.ipv4.ip_forward; iptables -t nat -S POSTROUTING; iptables -S FORWARD | head -5',
          on: 'node',
        },
        { say: 'policies on egress', run: 'kubectl get networkpolicies -A', on: 'cluster' },
        {
          say: 'packets of pods on the card of the node: with which source address do they leave?',
          run: 'tcpdump -ni any host {{target}} -c 10',
          on: 'node',
        },
      ],
    },
    {
      say: 'Let the node masquerade pod traffic',
      risk: 'touches-node',
      steps: [
        { say: 'calico', run: 'calicoctl patch ippool default-ipv4-ippool --patch \'{"spec":{"natOutgoing":true}}\'', on: 'node' },
        { say: 'flannel runs with --ip-masq; bridge plugin: "ipMasq": true', run: 'grep -rn -i ipmasq /etc/cni/net.d', on: 'node' },
        {
          say: 'for a test, by hand (pod network 10.244.0.0/16)',
          run: 'iptables -t nat -A POSTROUTING -s 10.244.0.0/16 ! -d 10.244.0.0/16 -j MASQUERADE',
          on: 'node',
        },
      ],
      verified: 'ping {target} or curl works from a pod on every node',
    },
  ],

  verify: { quietForMinutes: minutes(5) },
  sources: [
    'kubernetes.io docs: IP masquerade agent',
    'docs.tigera.io: configure outgoing NAT',
    'containernetworking plugins: bridge ipMasq',
  ],
});
