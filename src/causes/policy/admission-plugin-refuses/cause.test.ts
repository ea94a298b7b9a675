import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describeSet = (message: string) => `$ kubectl describe rs ledger-6d5f8c7b9d -n books
Name:           ledger-6d5f8c7b9d
Namespace:      books
Controlled By:  Deployment/ledger
Replicas:       0 current / 2 desired
Events:
  Type     Reason        Age                  From                   Message
  ----     ------        ----                 ----                   -------
  Warning  FailedCreate  61s (x12 over 9m)    replicaset-controller  Error creating: ${message}
`;
const forbidden = (words: string) => describeSet(`pods "ledger-6d5f8c7b9d-7wq2z" is forbidden: ${words}`);
const user = forbidden('SecurityContext.RunAsUser is forbidden');
const found = (text: string) =>
  ({ evidence: { 'rs.txt': text }, confidence: 'certain', place: 'Deployment books/ledger', cites: ['rs.txt:9'] }) as const;

testCause(cause, {
  finds: {
    'a user that is set': found(user),
    'a group, in the words of newer servers': found(forbidden('pod.Spec.SecurityContext.FSGroup is forbidden')),
    'a node selector against that of the namespace': found(
      forbidden('pod node label selector conflicts with its namespace node label selector'),
    ),
    'tolerations that are not allowed': found(
      describeSet('pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist'),
    ),
    'an anti-affinity by zone': found(
      forbidden(
        'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey topology.kubernetes.io/zone but only key kubernetes.io/hostname is allowed',
      ),
    ),
    'a priority by hand': found(
      forbidden(
        'the integer value of priority (0) must not be provided in pod spec; priority admission controller computed 1000 from the given PriorityClass name',
      ),
    ),
    'an external address': {
      evidence: {
        'terminal.txt':
          'Error from server (Forbidden): error when creating "svc.yaml": services "ledger" is forbidden: Use of external IPs is denied by admission control\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'a webhook says so': {
      evidence: {
        'rs.txt': `${user}  Warning  FailedCreate  60s  replicaset-controller  Error creating: admission webhook "guard.example.com" denied the request: SecurityContext.RunAsUser is forbidden\n`,
      },
      by: 'webhook',
    },
  },
  asks: {
    'the events of its controller': {
      evidence: { 'paste.txt': 'pods "ledger-0" is forbidden: SecurityContext.RunAsUser is forbidden\n' },
      for: 'object-events',
    },
  },
});
