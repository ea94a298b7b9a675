import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const fatal =
  'Mar 02 10:11:12 elm-1 k3s[811]: time="2026-03-02T10:11:12Z" level=fatal msg="starting kubernetes: preparing server: failed to bootstrap cluster data: failed to reconcile with local datastore: /var/lib/rancher/k3s/server/tls/server-ca.key, /var/lib/rancher/k3s/server/tls/service.key newer than datastore and could cause a cluster outage. Remove the file(s) from disk and restart to be recreated from datastore."\n';

testCause(cause, {
  finds: {
    'the fatal line': { evidence: { 'journal.txt': fatal }, confidence: 'certain' },
    'on a machine with a free-running clock': {
      evidence: {
        'journal.txt': fatal,
        'clock.txt':
          '[root@elm-1 ~]# timedatectl\n               Local time: Mon 2026-03-02 10:11:12 UTC\nSystem clock synchronized: no\n              NTP service: inactive\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it came up': {
      evidence: {
        'journal.txt': `${fatal}Mar 02 10:14:12 elm-1 k3s[900]: time="2026-03-02T10:14:12Z" level=info msg="k3s is up and running"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'its journal': { evidence: { 'journal.txt': fatal }, for: 'host-state' } },
});
