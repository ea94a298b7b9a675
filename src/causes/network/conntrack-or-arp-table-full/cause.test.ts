import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const full = 'Mar  4 08:10:57 plover-1 kernel: [812345.441] nf_conntrack: nf_conntrack: table full, dropping packet\n';

testCause(cause, {
  finds: {
    'a map of cilium': {
      evidence: {
        'cilium.log':
          '$ kubectl -n kube-system logs cilium-x7k2p\nlevel=error msg="Error while inserting service in LB map" error="Unable to update element for LB bpf map: no space left on device" subsys=service\n',
      },
      confidence: 'probable',
    },
    'conntrack, and its counters': {
      evidence: {
        'kern.log': full,
        'host.txt':
          '[root@plover-1 ~]# conntrack -S\ncpu=0 found=12 invalid=8843 insert=0 insert_failed=2201 drop=2201 early_drop=0 error=4 search_restart=1022\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['kern.log:1', 'host.txt:2'],
    },
    'an old kernel': {
      evidence: { 'dmesg.txt': '[root@plover-1 ~]# dmesg | tail -1\n[812345.441] ip_conntrack: table full, dropping packet.\n' },
      confidence: 'certain',
      place: 'node plover-1',
    },
    neighbours: {
      evidence: { 'kern.log': 'Mar  4 08:10:57 plover-1 kernel: [812345.441] neighbour: arp_cache: neighbor table overflow!\n' },
      confidence: 'certain',
    },
    'on the console of any terminal': {
      evidence: { 'console.txt': 'kernel:nf_conntrack: table full, dropping packet\n' },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the card lost its link': {
      evidence: { 'kern.log': `${full}Mar  4 08:11:57 plover-1 kernel: [812405.441] e1000e: ens3 NIC Link is Down\n` },
      by: 'linkDown',
    },
  },
  asks: { 'the counters': { evidence: { 'kern.log': full }, for: 'host-tools' } },
});
