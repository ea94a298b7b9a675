import { defineCause, excludes, excludesEverywhere, line, minutes, proves, supports } from '../../define-cause.ts';

const notAccessible = line(
  'webhook service is not accessible',
  'container-log',
  /(?:(?<kind>admission|conversion) )?webhook service is not accessible(?: on \S{1,200})? after (?<after>[\dhms.]{1,12})(?:[\s\S]{0,100}?endpoint (?<url>https?:\/\/[^\s"\\]{1,200}))?/i,
);
const noAnswer = line(
  ['Failed to check endpoint https://longhorn-', 'webhook health endpoint https://longhorn-'],
  'container-log',
  /Failed to (?:check|get)[\w ]{1,40}? (?<url>https:\/\/longhorn-(?:admission|conversion)-webhook[^\s"\\]{1,120})/,
);
const noIscsi = line(['failed to execute iscsiadm', 'iscsiadm/open-iscsi installed'], 'container-log');

export const cause = defineCause({
  id: 'longhorn-webhook-inaccessible',
  area: 'storage',
  at: 'Namespace',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready'],
  effectOf: ['coredns-loop', 'overlay-traffic-blocked', 'kube-proxy-down-or-mode-unsupported', 'networkpolicy-blocks'],

  text: {
    name: 'Longhorn webhook not reachable',
    title: 'The longhorn-manager cannot reach the Longhorn {kind} webhook service{at} and exits',
    why: 'At its start longhorn-manager calls the {kind} webhook through its Service and exits when no answer comes within {after}. The package checks are passed; what fails is the network of the cluster: pod-to-pod traffic between nodes (firewall, VXLAN port), cluster DNS, or a pod that cannot reach itself through its own Service (hairpin) on a single node.',
  },

  clues: {
    notAccessible: proves(notAccessible),
    noAnswer: supports(noAnswer),
    noIscsi: excludesEverywhere(excludes(noIscsi)),
  },
  says: {
    notAccessible: 'the {kind} webhook service did not answer for {after}',
    noAnswer: 'a call of the webhook through its Service failed: {url}',
    noIscsi: 'longhorn-manager ends earlier, for want of iscsiadm on the host',
  },
  slots: (place, { notAccessible: said, noAnswer: call }) => ({
    url: said?.fields['url'] ?? call?.fields['url'] ?? 'the webhook service',
    namespace: place.kind === 'Namespace' && !/ /.test(place.name) ? place.name : 'longhorn-system',
    kind: said?.fields['kind']?.toLowerCase() ?? 'admission',
    at: said?.fields['url'] ? ` (${said.fields['url']})` : '',
    after: /^\d+$/.test(said?.fields['after'] ?? '') ? `${said?.fields['after']} seconds` : (said?.fields['after'] ?? 'two minutes'),
  }),

  fixes: [
    {
      say: 'Test the way to the webhook',
      risk: 'reads-only',
      steps: [
        { say: 'the Service has endpoints', run: 'kubectl -n {{namespace}} get svc,endpoints | grep -i webhook', on: 'cluster' },
        {
          say: 'from a pod: name and port',
          run: 'kubectl -n {{namespace}} run reach --rm -it --restart=Never --image=curlimages/curl -- curl -sk -m 5 https://longhorn-admission-webhook.{{namespace}}.svc:9502/v1/healthz',
          on: 'cluster',
        },
        { say: 'cluster DNS and the pod network', run: 'kubectl -n kube-system get pods -o wide', on: 'cluster' },
      ],
    },
    {
      say: 'Open the pod network between the nodes',
      risk: 'touches-node',
      steps: [
        {
          say: 'overlay ports: UDP 8472 (flannel, cilium), UDP 4789 or IP protocol 4 and TCP 179 (calico), in host firewalls and security groups',
          on: 'node',
        },
        { say: 'firewalld and a CNI do not go together well; see whether it is on', run: 'systemctl is-active firewalld ufw', on: 'node' },
      ],
      verified: 'the health address answers from a pod on every node, and longhorn-manager stays Running',
    },
    {
      say: 'On a single node: let pods reach themselves through a Service (hairpin)',
      risk: 'touches-node',
      steps: [
        {
          say: 'hairpinMode of the kubelet, or hairpinMode: true in the CNI configuration',
          run: 'grep -rn hairpin /etc/cni/net.d /var/lib/kubelet/config.yaml',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['longhorn-manager webhook/webhook.go', 'longhorn knowledge base: manager crash loop, webhook not accessible'],
});
