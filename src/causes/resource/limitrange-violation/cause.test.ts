import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describeSet = (message: string, age = '12s (x14 over 2m)') => `Name:           press-6f9d8c7b5
Namespace:      print
Controlled By:  Deployment/press
Replicas:       0 current / 1 desired
Events:
  Type     Reason        Age                 From                   Message
  ----     ------        ----                ----                   -------
  Warning  FailedCreate  ${age.padEnd(19)} replicaset-controller  Error creating: ${message}
`;
const MAXIMUM = 'pods "press-6f9d8c7b5-8kz2m" is forbidden: maximum memory usage per Container is 256Mi, but limit is 1Gi';

const deployment = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'press', namespace: 'print' },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'press', image: 'registry.example/press:1' }] } } },
  status: { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: MAXIMUM }] },
});

testCause(cause, {
  finds: {
    'more than the maximum': {
      evidence: { 'rs.txt': describeSet(MAXIMUM) },
      confidence: 'certain',
      place: 'namespace print',
      cites: ['rs.txt:8'],
    },
    'several at once': {
      evidence: {
        'rs.txt': describeSet(
          'pods "press-6f9d8c7b5-8kz2m" is forbidden: [minimum cpu usage per Container is 100m, but request is 5m, maximum memory usage per Pod is 1Gi, but limit is 2147483648]',
        ),
      },
      confidence: 'certain',
    },
    'nothing is set': {
      evidence: {
        'rs.txt': describeSet(
          'pods "press-6f9d8c7b5-8kz2m" is forbidden: minimum memory usage per Container is 64Mi.  No request is specified',
        ),
      },
      confidence: 'certain',
    },
    'the ratio': {
      evidence: {
        'rs.txt': describeSet(
          'pods "press-6f9d8c7b5-8kz2m" is forbidden: memory max limit to request ratio per Container is 2, but provided ratio is 8.000000',
        ),
      },
      confidence: 'certain',
    },
    'the condition of the Deployment': { evidence: { 'deployment.json': deployment }, confidence: 'probable', place: 'namespace print' },
  },
  rulesOut: { 'long ago': { evidence: { 'rs.txt': describeSet(MAXIMUM, '3h') }, by: 'longAgo' } },
  asks: { 'the events of the ReplicaSet': { evidence: { 'deployment.json': deployment }, for: 'object-events' } },
});
