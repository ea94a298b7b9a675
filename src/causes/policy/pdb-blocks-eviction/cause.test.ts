import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const drain = `$ kubectl drain birch --ignore-daemonsets
node/birch cordoned
evicting pod books/ledger-6c8d7b9f5d-t5w2x
error when evicting pods/"ledger-6c8d7b9f5d-t5w2x" -n "books" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.
`;

testCause(cause, {
  finds: {
    'the daemon of a node that upgrades': {
      evidence: {
        'daemon.log': `$ kubectl -n upgrade logs daemon-x7k2p
E0304 08:10:57.118402    2041 drain.go:150] error when evicting pods/"ledger-6c8d7b9f5d-t5w2x" -n "books" (will retry after 5s): Cannot evict pod as it would violate the pod's disruption budget.
`,
      },
      confidence: 'certain',
      cites: ['daemon.log:2'],
    },
    'the numbers': {
      evidence: {
        'operator.log':
          '$ kubectl -n ops logs keeper-6c8d7b9f5d-t5w2x\nE0304 08:10:57.118402       1 evict.go:81] Cannot evict: The disruption budget ledger needs 2 healthy pods and has 2 currently\n',
      },
      confidence: 'certain',
    },
    'an autoscaler': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE     REASON             OBJECT       MESSAGE\n31s         Normal   DisruptionBlocked  node/birch   Cannot disrupt Node: pdb "books/ledger" prevents pod evictions\n',
      },
      confidence: 'certain',
    },
    'a managed cluster': {
      evidence: {
        'upgrade.txt':
          "Error: (UpgradeFailed) Drain node pool-1 failed when evicting pod ledger-0 failed with Too Many Requests error. Original error: Cannot evict pod as it would violate the pod's disruption budget. PDB debug info: books/ledger-0 blocked by pdb ledger with 0 unready pods.\n",
      },
      confidence: 'certain',
    },
    'two budgets': {
      evidence: {
        'drain.txt':
          'E0304 08:10:57.118402    2041 drain.go:150] error when evicting pods/"ledger-0" -n "books" (will retry after 5s): This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.\n',
      },
      confidence: 'certain',
    },
    'a managed upgrade': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON   OBJECT       MESSAGE\n31s         Warning   Drain    node/birch   Eviction blocked: PodDrainFailure, reached max retries while evicting pods\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it went through': { evidence: { 'drain.txt': `${drain}pod/ledger-6c8d7b9f5d-t5w2x evicted\nnode/birch drained\n` }, by: 'drained' },
  },
  asks: { 'the state of its workload': { evidence: { 'drain.txt': drain }, for: 'objects' } },
});
