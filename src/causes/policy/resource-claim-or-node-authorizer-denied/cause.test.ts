import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const journal = (text: string) => `Mar 04 08:10:57 birch kubelet[2041]: E0304 08:10:57.118402    2041 ${text}\n`;
const relation = journal(
  'reflector.go:158] "Unhandled Error" err="object-\\"books\\"/\\"ledger-key\\": Failed to watch *v1.Secret: failed to list *v1.Secret: secrets \\"ledger-key\\" is forbidden: User \\"system:node:birch\\" cannot list resource \\"secrets\\" in API group \\"\\" in the namespace \\"books\\": no relationship found between node \'birch\' and this object"',
);

testCause(cause, {
  finds: {
    'a certificate without the name of a node': {
      evidence: {
        'kubelet.log': journal(
          'kubelet_node_status.go:103] Unable to register node "birch" with API server: User "system:node:" cannot create nodes at the cluster scope.: "unknown node for user \\"system:node:\\"" (post nodes)',
        ),
      },
      confidence: 'certain',
    },
    'a secret': { evidence: { 'kubelet.log': relation }, confidence: 'possible', place: 'node birch', cites: ['kubelet.log:1'] },
    'an event of the pod': {
      evidence: {
        'events.txt': `$ kubectl -n books describe pod ledger-0
Events:
  Type     Reason       Age               From     Message
  ----     ------       ----              ----     -------
  Warning  FailedMount  8s (x9 over 12m)  kubelet  MountVolume.SetUp failed for volume "key" : secrets "ledger-key" is forbidden: User "system:node:birch" cannot get resource "secrets" in API group "" in the namespace "books": no relationship found between node 'birch' and this object
`,
      },
      confidence: 'certain',
      victims: 1,
    },
    'a claim of devices': {
      evidence: {
        'kubelet.log': journal(
          'manager.go:211] "failed to get claim" err="resourceclaims.resource.k8s.io \\"gpu\\" is forbidden: User \\"system:node:birch\\" cannot get resource \\"resourceclaims\\" in API group \\"resource.k8s.io\\" in the namespace \\"books\\": no relationship found between node \'birch\' and this object"',
        ),
      },
      confidence: 'possible',
    },
    'a certificate of another node': {
      evidence: {
        'kubelet.log': journal(
          'status_manager.go:877] "Failed to update status for pod" err="pods \\"ledger-0\\" is forbidden: node \\"alder\\" can only update pod status for pods with spec.nodeName set to itself"',
        ),
      },
      confidence: 'certain',
    },
    'without a reason': {
      evidence: {
        'kubelet.log': journal(
          'x.go:1] "failed" err="nodes \\"birch\\" is forbidden: User \\"system:node:birch\\" cannot get resource \\"nodes\\" in API group \\"\\" at the cluster scope"',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'kubectl speaks as a node': {
      evidence: {
        'kubelet.log': relation,
        'terminal.txt':
          '$ kubectl delete -f job.yaml\nError from server (Forbidden): error when deleting "job.yaml": pods "report-5" is forbidden: node "elm" can only delete pods with spec.nodeName set to itself\n',
      },
      by: 'byKubectl',
    },
    'the namespace goes': {
      evidence: {
        'kubelet.log':
          relation +
          journal(
            'event.go:359] "Server rejected event (will not retry!)" err="events \\"ledger-0\\" is forbidden: unable to create new content in namespace books because it is being terminated"',
          ),
      },
      by: 'namespaceGone',
    },
  },
  asks: {
    'the log of the kubelet': {
      evidence: {
        'paste.txt':
          'Error: nodes "birch" is forbidden: User "system:node:birch" cannot get resource "nodes" in API group "" at the cluster scope\n',
      },
      for: 'kubelet-log',
    },
  },
});
