import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const apply =
  '$ kubectl apply -f till.yaml\nError from server (NotFound): error when creating "till.yaml": namespaces "orchard" not found\n';

testCause(cause, {
  finds: {
    'kubectl apply': { evidence: { 'term.txt': apply }, confidence: 'certain' },
    'Argo CD': {
      evidence: { 'term.txt': 'one or more objects failed to apply, reason: namespaces "orchard" not found\n' },
      confidence: 'certain',
    },
    'the bare words': {
      evidence: { 'term.txt': 'Error from server (NotFound): namespaces "orchard" not found\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'made since': { evidence: { 'term.txt': `${apply}$ kubectl create ns orchard\nnamespace/orchard created\n` }, by: 'made' },
  },
  asks: {
    'what the API server says': { evidence: { 'note.txt': 'namespaces "orchard" not found\n' }, for: 'objects' },
  },
});
