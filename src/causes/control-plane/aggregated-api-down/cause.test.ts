import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const table = `$ kubectl get apiservices
NAME                                   SERVICE                      AVAILABLE                  AGE
v1.apps                                Local                        True                       41d
v1beta1.metrics.k8s.io                 kube-system/metrics-server   False (MissingEndpoints)   41d
`;
const discovery =
  '$ kubectl api-resources\nE0304 08:10:57.118402   20817 memcache.go:287] "Unhandled Error" err="couldn\'t get resource list for metrics.k8s.io/v1beta1: the server is currently unable to handle the request"\n';

testCause(cause, {
  finds: {
    'the list of APIServices': {
      evidence: { 'terminal.txt': table },
      confidence: 'certain',
      place: 'the cluster',
      cites: ['terminal.txt:4'],
    },
    'what kubectl complains of': { evidence: { 'terminal.txt': discovery }, confidence: 'certain' },
    'a namespace that does not go': {
      evidence: {
        'namespace.yaml': `apiVersion: v1
kind: Namespace
metadata:
  name: legacy
  deletionTimestamp: "2025-03-04T07:10:00Z"
status:
  conditions:
  - message: 'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: custom.metrics.k8s.io/v1beta1: the server is currently unable to handle the request'
    reason: DiscoveryFailed
    status: "True"
    type: NamespaceDeletionDiscoveryFailure
  phase: Terminating
`,
      },
      confidence: 'certain',
    },
    'the log of the API server': {
      evidence: {
        'apiserver.log':
          '$ kubectl -n kube-system logs kube-apiserver-cp-1\nE0304 08:10:57.118402       1 available_controller.go:460] v1beta1.metrics.k8s.io failed with: failing or missing response from https://10.96.14.2:443/apis/metrics.k8s.io/v1beta1: Get "https://10.96.14.2:443/apis/metrics.k8s.io/v1beta1": dial tcp 10.96.14.2:443: i/o timeout\n',
      },
      confidence: 'certain',
    },
    'its condition': {
      evidence: {
        'apiserver.log':
          '$ kubectl -n kube-system logs kube-apiserver-cp-1\nI0304 08:10:57.118402       1 remote_available_controller.go:431] changing APIService availability name="v1beta1.metrics.k8s.io" oldStatus="True" newStatus="False" message="endpoints for service/metrics-server in \\"kube-system\\" have no addresses" reason="MissingEndpoints"\n',
      },
      confidence: 'certain',
    },
    'kubectl top': { evidence: { 'terminal.txt': '$ kubectl top pods\nerror: Metrics API not available\n' }, confidence: 'certain' },
    'an autoscaler without metrics': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON                    OBJECT                        MESSAGE\n31s         Warning   FailedGetResourceMetric   horizontalpodautoscaler/web   failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the API server itself is away': {
      evidence: {
        'terminal.txt': `${discovery}The connection to the server 10.4.0.10:6443 was refused - did you specify the right host or port?\n`,
      },
      by: 'allDown',
    },
  },
  asks: { 'the log of the API server': { evidence: { 'terminal.txt': discovery }, for: 'control-plane-log' } },
});
