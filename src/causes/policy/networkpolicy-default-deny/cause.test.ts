import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const policies = '$ kubectl -n books get netpol\nNAME               POD-SELECTOR   AGE\ndefault-deny-all   <none>         40m\n';
const log = (text: string) => `$ kubectl -n books logs ledger-6c8d7b9f5d-t5w2x\n${text}\n`;
const lookup = '2025/03/04 08:10:57 dial tcp: lookup db.books.svc on 10.96.0.10:53: read udp 10.244.1.9:41234->10.96.0.10:53: i/o timeout';

testCause(cause, {
  finds: {
    'the policy, and a program without DNS': {
      evidence: { 'policies.txt': policies, 'ledger.log': log(lookup) },
      confidence: 'possible',
      place: 'namespace books',
      cites: ['policies.txt:3', 'ledger.log:2'],
    },
    'what describe says too': {
      evidence: {
        'policies.txt': policies,
        'describe.txt': `$ kubectl -n books describe networkpolicy default-deny-all
Name:         default-deny-all
Namespace:    books
Spec:
  PodSelector:     <none> (Allowing the specific traffic to all pods in this namespace)
  Allowing egress traffic:
    <none> (Selected pods are isolated for egress connectivity)
  Policy Types: Egress
`,
        'ledger.log': log(lookup),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'nobody complains': {
      evidence: {
        'describe.txt':
          '$ kubectl -n books describe networkpolicy default-deny-all\nName:         default-deny-all\nNamespace:    books\nSpec:\n  Allowing egress traffic:\n    <none> (Selected pods are isolated for egress connectivity)\n',
      },
      by: 'noAnswer',
    },
    'DNS answers': {
      evidence: {
        'policies.txt': policies,
        'ledger.log': log(`${lookup}\n2025/03/04 08:10:59 dial tcp: lookup dbb.books.svc on 10.96.0.10:53: no such host`),
      },
      by: 'answered',
    },
  },
  asks: { 'the policies': { evidence: { 'ledger.log': log(lookup) }, for: 'objects' } },
});
