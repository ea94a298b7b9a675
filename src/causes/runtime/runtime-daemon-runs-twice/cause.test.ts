import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const waits = (second: number) =>
  `Mar 04 08:10:${second} birch containerd[412]: time="2025-03-04T08:10:${second}Z" level=warning msg="waiting for response from boltdb open" plugin=bolt\n`;
const volumes = 'Mar 04 08:10:57 birch dockerd[412]: failed to start daemon: error while opening volume store metadata database: timeout\n';

testCause(cause, {
  finds: {
    'the database is locked': { evidence: { 'journal.txt': waits(10) + waits(20) + waits(30) }, confidence: 'certain' },
    'the volumes of Docker are locked': { evidence: { 'journal.txt': volumes }, confidence: 'certain' },
    'the socket is taken': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 birch containerd[412]: time="2025-03-04T08:10:57Z" level=fatal msg="failed to get listener for main ttrpc endpoint" error="bind: address already in use"\n',
      },
      confidence: 'certain',
    },
    'it waits once': { evidence: { 'journal.txt': waits(10) }, confidence: 'possible' },
  },
  rulesOut: {
    'it is up': {
      evidence: {
        'journal.txt': `${waits(10)}${waits(20)}Mar 04 08:20:57 birch containerd[412]: time="2025-03-04T08:20:57Z" level=info msg="containerd successfully booted in 0.031s"\n`,
      },
      by: 'up',
    },
  },
  asks: { 'the journal of containerd': { evidence: { 'journal.txt': volumes }, for: 'containerd-log' } },
});
