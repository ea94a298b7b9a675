import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe = (message: string) => `$ kubectl -n shop describe replicaset cart-6c5d9f7b84
Name:           cart-6c5d9f7b84
Namespace:      shop
Controlled By:  Deployment/cart
Replicas:       0 current / 2 desired
Pods Status:    0 Running / 0 Waiting / 0 Succeeded / 0 Failed
Events:
  Type     Reason        Age                  From                   Message
  ----     ------        ----                 ----                   -------
  Warning  FailedCreate  33s (x14 over 2m5s)  replicaset-controller  Error creating: ${message}
`;
const none =
  'Internal error occurred: failed calling webhook "inject.mesh.example": failed to call webhook: Post "https://mesh-injector.mesh.svc:443/inject?timeout=10s": no endpoints available for service "mesh-injector"';

testCause(cause, {
  finds: {
    'pods of an overlay network': {
      evidence: {
        'describe.txt': describe(
          'Internal error occurred: failed calling webhook "inject.mesh.example": failed to call webhook: Post "https://mesh-injector.mesh.svc:443/inject?timeout=10s": Address is not allowed',
        ),
      },
      confidence: 'certain',
    },
    'the conversion of a CRD': {
      evidence: {
        'terminal.txt':
          '$ kubectl get parcels\nError from server: conversion webhook for post.example/v1beta1, Kind=Parcel failed: Post "https://post-webhook.post.svc:443/convert?timeout=30s": service "post-webhook" not found\n',
      },
      confidence: 'probable',
    },
    'no endpoints': {
      evidence: { 'describe.txt': describe(none) },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['describe.txt:10'],
    },
    'an unknown authority, older words': {
      evidence: {
        'describe.txt': describe(
          'Internal error occurred: failed calling admission webhook "inject.mesh.example": Post https://mesh-injector.mesh.svc:443/inject: x509: certificate signed by unknown authority',
        ),
      },
      confidence: 'certain',
    },
    'a timeout, seen by kubectl': {
      evidence: {
        'terminal.txt':
          '$ kubectl apply -f pod.yaml\nError from server (InternalError): error when creating "pod.yaml": Internal error occurred: failed calling webhook "validate.policy.example": failed to call webhook: Post "https://policy.policy-system.svc:443/v1/admit?timeout=10s": context deadline exceeded\n',
      },
      confidence: 'probable',
    },
    'an address that the control plane may not dial': {
      evidence: {
        'terminal.txt':
          'Error from server (InternalError): Internal error occurred: failed calling webhook "labels.policy.example": failed to call webhook: Post "https://policy.orchard.svc:443/admit?timeout=3s": Address is not allowed\n',
      },
      confidence: 'probable',
    },
    'a write that runs out of time': {
      evidence: { 'describe.txt': describe('Timeout: request did not complete within requested timeout - context deadline exceeded') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'reached, and refuses': {
      evidence: {
        'describe.txt': `${describe(none)}  Warning  FailedCreate  3s  replicaset-controller  Error creating: admission webhook "inject.mesh.example" denied the request: namespace has no owner label\n`,
      },
      by: 'denied',
    },
  },
  asks: {
    'events, after a line of another log': {
      evidence: {
        'manager.log':
          '$ kubectl -n ops logs deploy-bot-x7k2p\nE0304 08:10:57.118402       1 controller.go:324] Reconciler error: Internal error occurred: failed calling webhook "validate.policy.example": failed to call webhook: Post "https://policy.policy-system.svc:443/v1/admit?timeout=10s": dial tcp 10.96.14.2:443: connect: connection refused\n',
      },
      for: 'object-events',
    },
  },
});

it.each([
  [
    'in two lines',
    'Error creating: Internal error occurred: failed calling webhook "validate.policy.example": failed to call webhook: Post "https://policy.policy-system.svc:443/v1/admit?timeout=30s": context deadline exceeded\nError creating: Timeout: request did not complete within requested timeout - context deadline exceeded\n',
  ],
  [
    'in one',
    'Error creating: Internal error occurred: failed calling webhook "validate.policy.example": failed to call webhook: Post "https://policy.policy-system.svc:443/v1/admit?timeout=30s": Timeout: request did not complete within requested timeout - context deadline exceeded\n',
  ],
])('a webhook that times out is not answered as a slow etcd, %s', async (_, text) => {
  const { incidents } = await diagnose([{ name: 'paste.txt', text }]);
  expect(incidents.map((incident) => incident.cause)).toEqual([cause.id]);
  expect(incidents[0]?.confidence).toBe('probable');
});
