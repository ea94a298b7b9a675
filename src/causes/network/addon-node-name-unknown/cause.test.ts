import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (words: string) => ({ 'router.log': `$ kubectl -n kube-system logs kube-router-x7k2p\n${words}\n` });
const router =
  'F0304 08:10:57.000000       1 cmd.go:32] Failed to run kube-router: Failed to create network services controller: nodes "plover-1.lan" not found';

testCause(cause, {
  finds: {
    'kube-router': { evidence: log(router), confidence: 'certain', cites: ['router.log:2'] },
    flannel: {
      evidence: log(
        'E0304 08:10:57.000000       1 main.go:334] Error registering network: failed to acquire lease: node "plover-1" not found',
      ),
      confidence: 'certain',
    },
    kubectl: {
      evidence: { 'shell.txt': '$ kubectl label node plover1 role=web\nError from server (NotFound): nodes "plover1" not found\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no pod CIDR': {
      evidence: log(`${router}\nE0304 08:10:58.000000       1 main.go:332] failed to acquire lease: node "plover-1" pod cidr not assigned`),
      by: 'cidr',
    },
  },
  asks: {
    'the log of the add-on': {
      evidence: { 'note.txt': 'Error from server (NotFound): nodes "plover1" not found\n' },
      for: 'container-log',
    },
  },
});
