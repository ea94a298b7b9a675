import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const mount = (message: string) => `Name:           audit-6f7d8c9b5-w2x4z
Namespace:      trail
Node:           cedar-1/10.2.0.11
Status:         Pending
Controlled By:  ReplicaSet/audit-6f7d8c9b5
Containers:
  audit:
    Image:          registry.example/trail/audit:1
    State:          Waiting
      Reason:       ContainerCreating
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason       Age               From     Message
  ----     ------       ----              ----     -------
  Warning  FailedMount  8s (x9 over 2m)   kubelet  MountVolume.SetUp failed for volume "kube-api-access-2bq6d" : ${message}
`;
const log = (text: string) => `$ kubectl -n trail logs audit-6f7d8c9b5-w2x4z -c audit\n${text}\n`;

testCause(cause, {
  finds: {
    'a pod is asked for credentials': {
      evidence: {
        'operator.log':
          '$ kubectl -n shop logs till-operator-5d4c3b2a19-m3n4p\n2025/03/04 08:10:57 [ERROR] the server has asked for the client to provide credentials\n',
      },
      confidence: 'possible',
    },
    'the root certificate is not published': {
      evidence: { 'describe.txt': mount('configmap "kube-root-ca.crt" not found') },
      confidence: 'certain',
      place: 'Deployment trail/audit',
      cites: ['describe.txt:16'],
      victims: 1,
    },
    'the API refuses a token': {
      evidence: {
        'describe.txt': mount(
          'failed to fetch token: serviceaccounts "audit" is forbidden: User "system:node:cedar-1" cannot create resource "serviceaccounts/token" in API group "" in the namespace "trail": no relationship found between node \'cedar-1\' and this object',
        ),
      },
      confidence: 'certain',
    },
    'an API server without TokenRequest': {
      evidence: { 'describe.txt': mount('failed to fetch token: the API server does not have TokenRequest endpoints enabled') },
      confidence: 'certain',
    },
    'no token for the account': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON         OBJECT                       MESSAGE\ntrail       12s         Warning   FailedCreate   replicaset/audit-6f7d8c9b5   Error creating: pods "audit-6f7d8c9b5-" is forbidden: No API token found for service account "default", retry after the token is automatically created and added to the service account\n',
      },
      confidence: 'probable',
    },
    'not mounted, in Go': {
      evidence: { 'log.txt': log('panic: open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory') },
      confidence: 'probable',
    },
    'not mounted, in Node.js': {
      evidence: { 'log.txt': log("Error: ENOENT: no such file or directory, open '/var/run/secrets/kubernetes.io/serviceaccount/token'") },
      confidence: 'probable',
    },
    'no environment of the cluster': {
      evidence: {
        'log.txt': log(
          'unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined\ninvalid bearer token, square/go-jose: error in cryptographic primitive',
        ),
      },
      confidence: 'possible',
    },
    'a key that was made anew': {
      evidence: {
        'apiserver.log':
          '$ journalctl -u kube-apiserver\nJan 09 07:11:02 cedar-1 kube-apiserver[911]: E0109 07:11:02.118204     911 authentication.go:63] "Unable to authenticate the request" err="[invalid bearer token, crypto/rsa: verification error]"\n',
      },
      confidence: 'possible',
    },
    'a token that was kept too long': {
      evidence: {
        'apiserver.log':
          '$ journalctl -u kube-apiserver\nJan 09 07:11:02 cedar-1 kube-apiserver[911]: E0109 07:11:02.118204     911 authentication.go:73] "Unable to authenticate the request" err="[invalid bearer token, service account token has expired]"\n',
      },
      confidence: 'possible',
    },
    'a token of an account that is gone': {
      evidence: {
        'apiserver.log':
          '$ journalctl -u kube-apiserver\nJan 09 07:11:02 cedar-1 kube-apiserver[911]: E0109 07:11:02.118204     911 authentication.go:53] Unable to authenticate the request due to an error: [invalid bearer token, Token has been invalidated]\n',
      },
      confidence: 'possible',
    },
    'a kubelet that has not read it yet': {
      evidence: { 'describe.txt': mount('object "trail"/"kube-root-ca.crt" not registered') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the API server is away': {
      evidence: {
        'describe.txt': `${mount('configmap "kube-root-ca.crt" not found')}  Warning  FailedMount  3s                kubelet  MountVolume.SetUp failed for volume "kube-api-access-2bq6d" : failed to fetch token: Post "https://10.2.0.1:6443/api/v1/namespaces/trail/serviceaccounts/audit/token": dial tcp 10.2.0.1:6443: connect: connection refused\n`,
      },
      by: 'unreachable',
    },
    'well since': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                    READY   STATUS    RESTARTS   AGE\ntrail       audit-6f7d8c9b5-w2x4z   1/1     Running   0          9m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON        OBJECT                      MESSAGE\ntrail       8m          Warning   FailedMount   pod/audit-6f7d8c9b5-w2x4z   MountVolume.SetUp failed for volume "kube-api-access-2bq6d" : configmap "kube-root-ca.crt" not found\n',
      },
      by: 'well',
    },
  },
  asks: {
    'the pod': {
      evidence: { 'log.txt': log('open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory') },
      for: 'pod-status',
    },
  },
});
