import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

function podYaml(finalizer: string, state = 'terminated:\n        exitCode: 0\n        reason: Completed'): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: exporter-0
  namespace: metrics
  creationTimestamp: "2025-06-11T06:10:00Z"
  deletionTimestamp: "2025-06-11T07:10:00Z"
  deletionGracePeriodSeconds: 30
  finalizers:
  - ${finalizer}
spec:
  nodeName: worker-3
  containers:
  - name: exporter
    image: registry.example/exporter:1
status:
  phase: Running
  containerStatuses:
  - name: exporter
    ready: false
    restartCount: 0
    state:
      ${state}
`;
}

const namespaceYaml = `apiVersion: v1
kind: Namespace
metadata:
  name: legacy
  deletionTimestamp: "2025-06-11T07:10:00Z"
spec:
  finalizers:
  - kubernetes
status:
  conditions:
  - lastTransitionTime: "2025-06-11T07:10:09Z"
    message: 'Some resources are remaining: widgets.example.com has 2 resource instances'
    reason: SomeResourcesRemain
    status: "True"
    type: NamespaceContentRemaining
  - lastTransitionTime: "2025-06-11T07:10:09Z"
    message: 'Some content in the namespace has finalizers remaining: widget.example.com/cleanup in 2 resource instances'
    reason: SomeFinalizersRemain
    status: "True"
    type: NamespaceFinalizersRemaining
  phase: Terminating
`;

const events = `$ kubectl describe pod exporter-0 -n metrics
Events:
  Type     Reason         Age               From     Message
  ----     ------         ----              ----     -------
  Warning  FailedKillPod  8s (x9 over 12m)  kubelet  error killing pod: failed to "KillContainer" for "exporter" with KillContainerError: "rpc error: code = Unknown desc = failed to kill container"
`;
const quiet = `$ kubectl describe pod exporter-0 -n metrics
Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Normal   Killing  12m   kubelet  Stopping container exporter
`;

testCause(cause, {
  finds: {
    'a pod whose containers are gone': {
      evidence: { 'pod.yaml': podYaml('backup.example.com/flush'), 'events.txt': quiet },
      confidence: 'certain',
      place: 'pod metrics/exporter-0',
      cites: ['pod.yaml:7'],
      victims: 1,
    },
    'a definition that waits for its objects': {
      evidence: {
        'crd.txt':
          '$ kubectl describe crd/carts.shop.example.org\nName:         carts.shop.example.org\nAPI Version:  apiextensions.k8s.io/v1\nKind:         CustomResourceDefinition\nMetadata:\n  Deletion Timestamp:  2026-03-04T08:10:57Z\n  Finalizers:\n    customresourcecleanup.apiextensions.k8s.io\nStatus:\n  Conditions:\n    Message:  CustomResource deletion is in progress\n    Reason:   InstanceDeletionInProgress\n    Status:   True\n    Type:     Terminating\n',
      },
      confidence: 'possible',
    },
    'a namespace that waits for custom resources': { evidence: { 'namespace.yaml': namespaceYaml }, confidence: 'probable' },
  },
  rulesOut: {
    'the runtime cannot stop it': { evidence: { 'pod.yaml': podYaml('backup.example.com/flush'), 'events.txt': events }, by: 'cannotStop' },
    'it still runs': {
      evidence: { 'pod.yaml': podYaml('backup.example.com/flush', 'running:\n        startedAt: "2025-06-11T06:10:05Z"') },
      by: 'stillRuns',
    },
  },
  asks: {
    'whether it can be stopped': { evidence: { 'pod.yaml': podYaml('backup.example.com/flush') }, for: 'pod-events' },
  },
});

it('takes the finalizers of Kubernetes itself for ordinary', async () => {
  const { incidents } = await diagnose([{ name: 'pod.yaml', text: podYaml('batch.kubernetes.io/job-tracking') }], { causes: [cause] });
  expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
});

it('names the finalizer in its title', async () => {
  const { incidents } = await diagnose([{ name: 'namespace.yaml', text: namespaceYaml }], { causes: [cause] });
  expect(incidents[0]?.title).toBe(
    'namespace legacy cannot go: the finalizer widget.example.com/cleanup is still on 2 objects in it (widgets.example.com)',
  );
});
