import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, line, minutes, ofPodsNamed, proves, supports } from '../../define-cause.ts';

const REST = String.raw`(?<error>[^\n]{0,240})`;

const ipvs = line(
  ["can't use the IPVS proxier", "can't use ipvs proxier", 'Could not create dummy VS', 'IPVS service'],
  'container-log',
  new RegExp(
    `(?:can't use the IPVS proxier:? ?|can't use ipvs proxier,? ?|Could not create dummy VS[\\\\"]{0,4} ?)${REST}|(?:Failed to (?:add|get|list|edit) IPVS service|could not get IPVS services?)[^\\n]{0,300}?(?<refused>no such file or directory|protocol not available|operation not supported|protocol not supported)`,
    'i',
  ),
);
const mode = line(
  [
    'iptables is not available on this host',
    'unable to create proxier',
    'unable to create ipv4 proxier',
    'unable to create ipv6 proxier',
    'unable to create dual-stack proxier',
    "can't use the nftables proxier",
    "can't use the iptables proxier",
    'nftables is not available on this host',
    'unknown proxy mode',
  ],
  'container-log',
  new RegExp(
    `(?<said>(?:iptables|nftables) is not available on this host|unable to create (?:ipv[46] |dual-stack )?proxier|can't use the (?:nftables|iptables) proxier|unknown proxy mode(?![^\\n]{0,60}?assuming))${REST}`,
    'i',
  ),
);
/** "iptables-restore for nat" is the cleaning of another mode at the start, which goes on when it fails. */
const rules = line(
  ['iptables-restore', 'ip6tables-restore', "can't initialize ip", 'Table does not exist (do you need to insmod', 'nftables sync failed'],
  'container-log',
  /(?<error>(?:(?<!ip6?tables-restore for \w{3,8}: exit status \d \()ip6?tables-restore(?: v[\d.]{1,8} \(\w{1,10}\))?: (?:unknown option [\\"]{1,4}--[\w-]{2,40}|line \d{1,6} failed|[^\n]{0,80}?(?:(?:CHAIN|TABLE|RULE)_\w{3,12} failed|Couldn't load|No chain\/target\/match|unable to initialize table))|can't initialize ip6?tables table [^\n]{1,120}|Table does not exist \(do you need to insmod)|nftables sync failed[\s\S]{0,300}?(?<refused>Could not process rule: (?:No such file or directory|Operation not supported|[A-Z][a-z ]{4,24})))/,
);
const conntrack = line(
  ['nf_conntrack_max', '/sys/module/nf_conntrack/parameters/hashsize'],
  'container-log',
  /(?<error>(?:open|write) \/(?:proc\/sys\/net\/netfilter\/nf_conntrack_max|sys\/module\/nf_conntrack\/parameters\/hashsize): (?:permission denied|operation not permitted|read-only file system|no such file or directory))/,
);
/** The label selector in the request is one that only kube-proxy sends. */
const noApi = line(
  ['service-proxy-name'],
  'container-log',
  /service-proxy-name[\s\S]{0,200}?dial tcp (?:(?:lookup )?(?<server>[\w.:[\]-]{3,253}?)): (?<error>connect: no route to host|i\/o timeout|connect: connection refused|connect: network is unreachable|no such host|connect: connection timed out)/,
);
const noNode = line(
  ['retrieve node info', 'Failed to retrieve node IP'],
  'container-log',
  /[Ff]ailed to retrieve node (?:info|IP)[\s\S]{0,200}?dial tcp (?<server>[\w.:[\]-]{3,80}?): (?<error>connect: [a-z ]{8,40}|i\/o timeout)/,
);
/** It then goes on with 127.0.0.1 as the address of its node, or ends. */
const noName = line(
  ['retrieve node info', 'Failed to retrieve node IP'],
  'container-log',
  /[Ff]ailed to retrieve node (?:info|IP)[^\n]{0,40}?nodes [\\"“”]{1,8}(?<name>[\w.-]{1,253})[\\"“”]{1,8} not found/,
);
/** Somebody else writes rules all the time: an agent of the network or of a scanner. */
const lock = line(['holding the xtables lock'], 'container-log', /(?<error>Another app is currently holding the xtables lock)/);
const deadService = line(
  [':443: i/o timeout', ':443: connect: connection refused', ':443: connect: connection timed out'],
  ['container-log', 'pod-events'],
  /dial tcp (?<address>(?:10|172|192|169|100)\.\d{1,3}\.\d{1,3}\.1):443: (?<error>i\/o timeout|connect: (?!no route|network is unreachable)[a-z ]{8,40})/,
);
/** That it has chosen a mode is said before it sets limits and writes rules, so it shows nothing. */
const works = line(
  ['trying iptables proxier', 'Falling back to iptables'],
  'container-log',
  /(?:trying iptables proxier|Falling back to iptables)/i,
);

/** Sidecars of a mesh and firewalls also call iptables, for their own pod: what another pod says is not of kube-proxy. */
const isItsOwn = ofPodsNamed(/kube-proxy/);

/** kube-proxy is root and privileged, so a rule that only root may set is refused to somebody else. */
function isRuleOfProxy(fact: Fact<'log.signature'>): boolean {
  return isItsOwn(fact) && (isKubeProxy(fact) || /kube-proxy/.test(fact.about) || !/must be root/.test(fact.fields['error'] ?? ''));
}

function isKubeProxy({ about }: { readonly about: string }): boolean {
  return /kube-proxy[^/]*$/.test(about);
}

export const cause = defineCause({
  id: 'kube-proxy-down-or-mode-unsupported',
  area: 'network',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'init-stuck', 'init-crash', 'creating', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing', 'firewalld-or-security-agent-interferes'],

  text: {
    name: 'kube-proxy does not work',
    title: 'kube-proxy on {node} does not program the Services: {what}',
    why: 'kube-proxy turns the addresses of Services (among them 10.96.0.1, the API server, and the cluster DNS) into kernel rules on each node. On {node} {what}, so connections to Service addresses time out there: DNS fails, and add-ons that talk to the API server through its service address do not start.',
  },

  clues: {
    ipvs: proves(ipvs),
    mode: proves(mode),
    rules: proves(rules, isRuleOfProxy),
    conntrack: proves(conntrack),
    noApi: proves(noApi),
    noNode: proves(noNode),
    noName: supports(noName),
    lock: supports(lock),
    deadService: supports(deadService),
    proxyTrouble: supports('pod.symptom', isKubeProxy),
    works: excludes(works),
  },
  says: {
    ipvs: 'kube-proxy cannot use IPVS mode: {error}',
    mode: 'kube-proxy cannot create its proxier: {error}',
    rules: 'the kernel refuses the rules: {error}',
    conntrack: 'kube-proxy may not set conntrack limits: {error}',
    noApi: 'kube-proxy does not reach the API server at {server}',
    noNode: 'kube-proxy does not reach the API server at {server}',
    noName: 'kube-proxy finds no Node of its own name {name}',
    lock: 'another program holds the lock of iptables',
    deadService: 'pods get no answer from the service address {address}',
    proxyTrouble: 'the kube-proxy pod is in trouble: {trouble}',
    works: 'kube-proxy went on in another mode and runs',
  },
  slots: (
    place,
    {
      ipvs: virtual,
      mode: proxier,
      rules: restore,
      conntrack: limits,
      noApi: api,
      noNode: node,
      noName: unnamed,
      lock: held,
      deadService: dead,
      proxyTrouble,
    },
  ) => {
    const first = virtual ?? proxier ?? restore ?? limits ?? api ?? node;
    const error = (first?.fields['refused'] ?? first?.fields['error'] ?? '').replace(/^[\s:"\\]+|["\\\s]+$/g, '').replace(/^err=\\?"?/, '');
    const server = api?.fields['server'] ?? node?.fields['server'] ?? 'the API server';
    const scheduler = /scheduler=[\\"]{0,4}(?<name>[\w.-]{1,40})/.exec(virtual?.fields['error'] ?? '')?.groups?.['name'];
    return {
      node: place.name,
      error: error || 'an error',
      server,
      address: dead?.fields['address'] ?? '10.96.0.1',
      name: unnamed?.fields['name'] ?? 'of the node',
      trouble: proxyTrouble?.detail ?? proxyTrouble?.symptom ?? 'not running',
      module:
        virtual &&
        (virtual.fields['refused'] !== undefined || /not supported|not loaded/i.test(error) || /^(?:rr|wrr|sh)$/.test(scheduler ?? ''))
          ? 'ip_vs'
          : '',
      what: virtual
        ? /ipset/.test(error)
          ? `IPVS mode cannot be used (${error}): it keeps addresses in ipsets, and kernel module ip_set is missing or the kernel and the ipset tool do not fit`
          : `IPVS mode cannot be used (${error}): a kernel module (ip_vs, ip_vs_rr, nf_conntrack) is missing or the IPVS scheduler${scheduler ? ` "${scheduler}"` : ''} is not a valid name such as rr`
        : proxier
          ? `its proxy mode is not supported here (${proxier.fields['said'] ?? error})`
          : restore
            ? /Could not process rule/.test(error)
              ? `the kernel refuses its nftables rules (${error}): mostly it lacks a module they use (nft_fib, nft_numgen, nft_masq, nft_nat)`
              : /unknown option/.test(error)
                ? `its rules are refused (${error}): the kernel lacks the extension behind that option (modules xt_mark, xt_comment, xt_conntrack)`
                : `its rules are refused (${error})`
            : limits
              ? `it may not set conntrack limits and exits (${error})`
              : (api ?? node)
                ? `it uses the API server address ${server}, which does not answer (old or wrong address in its ConfigMap)`
                : unnamed
                  ? `it looks for a Node named ${unnamed.fields['name']}, and the cluster has none (hostname changed, or hostnameOverride differs from that of the kubelet)`
                  : held
                    ? 'another program on the node (a network agent, a security scanner, a second kube-proxy) holds the lock of iptables, so its rules are late or missing'
                    : proxyTrouble
                      ? 'its pod is down'
                      : `the service address ${dead?.fields['address'] ?? 'of the API server'} does not answer (or a firewall, a pod network that overlaps another, or the MTU stops the packets)`,
    };
  },

  fixes: [
    {
      say: 'See how kube-proxy is configured and what it says',
      risk: 'reads-only',
      steps: [
        {
          say: 'its pods and last words',
          run: 'kubectl -n kube-system get pods -o wide -l k8s-app=kube-proxy; kubectl -n kube-system logs -l k8s-app=kube-proxy --tail=30',
          on: 'cluster',
        },
        {
          say: 'mode, IPVS scheduler and server address',
          run: "kubectl -n kube-system get configmap kube-proxy -o yaml | grep -nE 'mode:|scheduler:|server:|clusterCIDR:'",
          on: 'cluster',
        },
        {
          say: 'rules on the node',
          run: "iptables-save | grep -c KUBE-SVC; ipvsadm -Ln 2>/dev/null | head; lsmod | grep -E 'ip_vs|nf_conntrack'",
          on: 'node',
        },
      ],
    },
    {
      say: 'Correct its ConfigMap: the server address, the mode, and a valid IPVS scheduler (rr)',
      risk: 'restarts-pods',
      for: ['noApi', 'noNode'],
      steps: [
        {
          say: 'kubeconfig.conf: server must be the address of the API server as it is now; ipvs.scheduler: "rr" or empty; mode: "iptables" where IPVS is not available',
          run: 'kubectl -n kube-system edit configmap kube-proxy',
          on: 'cluster',
        },
        { say: 'it reads the file at its start', run: 'kubectl -n kube-system rollout restart daemonset kube-proxy', on: 'cluster' },
      ],
      verified: 'curl -k https://{address}:443/version answers on {node}',
    },
    {
      say: 'Load the kernel modules of its mode on {node}',
      risk: 'touches-node',
      for: ['ipvs', 'mode', 'rules'],
      steps: [
        {
          say: 'IPVS, with its schedulers and sets',
          run: 'modprobe -a ip_vs ip_vs_rr ip_vs_wrr ip_vs_sh nf_conntrack ip_set xt_set',
          on: 'node',
        },
        { say: 'iptables', run: 'modprobe -a ip_tables iptable_nat xt_comment xt_mark xt_conntrack nf_conntrack', on: 'node' },
        {
          say: 'nftables; where the kernel was built without them, go back to mode: "iptables"',
          run: 'modprobe -a nf_tables nft_fib_ipv4 nft_fib_ipv6 nft_numgen nft_masq nft_nat nft_ct nft_reject',
          on: 'node',
        },
        {
          say: 'at every boot',
          run: "printf 'ip_vs\\nip_vs_rr\\nip_vs_wrr\\nip_vs_sh\\nnf_conntrack\\n' > /etc/modules-load.d/kube-proxy.conf",
          on: 'node',
        },
        { say: 'tools for IPVS', run: 'apt-get install -y ipset ipvsadm', on: 'node', family: 'debian' },
        {
          say: 'tools for IPVS, and modules that newer releases keep apart',
          run: 'dnf install -y ipset ipvsadm kernel-modules-extra-$(uname -r)',
          on: 'node',
          family: 'rhel',
        },
        {
          say: 'where it may not set conntrack limits (containers as nodes): set nf_conntrack_max high enough on the host, or conntrack.maxPerCore: 0 in the ConfigMap',
          run: 'kubectl -n kube-system edit configmap kube-proxy',
          on: 'cluster',
        },
      ],
      changes: [
        { do: 'module', name: '{{module}}' },
        { do: 'module', name: 'ip_vs_rr' },
        { do: 'module', name: 'ip_vs_wrr' },
        { do: 'module', name: 'ip_vs_sh' },
        { do: 'module', name: 'nf_conntrack' },
      ],
      verified: 'curl -k https://{address}:443/version answers on {node}',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes cmd/kube-proxy/app/server_linux.go', 'kubernetes pkg/proxy/ipvs/proxier.go', 'kubernetes pkg/util/iptables'],
});
