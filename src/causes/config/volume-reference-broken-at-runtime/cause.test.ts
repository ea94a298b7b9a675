import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (more = '') => `Name:           mapper-5c8d7f6b9-q7v2n
Namespace:      geo
Node:           alder-3/10.8.0.13
Status:         Pending
${more}Controlled By:  ReplicaSet/mapper-5c8d7f6b9
Containers:
  tiles:
    Image:          registry.example/geo/tiles:9
    State:          Waiting
      Reason:       CreateContainerConfigError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason       Age               From     Message
  ----     ------       ----              ----     -------
  Warning  FailedMount  50s               kubelet  Unable to attach or mount volumes: unmounted volumes=[cache], unattached volumes=[cache kube-api-access-2bq6d]: timed out waiting for the condition
  Warning  Failed       8s (x9 over 2m)   kubelet  Error: cannot find volume "cache" to mount into container "tiles"
`;
const journal = (message: string) =>
  `Nov 02 08:01:12 alder-3 kubelet[911]: E1102 08:01:12.447705     911 kubelet_pods.go:160] ${message}\n`;

testCause(cause, {
  finds: {
    'the event': {
      evidence: { 'describe.txt': described() },
      confidence: 'certain',
      place: 'Deployment geo/mapper',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'the journal, structured': {
      evidence: {
        'kubelet.log': journal(
          '"Mount cannot be satisfied for the container, because the volume is missing or the volume mounter (vol.Mounter) is nil" containerName="tiles" ok=false volumeMounter={"Name":"cache"}',
        ),
      },
      confidence: 'probable',
    },
    'the journal of the pod worker': {
      evidence: {
        'kubelet.log': journal(
          '"Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"tiles\\" with CreateContainerConfigError: \\"cannot find volume \\\\\\"cache\\\\\\" to mount into container \\\\\\"tiles\\\\\\"\\"" pod="geo/mapper-5c8d7f6b9-q7v2n" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11"',
        ),
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the pod is being deleted': {
      evidence: {
        'kubelet.log': `${journal('"SyncLoop DELETE" source="api" pods=["geo/mapper-5c8d7f6b9-q7v2n"]')}${journal(
          '"Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"tiles\\" with CreateContainerConfigError: \\"cannot find volume \\\\\\"cache\\\\\\" to mount into container \\\\\\"tiles\\\\\\"\\"" pod="geo/mapper-5c8d7f6b9-q7v2n" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11"',
        )}`,
      },
      by: 'deleting',
    },
    'a pod that terminates': {
      evidence: {
        'describe.txt': described().replace(
          'Status:         Pending',
          'Status:                    Terminating (lasts 3m)\nTermination Grace Period:  30s',
        ),
      },
      by: 'deleted',
    },
    'well by now': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                     READY   STATUS    RESTARTS   AGE\ngeo         mapper-5c8d7f6b9-q7v2n   1/1     Running   0          4m\n',
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT                       MESSAGE\ngeo         50m         Warning   Failed   pod/mapper-5c8d7f6b9-q7v2n   Error: cannot find volume "cache" to mount into container "tiles"\n',
      },
      by: 'well',
    },
  },
  asks: {
    'whether the pod still stands so': {
      evidence: { 'paste.txt': 'Error: cannot find volume "cache" to mount into container "tiles"\n' },
      for: 'pod-status',
    },
  },
});
