import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const log = (text: string) => `$ kubectl -n ops logs keeper-6c8d7b9f5d-t5w2x\n${text}\n`;
const listing =
  'E0304 08:10:57.118402       1 reflector.go:158] "Unhandled Error" err="k8s.io/client-go/informers/factory.go:160: Failed to watch *v1.Secret: failed to list *v1.Secret: secrets is forbidden: User \\"system:serviceaccount:ops:keeper\\" cannot list resource \\"secrets\\" in API group \\"\\" at the cluster scope"';
const pods =
  '$ kubectl -n ops get pods\nNAME                      READY   STATUS             RESTARTS        AGE\nkeeper-6c8d7b9f5d-t5w2x   0/1     CrashLoopBackOff   14 (2m1s ago)   51m\n';

testCause(cause, {
  finds: {
    'an owner whose finalizers it may not update': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON                  OBJECT            MESSAGE\n2m          Warning   ReplicaSetCreateError   deployment/cart   Failed to create new replica set "cart-5f4f446ddf": replicasets.apps "cart-5f4f446ddf" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>\n',
      },
      confidence: 'certain',
    },
    'a client that tells only verb and resource': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.681897       1 network.go:102] failed to register network: failed to acquire lease: the server does not allow access to the requested resource (put nodes elm)',
        ),
      },
      confidence: 'certain',
      place: 'Deployment ops/keeper',
    },
    'the account every pod has': {
      evidence: { 'keeper.log': log(listing.replaceAll('ops:keeper', 'ops:default')), 'pods.txt': pods },
      confidence: 'certain',
      place: 'Deployment ops/keeper',
    },
    'an operator, quotes escaped': {
      evidence: { 'keeper.log': log(listing), 'pods.txt': pods },
      confidence: 'certain',
      place: 'Deployment ops/keeper',
      cites: ['keeper.log:2'],
      victims: 1,
    },
    'old words, in an event': {
      evidence: {
        'events.txt': `Events:
  Type     Reason              Age   From                         Message
  ----     ------              ----  ----                         -------
  Warning  ProvisioningFailed  8s    persistentvolume-controller  Failed to provision volume with StorageClass "files": Couldn't create secret secrets is forbidden: User "system:serviceaccount:kube-system:binder" cannot create secrets in the namespace "books"
`,
      },
      confidence: 'certain',
    },
    'an ingress controller that does not tell which': {
      evidence: {
        'keeper.log': log(
          'F0304 08:10:57.405544       7 main.go:87] ✖ The cluster seems to be running with a restrictive Authorization mode and the Ingress controller does not have the required permissions to operate normally.',
        ),
      },
      confidence: 'certain',
      place: 'Deployment ops/keeper',
    },
    'one line alone': {
      evidence: {
        'paste.txt':
          'Error from server (Forbidden): leases.coordination.k8s.io "keeper" is forbidden: User "system:serviceaccount:ops:keeper" cannot update resource "leases" in API group "coordination.k8s.io" in the namespace "ops"\n',
      },
      confidence: 'certain',
    },
    'a role that does not exist': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.118402       1 main.go:81] pods is forbidden: User "system:serviceaccount:ops:keeper" cannot list resource "pods" in API group "" in the namespace "ops": RBAC: role.rbac.authorization.k8s.io "keeper" not found',
        ),
      },
      confidence: 'certain',
    },
    'more than it has': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.118402       1 main.go:81] roles.rbac.authorization.k8s.io "app" is forbidden: user "system:serviceaccount:ops:keeper" (groups=["system:serviceaccounts"]) is attempting to grant RBAC permissions not currently held: {APIGroups:[""], Resources:["secrets"], Verbs:["list"]}',
        ),
      },
      confidence: 'certain',
    },
    'the kubelet refuses a scraper': {
      evidence: {
        'keeper.log': log(
          'E0304 08:10:57.118402       1 scraper.go:140] "Failed to scrape node" err="Forbidden (user=system:serviceaccount:ops:keeper, verb=get, resource=nodes, subresource=stats)"',
        ),
      },
      confidence: 'certain',
    },
    'kubectl says no': {
      evidence: { 'terminal.txt': '$ kubectl auth can-i list secrets --as=system:serviceaccount:ops:keeper\nno\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'no credentials at all': {
      evidence: {
        'keeper.log': log(
          `${listing}\nE0304 08:10:58.118402       1 main.go:81] pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope`,
        ),
      },
      by: 'anonymous',
    },
  },
  asks: {
    'the log of the program': {
      evidence: { 'terminal.txt': '$ kubectl auth can-i list secrets --as=system:serviceaccount:ops:keeper\nno\n' },
      for: 'container-log',
    },
  },
});
