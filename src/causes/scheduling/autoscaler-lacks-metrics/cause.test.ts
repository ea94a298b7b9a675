import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describeHpa = (...messages: readonly string[]) => `$ kubectl describe hpa ledger -n books
Name:                                                  ledger
Namespace:                                             books
Reference:                                             Deployment/ledger
Events:
  Type     Reason                        Age                From                       Message
  ----     ------                        ----               ----                       -------
${messages.map((message) => `  Warning  FailedGetResourceMetric       61s (x12 over 9m)  horizontal-pod-autoscaler  ${message}\n`).join('')}`;
const noRequest = describeHpa('failed to get cpu utilization: missing request for cpu');

testCause(cause, {
  finds: {
    'a target that is not there, in a list of events': {
      evidence: {
        'events.txt':
          'LAST SEEN   TYPE      REASON           OBJECT                           MESSAGE\n12s         Warning   FailedGetScale   horizontalpodautoscaler/ledger   deployments.apps "ledger" not found\n',
      },
      confidence: 'possible',
    },
    'the same as a lone row': {
      evidence: { 'paste.txt': 'Warning  FailedGetScale  2m  horizontal-pod-autoscaler  deployments.apps "ledger" not found\n' },
      confidence: 'possible',
    },
    'a ScaledObject that is not ready': {
      evidence: {
        'so.txt':
          'NAME     SCALETARGETKIND      SCALETARGETNAME   MIN   MAX   TRIGGERS   READY   ACTIVE    AGE\nledger   apps/v1.Deployment   ledger            1     10    rabbitmq   False   Unknown   13m\n',
      },
      confidence: 'possible',
    },
    'a trigger of KEDA, pasted from its log': {
      evidence: {
        'keda.log':
          '$ kubectl -n keda logs keda-operator-5d8c7b6f9-x2k4m\n2024-03-02T10:11:12Z\tERROR\tscale_handler\terror getting scalers\t{"error": "error getting scaler for trigger #0: error parsing rabbitmq metadata: no host setting given"}\n',
      },
      confidence: 'possible',
    },
    'a table without figures': {
      evidence: {
        'hpa.txt':
          'NAME     REFERENCE           TARGETS              MINPODS   MAXPODS   REPLICAS   AGE\nledger   Deployment/ledger   cpu: <unknown>/70%   2         10        2          10m\n',
      },
      confidence: 'possible',
    },
    'no adapter at all': {
      evidence: {
        'hpa.txt': describeHpa(
          'unable to get metric open_orders: unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered',
        ),
      },
      confidence: 'certain',
    },
    'a trigger of KEDA': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON             OBJECT               MESSAGE\nbooks       9s          Warning   KEDAScalerFailed   scaledobject/orders  error parsing rabbitmq metadata: no host setting given\n',
      },
      confidence: 'certain',
    },
    'a trigger of KEDA, its events alone': {
      evidence: {
        'events.txt':
          'Events:\n  Type     Reason            Age                From           Message\n  ----     ------            ----               ----           -------\n  Warning  KEDAScalerFailed  9s (x12 over 2m)   keda-operator  error parsing rabbitmq metadata: no host setting given\n',
      },
      confidence: 'certain',
    },
    'external metrics that nobody serves': {
      evidence: {
        'hpa.txt':
          'Events:\n  Type     Reason                   Age                 From                       Message\n  ----     ------                   ----                ----                       -------\n  Warning  FailedGetExternalMetric  94s (x81 over 21m)  horizontal-pod-autoscaler  unable to get external metric books/open_orders/nil: unable to fetch metrics from external metrics API: the server could not find the requested resource (get open_orders.external.metrics.k8s.io)\n',
      },
      confidence: 'certain',
    },
    'a metric the adapter does not have': {
      evidence: {
        'hpa.txt':
          'Events:\n  Type     Reason                   Age                 From                       Message\n  ----     ------                   ----                ----                       -------\n  Warning  FailedGetExternalMetric  94s (x81 over 21m)  horizontal-pod-autoscaler  unable to get external metric books/s0-orders/nil: unable to fetch metrics from external metrics API: no matching metrics found for s0-orders\n',
      },
      confidence: 'certain',
    },
    'no request': { evidence: { 'hpa.txt': noRequest }, confidence: 'certain', cites: ['hpa.txt:8'] },
    'a sidecar without a request': {
      evidence: {
        'hpa.txt': describeHpa(
          'failed to get memory utilization: missing request for memory in container proxy of Pod ledger-7d5c-x2x9p',
          'failed to get cpu utilization: did not receive metrics for any ready pods',
        ),
      },
      confidence: 'certain',
    },
    'a target that is not there': {
      evidence: {
        'hpa.txt': describeHpa('the HPA controller was unable to get the target\'s current scale: deployments.apps "ledgre" not found'),
      },
      confidence: 'certain',
    },
    'two over the same pods': {
      evidence: { 'hpa.txt': describeHpa('pods by selector app=ledger are controlled by multiple HPAs: [books/ledger books/ledger-old]') },
      confidence: 'certain',
    },
    'a target without selector': {
      evidence: { 'hpa.txt': describeHpa("the HPA target's scale is missing a selector") },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the metrics API is down': {
      evidence: {
        'hpa.txt': describeHpa(
          'missing request for cpu',
          'unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)',
        ),
      },
      by: 'apiDown',
    },
    'it computes again': {
      evidence: {
        'hpa.txt': `${noRequest}Conditions:\n  Type            Status  Reason            Message\n  ScalingActive   True    ValidMetricFound  the HPA was able to successfully calculate a replica count from cpu resource utilization\n`,
      },
      by: 'scales',
    },
  },
  asks: {
    'the events of the autoscaler': {
      evidence: {
        'kcm.log':
          'E0304 08:10:57.118402       1 horizontal.go:275] failed to compute desired number of replicas based on listed metrics for Deployment/books/ledger: missing request for cpu\n',
      },
      for: 'object-events',
    },
  },
});
