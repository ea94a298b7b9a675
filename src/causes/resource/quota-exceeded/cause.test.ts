import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function describeSet(message: string, age = '61s (x12 over 9m)'): string {
  return `$ kubectl describe rs api-6d5f8c7b9d -n shop
Name:           api-6d5f8c7b9d
Namespace:      shop
Controlled By:  Deployment/api
Replicas:       2 current / 4 desired
Events:
  Type     Reason            Age                  From                   Message
  ----     ------            ----                 ----                   -------
  Normal   SuccessfulCreate  9m                   replicaset-controller  Created pod: api-6d5f8c7b9d-2xk4q
  Warning  FailedCreate      ${age}    replicaset-controller  Error creating: pods "api-6d5f8c7b9d-7wq2z" is forbidden: ${message}
`;
}

const full =
  'exceeded quota: team-quota, requested: limits.memory=1Gi,requests.cpu=500m, used: limits.memory=4Gi,requests.cpu=4, limited: limits.memory=4Gi,requests.cpu=4';

testCause(cause, {
  finds: {
    'a quota that is not counted yet': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON         OBJECT             MESSAGE\n12s         Warning   FailedCreate   replicaset/till-1   Error creating: pods "till-1-" is forbidden: status unknown for quota: team, resources: limits.cpu, limits.memory\n',
      },
      confidence: 'probable',
    },
    'one amount used up': {
      evidence: { 'rs.txt': describeSet('exceeded quota: team-quota, requested: pods=1, used: pods=10, limited: pods=10') },
      confidence: 'certain',
      place: 'namespace shop',
    },
    'used up': { evidence: { 'rs.txt': describeSet(full) }, confidence: 'certain', place: 'namespace shop', cites: ['rs.txt:10'] },
    'in the words of older servers': {
      evidence: {
        'rs.txt': describeSet(
          'Exceeded quota: object-counts, requested: replicationcontrollers=1, used: replicationcontrollers=20, limited: replicationcontrollers=20',
        ),
      },
      confidence: 'certain',
      place: 'namespace shop',
    },
    'values missing': {
      evidence: { 'rs.txt': describeSet('failed quota: team-quota: must specify limits.cpu for: app; limits.memory for: app') },
      confidence: 'certain',
      place: 'namespace shop',
    },
    'as the Deployment tells it': {
      evidence: {
        'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
spec:
  replicas: 4
status:
  replicas: 2
  conditions:
  - type: ReplicaFailure
    status: "True"
    reason: FailedCreate
    message: 'pods "api-6d5f8c7b9d-7wq2z" is forbidden: ${full}'
`,
      },
      confidence: 'probable',
      place: 'namespace shop',
    },
  },
  rulesOut: {
    'refused long ago': { evidence: { 'rs.txt': describeSet(full, '3h (x4 over 4h)  ') }, by: 'longAgo' },
  },
  asks: {
    'the events of the controller': {
      evidence: {
        'deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  namespace: shop
status:
  conditions:
  - type: ReplicaFailure
    status: "True"
    reason: FailedCreate
    message: 'pods "api-6d5f8c7b9d-7wq2z" is forbidden: ${full}'
`,
      },
      for: 'object.event',
    },
  },
});

it('names quota and amounts in its title', async () => {
  const { incidents } = await diagnose([{ name: 'rs.txt', text: describeSet(full) }], { causes: [cause] });
  expect(incidents[0]?.title).toBe(
    'ResourceQuota team-quota of namespace shop forbids new pods: requested limits.memory=1Gi,requests.cpu=500m, used limits.memory=4Gi,requests.cpu=4, limited to limits.memory=4Gi,requests.cpu=4',
  );
});
