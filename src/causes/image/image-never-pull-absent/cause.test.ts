import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason             Age               From               Message
  ----     ------             ----              ----               -------
  Normal   Scheduled          5m                default-scheduler  Successfully assigned dev/probe-84b6c7d9f-p9x2v to kind-worker
  Warning  ErrImageNeverPull  9s (x9 over 5m)   kubelet            ${message}
  Warning  Failed             9s (x9 over 5m)   kubelet            Error: ErrImageNeverPull
`;
const absent = events('Container image "probe:dev" is not present with pull policy of Never');
const pods = (state: string) => `NAMESPACE   NAME                    READY   STATUS    RESTARTS   AGE
dev         probe-84b6c7d9f-p9x2v   ${state}   0          7m
`;

testCause(cause, {
  finds: {
    'the event': {
      evidence: { 'events.txt': absent },
      confidence: 'certain',
      place: 'Deployment dev/probe',
      cites: ['events.txt:5'],
      victims: 1,
    },
    'the listing alone': {
      evidence: { 'pods.txt': pods('0/1     ErrImageNeverPull') },
      confidence: 'certain',
      place: 'Deployment dev/probe',
      cites: ['pods.txt:2'],
    },
    'an init container': { evidence: { 'pods.txt': pods('0/1     Init:ErrImageNeverPull') }, confidence: 'certain' },
    "the kubelet's journal": {
      evidence: {
        'kubelet.log': `Nov 02 08:01:12 kind-worker kubelet[911]: E1102 08:01:12.447705     911 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"probe\\" with ErrImageNeverPull: \\"Container image \\\\\\"probe:dev\\\\\\" is not present with pull policy of Never\\"" pod="dev/probe-84b6c7d9f-p9x2v" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f13"\n`,
      },
      confidence: 'certain',
      place: 'Deployment dev/probe',
    },
  },
  rulesOut: {
    'loaded since': { evidence: { 'pods.txt': pods('1/1     Running'), 'events.txt': absent }, by: 'stuck' },
    'a pull was tried': {
      evidence: {
        'pods.txt': pods('0/1     ErrImagePull'),
        'events.txt': events('x').replace(
          /ErrImageNeverPull {2}9s .*x$/m,
          'Failed  9s (x9 over 5m)  kubelet  Failed to pull image "probe:dev": rpc error: code = Unknown desc = pull access denied',
        ),
      },
      by: 'pull',
    },
  },
  asks: { 'which image': { evidence: { 'pods.txt': pods('0/1     ErrImageNeverPull') }, for: 'pod-events' } },
});
