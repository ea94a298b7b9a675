import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID = ['container-log', 'kubelet-log', 'pod-events', 'host-tools', 'host-state', 'system-log'] as const;

/** iptables in nft mode meets tables that another tool or version wrote, and refuses to touch them. */
const incompatible = line(
  ["is incompatible, use 'nft' tool", 'incompatible nft rules in the table'],
  SAID,
  /(?:(?:chain [`'"\\]{1,4}(?<chain>[\w-]{1,40})['"\\]{1,4} in )?table [`'"\\]{1,4}(?<table>\w{2,20})['"\\]{1,4} is incompatible, use 'nft' tool|incompatible nft rules in the table)/,
);
const both = line(
  ['iptables-legacy tables present', 'ip6tables-legacy tables present'],
  SAID,
  /Warning: (?<tool>ip6?tables)-legacy tables present/,
);
const noTable = line(['do you need to insmod', 'Failed to initialize nft'], [], /do you need to insmod|Failed to initialize nft/);

export const cause = defineCause({
  id: 'iptables-backends-mixed',
  area: 'network',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'creating', 'init-crash', 'other-trouble'],

  text: {
    name: 'Two kinds of iptables mixed',
    title: 'Rules of two kinds of iptables (legacy and nft) are mixed on {node}{where}',
    why: 'iptables exists in two kinds: legacy, and nft, which writes into nftables. Each sees only its own rules, and the kernel applies both. On {node} programs use both, or nftables rules stand in a table that iptables also uses{where}: kube-proxy, the network add-on and the host firewall then overrule each other or stop, and Services, host ports or whole pods get no network.',
  },

  clues: {
    incompatible: proves(incompatible),
    both: supports(both),
    noTable: excludes(noTable),
  },
  says: {
    incompatible: 'iptables cannot work on the table: something else wrote nftables rules into it',
    both: 'there are legacy rules beside those of nft',
    noTable: 'the kernel has no such table at all',
  },
  slots: (place, { incompatible: table }) => ({
    node: place.name,
    where: table?.fields['table'] ? ` (table ${table.fields['table']})` : '',
  }),

  fixes: [
    {
      say: 'See which kind the host uses, and who wrote rules in the other',
      risk: 'reads-only',
      steps: [
        { say: 'the kind in use', run: 'iptables --version; update-alternatives --display iptables', on: 'node' },
        {
          say: 'rules of either kind',
          run: 'iptables-legacy-save 2>/dev/null | grep -c "^-A"; iptables-nft-save 2>/dev/null | grep -c "^-A"; nft list tables',
          on: 'node',
        },
      ],
    },
    {
      say: 'Use one kind only: that of kube-proxy and the network add-on, on the host as well',
      risk: 'touches-node',
      steps: [
        {
          say: 'Debian and Ubuntu: nft for add-ons of today, legacy where they are old',
          run: 'update-alternatives --set iptables /usr/sbin/iptables-nft && update-alternatives --set ip6tables /usr/sbin/ip6tables-nft',
          on: 'node',
          family: 'debian',
        },
        {
          say: 'calico: tell felix instead of letting it guess (Legacy, NFT or Auto)',
          run: 'kubectl -n kube-system set env daemonset/calico-node FELIX_IPTABLESBACKEND=NFT',
          on: 'cluster',
        },
        {
          say: 'rules written with nft itself (nftables.service, /etc/nftables.conf) belong into a table of their own name, not into filter or nat',
          run: 'nft list ruleset | grep -nE "^table"',
          on: 'node',
        },
        { say: 'a reboot clears rules of the other kind', run: 'systemctl reboot', on: 'node' },
      ],
      verified: 'iptables-save on {node} prints no warning, and the pods of {node} start',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['iptables nft.c (nft_is_table_compatible)', 'projectcalico/calico felix/iptables/table.go', 'kubernetes #71305'],
});
