import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => ({ 'calico.log': `$ kubectl -n kube-system logs calico-node-x7k2p\n${words}\n` });
const misfit =
  '2025-03-04 08:10:57.000 [ERROR][71] felix/ipsets.go 599: Bad return code from \'ipset list\'. error=exit status 1 family="inet" stderr="ipset v7.11: Kernel and userspace incompatible: settype hash:net,iface with revision 8 not supported by userspace.\\n"';

testCause(cause, {
  finds: {
    calico: { evidence: log(misfit), confidence: 'certain', cites: ['calico.log:2'] },
    'the kernel refuses': {
      evidence: log(
        'E0304 08:10:57.000000 1 ipset.go:178] Failed to create ip set: error creating ipset KUBE-LOOP-BACK, error: exit status 1, ipset v7.6: Kernel error received: Invalid argument',
      ),
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a set in use': { evidence: log(`${misfit}\nipset v7.11: Set cannot be destroyed: it is in use by a kernel component`), by: 'busy' },
  },
  asks: {
    'the log of the add-on': { evidence: { 'note.txt': 'ipset v7.6: Kernel error received: Invalid argument\n' }, for: 'container-log' },
  },
});
