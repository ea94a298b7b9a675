import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const stale =
  'Mar 04 08:10:57 birch dockerd[26519]: failed to start daemon: pid file found, ensure docker is not running or delete /var/run/docker.pid\n';
const ended = 'Mar 04 08:10:57 birch systemd[1]: Failed to start Docker Application Container Engine.\n';

testCause(cause, {
  finds: {
    'the file': { evidence: { 'journal.txt': stale + ended }, confidence: 'certain', place: 'node birch', cites: ['journal.txt:1'] },
    'from a terminal': {
      evidence: { 'paste.txt': 'failed to start daemon: pid file found, ensure docker is not running or delete /var/run/docker.pid\n' },
      confidence: 'certain',
    },
    'newer words': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch dockerd[26519]: failed to start daemon, ensure docker is not running or delete /var/run/docker.pid: process with PID 812 is still running\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it is up': {
      evidence: {
        'journal.txt': `${stale}Mar 04 08:20:57 birch dockerd[26601]: time="2025-03-04T08:20:57Z" level=info msg="Daemon has completed initialization"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'the journal of Docker': { evidence: { 'journal.txt': ended }, for: 'docker-log' } },
});
