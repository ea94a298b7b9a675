import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const said = (error: string) =>
  `Mar 02 10:11:12 elm-2 kubelet[2211]: E0302 10:11:12.118402    2211 manager.go:577] "Continue after failing to read checkpoint file. Device allocation info may NOT be up-to-date" err="${error}"\n`;

testCause(cause, {
  finds: {
    'a damaged file': { evidence: { 'journal.txt': said('checkpoint is corrupted') }, confidence: 'certain', place: 'node elm-2' },
    'and a pod that is rejected': {
      evidence: {
        'journal.txt': `${said('unexpected end of JSON input')}Mar 02 10:11:13 elm-2 kubelet[2211]: I0302 10:11:13.118402    2211 kubelet.go:2400] "Pod admission denied" message="Allocate failed due to can't allocate unregistered device example.org/card, which is unexpected"\n`,
      },
      confidence: 'certain',
      cites: ['journal.txt:1', 'journal.txt:2'],
    },
  },
  rulesOut: { 'a new node has none': { evidence: { 'journal.txt': said('checkpoint is not found') }, by: 'fresh' } },
  asks: { 'the journal': { evidence: { 'journal.txt': said('checkpoint is corrupted') }, for: 'pod-events' } },
});
