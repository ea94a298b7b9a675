import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const message = 'pods "ledger-7f9c6b5d48-" is forbidden: unable to create new content in namespace books because it is being terminated';
const describe = `$ kubectl -n books describe replicaset ledger-7f9c6b5d48
Name:           ledger-7f9c6b5d48
Namespace:      books
Controlled By:  Deployment/ledger
Events:
  Type     Reason        Age                 From                   Message
  ----     ------        ----                ----                   -------
  Warning  FailedCreate  12s (x15 over 93s)  replicaset-controller  Error creating: ${message}
`;

testCause(cause, {
  finds: {
    'it is to be made anew while the old one still goes': {
      evidence: {
        'term.txt':
          '$ kubectl create namespace pears\nError from server (AlreadyExists): object is being deleted: namespaces "pears" already exists\n',
      },
      confidence: 'certain',
    },
    'events of a replica set': {
      evidence: { 'describe.txt': describe },
      confidence: 'certain',
      place: 'namespace books',
      cites: ['describe.txt:8'],
      victims: 1,
    },
    'what kubectl answers': {
      evidence: {
        'terminal.txt': `Error from server (Forbidden): error when creating "ledger.yaml": ${message.replace('pods "ledger-7f9c6b5d48-"', 'configmaps "ledger"')}\n`,
      },
      confidence: 'certain',
    },
    'a namespace that stays': {
      evidence: {
        'terminal.txt': '$ kubectl get ns\nNAME      STATUS        AGE\nbooks     Terminating   6d19h\ndefault   Active        50d\n',
      },
      confidence: 'possible',
    },
    'and what holds it': {
      evidence: {
        'namespace.yaml': `apiVersion: v1
kind: Namespace
metadata:
  name: books
  deletionTimestamp: "2025-03-04T07:10:00Z"
status:
  conditions:
  - message: 'Some resources are remaining: widgets.example.com has 2 resource instances'
    reason: SomeResourcesRemain
    status: "True"
    type: NamespaceContentRemaining
  phase: Terminating
`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'made anew': { evidence: { 'terminal.txt': `${describe}\n$ kubectl create ns books\nnamespace/books created\n` }, by: 'again' },
  },
  asks: {
    'what is left in it': {
      evidence: { 'terminal.txt': '$ kubectl get ns\nNAME      STATUS        AGE\nbooks     Terminating   6d19h\n' },
      for: 'object-events',
    },
  },
});
