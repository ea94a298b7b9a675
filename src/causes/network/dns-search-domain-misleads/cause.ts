import { defineCause, excludes, line, minutes, on, supports } from '../../define-cause.ts';

const CHANNELS = ['host-tools', 'container-log', 'prose'] as const;

/** A whole public name with one more domain behind it; two letters at the end may belong to the name itself (com.cn). */
const WHOLE = String.raw`(?<asked>(?:[\w-]{1,63}\.){1,5}(?:com|org|net|io|dev|gov|edu|app|cloud|ai))\.(?<domain>(?![a-z]{2}\.?(?:\s|$|:))(?!\S{0,200}(?:\.svc\b|cluster\.local))[a-z][\w-]{1,62}(?:\.[\w-]{1,63}){0,5})`;

/** The name exists in the search domain, without an address of this kind: musl stops asking there. */
const emptyAnswer = line(["Can't find ", ': No answer'], CHANNELS, new RegExp(`\\*\\*\\* Can't find ${WHOLE}: No answer`));
/** A wildcard record of the search domain answers for every name. */
const CAUGHT = new RegExp(`^${WHOLE}\\.?$`);
const wildcard = supports('net.attempt', ({ tool, target, result }) => tool === 'nslookup' && result === 'ok' && CAUGHT.test(target));
const fromLog = line(['" NOERROR '], 'container-log', new RegExp(`"(?:A|AAAA) IN ${WHOLE}\\. (?:udp|tcp) [^\\n"]{1,40}" NOERROR `));
const silent = line(['plugin/errors: '], [], /plugin\/errors: \d [^\n]{1,300}(?:i\/o timeout|connection refused|no route to host)/);

export const cause = defineCause({
  id: 'dns-search-domain-misleads',
  area: 'network',
  at: 'Cluster',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-crash', 'other-trouble'],
  wakesOn: [on('net.attempt', { tool: 'nslookup' })],

  text: {
    name: 'Search domain catches foreign names',
    title:
      'The search domain {domain} in resolv.conf of the pods answers for names outside of the cluster: {asked} is asked as {asked}.{domain}',
    why: 'Pods have ndots:5, so every name with fewer than five dots is first tried with each domain of the search list, and the kubelet adds the search domains of the node to that list. {domain} answers for names that it does not have: {what}. Programs built with musl (Alpine) stop at that answer; others connect to a wrong address or meet a certificate of another host. Pods with another base image may work meanwhile.',
  },

  clues: {
    emptyAnswer: supports(emptyAnswer),
    wildcard,
    fromLog: supports(fromLog),
    silent: excludes(silent),
  },
  says: {
    emptyAnswer: '{asked}.{domain} has an empty answer in place of "no such name"',
    wildcard: '{asked}.{domain} has an address',
    fromLog: 'CoreDNS gets an answer for {asked}.{domain}',
    silent: 'the upstream servers do not answer at all',
  },
  slots: (_place, { emptyAnswer: empty, wildcard: caught, fromLog: logged }) => {
    const fields = (empty ?? logged)?.fields ?? CAUGHT.exec(caught?.target ?? '')?.groups;
    return {
      asked: fields?.['asked'] ?? 'a name',
      domain: fields?.['domain']?.replace(/\.$/, '') ?? 'of the node',
      what: empty
        ? 'its DNS server says that the name exists but has no address'
        : 'it has a wildcard record (*), which gives the same address to every name',
    };
  },

  fixes: [
    {
      say: 'Compare the name with and without a dot at its end, and see where the domain comes from',
      risk: 'reads-only',
      steps: [
        {
          say: 'with the dot no search domain is tried',
          run: 'kubectl run probe --rm -it --restart=Never --image=alpine -- sh -c "cat /etc/resolv.conf; nslookup {{asked}}; nslookup {{asked}}."',
          on: 'cluster',
        },
        { say: 'the search list of the node', run: 'cat /etc/resolv.conf /run/systemd/resolve/resolv.conf 2>/dev/null', on: 'node' },
      ],
    },
    {
      say: 'Take {domain} out of the search list of the nodes',
      risk: 'touches-node',
      steps: [
        {
          say: 'in what writes it: netplan, NetworkManager, the DHCP server (domain-search), Domains= of systemd-resolved; then start the kubelet anew',
          run: 'grep -rn {{domain}} /etc/netplan /etc/systemd/resolved.conf /etc/NetworkManager/system-connections 2>/dev/null; systemctl restart kubelet',
          on: 'node',
        },
        { say: 'pods keep the old file: make them anew', run: 'kubectl -n NAMESPACE rollout restart deployment NAME', on: 'cluster' },
      ],
      verified: '{asked} resolves in a new pod of Alpine',
    },
    {
      say: 'Or lower ndots in the pod template (dnsConfig), so that names with a dot are asked as they are',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'names of Services in other namespaces then need their full form',
          run: 'kubectl -n NAMESPACE patch deployment NAME -p \'{"spec":{"template":{"spec":{"dnsConfig":{"options":[{"name":"ndots","value":"1"}]}}}}}\'',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Or drop the wildcard record of {domain}, or let its DNS server answer NXDOMAIN for names it does not have',
      risk: 'reads-only',
      steps: [{ say: 'what the domain answers for a name of nobody', run: 'nslookup no-such-name.{{domain}}', on: 'node' }],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/network/dns/dns.go', 'musl src/network/res_msend.c, lookup_name.c', 'resolv.conf(5)'],
});
