import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const felix =
  '$ kubectl -n kube-system logs calico-node-x7k2p\n2025-03-04 08:10:57.201 [PANIC][65] felix/table.go 845: iptables-save failed because there are incompatible nft rules in the table.  Remove the nft rules to continue. ipVersion=0x4 table="filter"\n';
const refused = "$ iptables -t nat -S\niptables v1.8.7 (nf_tables): table `nat' is incompatible, use 'nft' tool.\n";

testCause(cause, {
  finds: {
    'felix meets nft rules': { evidence: { 'node.log': felix }, confidence: 'certain' },
    'the tool refuses a table': { evidence: { 'term.txt': refused }, confidence: 'certain', cites: ['term.txt:2'] },
    'a chain of kube-proxy': {
      evidence: {
        'proxy.log':
          '$ kubectl -n kube-system logs kube-proxy-q7wzx\nE0304 08:10:36.012808       1 proxier.go:1507] "Failed to execute iptables-restore" err="exit status 1 (iptables-restore v1.8.4 (nf_tables): chain `KUBE-FIREWALL\' in table `filter\' is incompatible, use \'nft\' tool.)"\n',
      },
      confidence: 'certain',
    },
    'rules of both kinds': {
      evidence: {
        'term.txt':
          '$ iptables -L -n\nChain INPUT (policy ACCEPT)\n# Warning: iptables-legacy tables present, use iptables-legacy to see them\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no such table': {
      evidence: {
        'term.txt': `${refused}iptables v1.8.7 (legacy): can't initialize iptables table \`nat': Table does not exist (do you need to insmod?)\n`,
      },
      by: 'noTable',
    },
  },
  asks: {
    'what the pods say': {
      evidence: { 'term.txt': '# Warning: iptables-legacy tables present, use iptables-legacy to see them\n' },
      for: 'container-log',
    },
  },
});
