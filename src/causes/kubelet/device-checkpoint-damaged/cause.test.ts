import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const said = (error: string) =>
  `Mar 02 10:11:12 elm-2 kubelet[2211]: E0302 10:11:12.118402    2211 manager.go:577] "Continue after failing to read checkpoint file. Device allocation info may NOT be up-to-date" err="${error}"\n`;

testCause(cause, {
  finds: {
    'a damaged file': { evidence: { 'journal.txt': said('checkpoint is corrupted') }, confidence: 'certain', place: 'node elm-2' },
    'after a reboot': {
      evidence: {
        'journal.txt': said('unexpected end of JSON input'),
        'node.txt': `Name:               elm-2
Events:
  Type     Reason    Age   From     Message
  ----     ------    ----  ----     -------
  Warning  Rebooted  3m    kubelet  Node elm-2 has been rebooted, boot id: 8a3f
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: { 'a new node has none': { evidence: { 'journal.txt': said('checkpoint is not found') }, by: 'fresh' } },
  asks: { 'the journal': { evidence: { 'journal.txt': said('checkpoint is corrupted') }, for: 'node-events' } },
});
