import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const refused = (user: string) =>
  `$ kubectl -n books logs ledger-0\nError from server (Forbidden): Forbidden (user=${user}, verb=get, resource=nodes, subresource=proxy) ( pods/log ledger-0)\n`;

testCause(cause, {
  finds: {
    'a user without the role': { evidence: { 'terminal.txt': refused('kubernetes') }, confidence: 'certain', cites: ['terminal.txt:2'] },
    'no certificate at all': { evidence: { 'terminal.txt': refused('system:anonymous') }, confidence: 'certain' },
    'after certificates were renewed, in the words of kubectl logs': {
      evidence: {
        'terminal.txt':
          '$ kubectl logs ledger-0 -n books\nerror: You must be logged in to the server (the server has asked for the client to provide credentials ( pods/log ledger-0))\n',
      },
      confidence: 'certain',
      cites: ['terminal.txt:2'],
    },
    'and of kubectl exec': {
      evidence: { 'terminal.txt': '$ kubectl exec -it ledger-0 -- sh\nerror: unable to upgrade connection: Unauthorized\n' },
      confidence: 'certain',
    },
    'only the word': {
      evidence: {
        'terminal.txt': 'Error from server: Get "https://10.4.0.11:10250/containerLogs/books/ledger-0/ledger": Unauthorized\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a program with its account': {
      evidence: {
        'terminal.txt': `${refused('kubernetes')}E0304 08:10:57.1 1 scraper.go:140] Failed to scrape node: Forbidden (user=system:serviceaccount:ops:metrics, verb=get, resource=nodes, subresource=stats)\n`,
      },
      by: 'account',
    },
  },
  asks: {
    'the words of the API server': {
      evidence: { 'terminal.txt': 'Error from server: Get "https://10.4.0.11:10250/containerLogs/books/ledger-0/ledger": Forbidden\n' },
      for: 'prose',
    },
  },
});
