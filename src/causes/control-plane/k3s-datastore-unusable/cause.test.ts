import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const fatal = (said: string) =>
  `Mar 02 10:11:12 elm-1 k3s[811]: time="2026-03-02T10:11:12Z" level=fatal msg="starting kubernetes: preparing server: creating storage endpoint: building kine: ${said}"\n`;

testCause(cause, {
  finds: {
    'the database does not answer': {
      evidence: { 'journal.txt': fatal('dial tcp 10.8.0.9:3306: connect: connection refused') },
      confidence: 'certain',
    },
    'a wrong password': {
      evidence: { 'journal.txt': fatal("Error 1045 (28000): Access denied for user 'kube'@'10.8.0.4' (using password: YES)") },
      confidence: 'certain',
    },
    'no table': {
      evidence: {
        'journal.txt':
          'Mar 02 10:11:12 elm-1 k3s[811]: time="2026-03-02T10:11:12Z" level=error msg="pq: relation \\"kine\\" does not exist"\n',
      },
      confidence: 'certain',
    },
    'a damaged file': {
      evidence: {
        'journal.txt':
          'Mar 02 10:11:12 elm-1 k3s[811]: time="2026-03-02T10:11:12Z" level=error msg="error in txn: database disk image is malformed"\n',
      },
      confidence: 'certain',
    },
    'locked for a while': {
      evidence: {
        'journal.txt': 'Mar 02 10:11:12 elm-1 k3s[811]: time="2026-03-02T10:11:12Z" level=error msg="error in txn: database is locked"\n',
      },
      confidence: 'possible',
    },
    'slow queries': {
      evidence: {
        'journal.txt':
          'Mar 02 10:11:12 elm-1 k3s[811]: time="2026-03-02T10:11:12Z" level=info msg="Slow SQL (started: 2026-03-02 10:11:10.1 +0000 UTC) (total time: 2.3s): SELECT * FROM ( SELECT MAX(rkv.id) AS id FROM kine AS rkv )"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it came up in the end': {
      evidence: {
        'journal.txt': `${fatal('dial tcp 10.8.0.9:3306: connect: connection refused')}Mar 02 10:12:12 elm-1 k3s[900]: time="2026-03-02T10:12:12Z" level=info msg="k3s is up and running"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'the journal of k3s': { evidence: { 'journal.txt': fatal('dial tcp 10.8.0.9:3306: i/o timeout') }, for: 'kubelet-log' } },
});
