import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const byEnvironment = `Name:             ledger-api-6c9f7d5b8-x2k4p
Namespace:        billing
Node:             blue-2/10.20.0.12
Status:           Pending
Controlled By:    ReplicaSet/ledger-api-6c9f7d5b8
Containers:
  api:
    Image:          registry.example.net/ledger/api:4.1
    State:          Waiting
      Reason:       CreateContainerConfigError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age                 From               Message
  ----     ------     ----                ----               -------
  Normal   Scheduled  2m                  default-scheduler  Successfully assigned billing/ledger-api-6c9f7d5b8-x2k4p to blue-2
  Warning  Failed     8s (x9 over 2m)     kubelet            Error: configmap "ledger-settings" not found
`;

const mountEvents = (message: string) => `Events:
  Type     Reason       Age                From               Message
  ----     ------       ----               ----               -------
  Normal   Scheduled    3m                 default-scheduler  Successfully assigned billing/importer-0 to blue-2
  Warning  FailedMount  50s (x9 over 3m)   kubelet            ${message}
`;

const running = byEnvironment
  .replace('Pending', 'Running')
  .replace(
    'State:          Waiting\n      Reason:       CreateContainerConfigError\n    Ready:          False',
    'State:          Running\n      Started:      Mon, 02 Nov 2026 08:00:00 +0000\n    Ready:          True',
  )
  .concat(
    '  Normal   Created    4s                  kubelet            Created container api\n  Normal   Started    4s                  kubelet            Started container api\n',
  );

testCause(cause, {
  finds: {
    'as a volume': {
      evidence: { 'events.txt': mountEvents('MountVolume.SetUp failed for volume "rules" : configmap "import-rules" not found') },
      confidence: 'certain',
      place: 'StatefulSet billing/importer',
      cites: ['events.txt:5'],
    },
    'in the environment': {
      evidence: { 'describe.txt': byEnvironment },
      confidence: 'certain',
      place: 'Deployment billing/ledger-api',
      cites: ['describe.txt:17'],
      victims: 1,
    },
    'an old kubelet, plural': {
      evidence: { 'events.txt': mountEvents('MountVolume.SetUp failed for volume "rules" : configmaps "import-rules" not found') },
      confidence: 'certain',
    },
    "the kubelet's journal": {
      evidence: {
        'kubelet.log': `Nov 02 08:01:12 blue-2 kubelet[911]: E1102 08:01:12.447705     911 pod_workers.go:1301] "Error syncing pod, skipping" err="failed to \\"StartContainer\\" for \\"api\\" with CreateContainerConfigError: \\"configmap \\\\\\"ledger-settings\\\\\\" not found\\"" pod="billing/ledger-api-6c9f7d5b8-x2k4p" podUID="0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11"\n`,
      },
      confidence: 'certain',
      place: 'Deployment billing/ledger-api',
    },
    'the waiting message of an object': {
      evidence: {
        'pod.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'report-5', namespace: 'billing' },
          spec: { containers: [{ name: 'run', image: 'registry.example.net/report:2' }] },
          status: {
            phase: 'Pending',
            containerStatuses: [
              {
                name: 'run',
                ready: false,
                restartCount: 0,
                state: { waiting: { reason: 'CreateContainerConfigError', message: 'configmap "report-template" not found' } },
              },
            ],
          },
        }),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'an old complaint of a pod that runs now': { evidence: { 'describe.txt': running }, by: 'stuck' },
    'only a key is missing': {
      evidence: {
        'describe.txt': byEnvironment.replace(
          'configmap "ledger-settings" not found',
          "couldn't find key LOG_LEVEL in ConfigMap billing/ledger-settings",
        ),
      },
      by: 'key',
    },
  },
  asks: {
    'a listing alone': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                         READY   STATUS                       RESTARTS   AGE\nbilling     ledger-api-6c9f7d5b8-x2k4p   0/1     CreateContainerConfigError   0          5m\n',
      },
      for: 'pod-events',
    },
  },
});
