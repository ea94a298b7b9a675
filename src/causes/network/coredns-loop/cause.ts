import { defineCause, excludes, excludesEverywhere, line, minutes, proves, supports } from '../../define-cause.ts';

const detected = line(
  ['plugin/loop: ', 'loop detected in', ' detected for zone'],
  'container-log',
  /(?<!plugin\/loop: )Loop \((?<way>[^)]{1,60}->[^)]{1,60})\) detected for zone|plugin\/loop: (?:Loop \((?<path>[^)]{1,200})\) detected for zone|Forwarding loop detected in|Seen [\s\S]{1,200} more than twice, loop detected)/,
);
const localResolver = line(
  ['nameserver 127.', 'nameserver 169.254.', 'nameserver ::1'],
  'host-tools',
  /(?:^|\s)nameserver (?<server>127\.[\d.]{1,12}|169\.254\.[\d.]{1,8}|::1)/,
);
const corefile = line('Error during parsing', 'container-log', /(?:Corefile|\/etc\/coredns)[\s\S]{0,100}Error during parsing/);

export const cause = defineCause({
  id: 'coredns-loop',
  area: 'network',
  at: 'Workload',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'DNS forwards to itself',
    title: 'The DNS server {workload} forwards to itself: a loop through the resolv.conf of its node',
    why: 'CoreDNS sends names it does not know to the upstream servers in the resolv.conf of its node. That file names a local resolver ({server}), which inside the pod is CoreDNS itself, or one that asks the cluster DNS again. The loop plugin sees its own test query come back ({path}) and stops the program on purpose.',
  },

  clues: {
    detected: proves(detected),
    localResolver: supports(localResolver),
    corefile: excludesEverywhere(excludes(corefile)),
  },
  says: {
    detected: 'the loop plugin saw its own query come back ({path})',
    localResolver: 'resolv.conf of the node names a local resolver, {server}',
    corefile: 'the Corefile does not parse, so it never got to forward anything',
  },
  slots: (place, { detected: said, localResolver: local }) => ({
    workload: place.kind === 'Workload' ? place.name : 'coredns',
    namespace: place.namespace === undefined || place.namespace === '?' ? 'kube-system' : place.namespace,
    path: said?.fields['path'] ?? said?.fields['way'] ?? 'its query came back',
    resolver: local?.fields['server'] === '127.0.0.53' ? '/run/systemd/resolve/resolv.conf' : '',
    server: local?.fields['server'] ?? '127.0.0.53 of systemd-resolved, or 127.0.0.1',
  }),

  fixes: [
    {
      say: 'See which upstream servers it really uses',
      risk: 'reads-only',
      steps: [
        {
          say: 'the file of the node, and the one with the real servers',
          run: 'cat /etc/resolv.conf /run/systemd/resolve/resolv.conf',
          on: 'node',
        },
        { say: 'what the kubelet hands to pods', run: 'grep -n resolvConf /var/lib/kubelet/config.yaml', on: 'node' },
        {
          say: 'the forward line of the Corefile',
          run: 'kubectl -n {{namespace}} get configmap coredns -o yaml | grep -n -A3 forward',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Give the kubelet a resolv.conf with the real upstream servers',
      risk: 'touches-node',
      steps: [
        {
          say: 'on hosts with systemd-resolved: resolvConf: /run/systemd/resolve/resolv.conf',
          run: "sed -i 's#^resolvConf:.*#resolvConf: /run/systemd/resolve/resolv.conf#' /var/lib/kubelet/config.yaml && grep -n resolvConf /var/lib/kubelet/config.yaml && systemctl restart kubelet",
          on: 'node',
        },
        {
          say: 'make the DNS pods anew, they keep the old file',
          run: 'kubectl -n {{namespace}} delete pod -l k8s-app=kube-dns',
          on: 'cluster',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: 'resolvConf', value: '{{resolver}}' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
        { do: 'restart-pods' },
      ],
      verified: '{workload} stays Running and names resolve',
    },
    {
      say: 'Or forward to a real DNS server in the Corefile',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'replace "forward . /etc/resolv.conf" by "forward . <address of your DNS server>"; do not just delete the word loop',
          run: 'kubectl -n {{namespace}} edit configmap coredns',
          on: 'cluster',
        },
        { say: 'start it anew', run: 'kubectl -n {{namespace}} delete pod -l k8s-app=kube-dns', on: 'cluster' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['coredns plugin/loop/loop.go', 'coredns plugin/loop/README.md'],
});
