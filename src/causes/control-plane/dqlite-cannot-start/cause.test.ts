import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const damaged =
  'Mar 04 08:10:57 birch microk8s.daemon-kubelite[1085]: Error: open cluster.yaml node store: error converting YAML to JSON: yaml: line 2: mapping values are not allowed in this context\n';
const segment =
  'Mar 04 08:10:57 birch microk8s.daemon-k8s-dqlite[985]: time="2025-03-04T08:10:57Z" level=fatal msg="Failed to create server: failed to start dqlite node: raft_start(): io: load closed segment 0000000000034120-0000000000034560: entries batch 12 starting at byte 8201: data checksum mismatch"\n';
const noLeader =
  'Mar 04 08:10:57 birch microk8s.daemon-kubelite[1085]: W0304 08:10:57.118402    1085 logging.go:59] failed to create dqlite connection: no available dqlite leader server found\n';

testCause(cause, {
  finds: {
    'a damaged list of members': { evidence: { 'journal.txt': damaged }, confidence: 'certain', place: 'node birch' },
    'who am I': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch microk8s.daemon-k8s-dqlite[985]: time="2025-03-04T08:10:57Z" level=fatal msg="Failed to create server: failed to create dqlite app: load info.yaml: yaml: control characters are not allowed"\n',
      },
      confidence: 'certain',
    },
    'damaged data': { evidence: { 'journal.txt': segment }, confidence: 'certain' },
    'no leader': { evidence: { 'journal.txt': noLeader }, confidence: 'possible' },
  },
  rulesOut: {
    'the disk is full': {
      evidence: {
        'journal.txt': `${damaged}Mar 04 08:10:58 birch microk8s.daemon-k8s-dqlite[985]: write /var/snap/microk8s/6364/var/kubernetes/backend/open-3: no space left on device\n`,
      },
      by: 'full',
    },
    'it runs again': { evidence: { 'journal.txt': noLeader, 'status.txt': 'microk8s is running\nhigh-availability: no\n' }, by: 'up' },
  },
  asks: { 'the log of the API server': { evidence: { 'status.txt': 'no available dqlite leader server found\n' }, for: 'system-log' } },
});
