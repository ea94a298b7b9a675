import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) => `$ kubectl -n kube-system logs sealed-secrets-controller-5c9d8b7f6-r4m2k\n${text}\n`;
const event = (message: string) =>
  `2025/03/04 08:10:57 Event(v1.ObjectReference{Kind:"SealedSecret", Namespace:"orchard", Name:"till", UID:"0b54d0d8", APIVersion:"bitnami.com/v1alpha1", ResourceVersion:"1882", FieldPath:""}): type: 'Warning' reason: 'ErrUnsealFailed' ${message}`;
const locked = event('Failed to unseal: no key could decrypt secret (password)');

testCause(cause, {
  finds: {
    'no key fits': { evidence: { 'log.txt': log(locked) }, confidence: 'certain' },
    'an event': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON            OBJECT              MESSAGE\norchard     9s          Warning   ErrUnsealFailed   sealedsecret/till   Failed to unseal: no key could decrypt secret (password)\n',
      },
      confidence: 'certain',
    },
    'a Secret that is there already': {
      evidence: {
        'log.txt': log(event('Failed to unseal: failed update: Resource "till" already exists and is not managed by SealedSecret')),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a text that was cut off': {
      evidence: { 'log.txt': log(event('Failed to unseal: illegal base64 data at input byte 812')) },
      by: 'damaged',
    },
  },
  asks: { events: { evidence: { 'note.txt': 'Failed to unseal: no key could decrypt secret (password)\n' }, for: 'object-events' } },
});
