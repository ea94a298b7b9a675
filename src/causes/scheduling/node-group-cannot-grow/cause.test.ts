import { expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const autoscaler = (at: string, words: string) =>
  `$ kubectl -n kube-system logs deploy/cluster-autoscaler\nW0304 08:10:57.563382       1 ${at}] ${words}\n`;
const late = autoscaler('clusterstate.go:266', 'Scale-up timed out for node group workers-large after 15m5.500491908s');
const status = (lost: number) =>
  `Cluster-autoscaler status at 2025-03-04 08:10:57.316 +0000 UTC:\nCluster-wide:\n  Health:      Healthy (ready=6 unready=0 notStarted=0 longNotStarted=0 registered=6 longUnregistered=${lost})\n  ScaleUp:     InProgress (ready=6 registered=6)\n`;

testCause(cause, {
  finds: {
    'a size that the region does not have, said to whom nobody tells': {
      evidence: { 'note.txt': 'SkuNotAvailable: The requested VM size Standard_X9 is currently not available in location westeurope\n' },
      confidence: 'possible',
    },
    'a size that the region does not have': {
      evidence: {
        'log.txt':
          '$ kubectl -n kube-system logs cluster-autoscaler-5d8c7b6f9-x2k4m\nE0304 08:10:57.118204       1 azure_scale_set.go:180] Code="SkuNotAvailable" Message="The requested VM size Standard_X9 is currently not available in location \'westeurope\'."\n',
      },
      confidence: 'certain',
    },
    'at its maximum, in the words of old': {
      evidence: {
        'autoscaler.log':
          'I0304 08:10:57.945401       1 event.go:209] Event(v1.ObjectReference{Kind:"Pod", Namespace:"books", Name:"ledger-699d84fcc5-7c4pr"}): type: \'Normal\' reason: \'NotTriggerScaleUp\' pod didn\'t trigger scale-up (it wouldn\'t fit if a new node is added): 1 max limit reached\n',
      },
      confidence: 'possible',
    },
    'machines that did not come in time': { evidence: { 'autoscaler.log': late }, confidence: 'certain', cites: ['autoscaler.log:2'] },
    'a back-off after it': {
      evidence: {
        'autoscaler.log': `${late}W0304 08:11:01.422358       1 orchestrator.go:582] Node group workers-large is not ready for scaleup - backoff\n`,
      },
      confidence: 'certain',
    },
    'machines that never registered': { evidence: { 'status.txt': status(2) }, confidence: 'possible' },
    'a NodeClaim whose machine is no node': {
      evidence: {
        'claim.txt':
          'Status:\n  Conditions:\n    Last Transition Time:  2026-02-14T07:15:25Z\n    Message:               Node not registered with cluster\n    Reason:                NodeNotFound\n    Status:                Unknown\n    Type:                  Registered\n',
      },
      confidence: 'possible',
    },
    'no capacity in the zone': {
      evidence: {
        'autoscaler.log': autoscaler(
          'orchestrator.go:604',
          'Scale-up failed for group workers-gpu: Placeholder cannot be fulfilled: InsufficientInstanceCapacity: We currently do not have sufficient capacity in the zone',
        ),
      },
      confidence: 'certain',
    },
    'no such machines anywhere': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57Z","logger":"controller.nodeclaim.lifecycle","message":"insufficient capacity, all requested instance types were unavailable during launch","nodeclaim":"default-mf7bc"}\n',
      },
      confidence: 'certain',
    },
    'a quota of Google': {
      evidence: {
        'pod.txt':
          'Events:\n  Type     Reason         Age   From                Message\n  ----     ------         ----  ----                -------\n  Warning  FailedScaleUp  3m    cluster-autoscaler  Node scale up in zones europe-west4-a associated with this pod failed: GCE quota exceeded. Pod is at risk of not being scheduled.\n',
      },
      confidence: 'certain',
    },
    'selectors that find nothing': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57Z","logger":"controller","message":"Reconciler error","controller":"nodeclass.status","error":"no security groups exist given constraints"}\n',
      },
      confidence: 'certain',
    },
    'selectors that find nothing, in the words of an older Karpenter': {
      evidence: {
        'karpenter.log':
          '2024-03-04T08:10:57.118Z\tERROR\tcontroller.provisioning\tReconciler error\t{"commit": "5047f3c", "name": "default", "error": "no subnets matched selector map[karpenter.sh/discovery:orchard]"}\n',
      },
      confidence: 'certain',
    },
    'a pool that is not ready': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57Z","logger":"controller","message":"ignoring nodepool, not ready","controller":"provisioner","NodePool":{"name":"orchard"}}\n',
      },
      confidence: 'certain',
    },
    'no pool at all': {
      evidence: {
        'karpenter.log':
          '{"level":"INFO","time":"2025-03-04T08:10:57Z","logger":"controller","message":"no nodepools found","controller":"provisioner"}\n',
      },
      confidence: 'certain',
    },
    'a quota of the account': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57Z","logger":"controller","message":"failed launching nodeclaim","error":"launching nodeclaim, creating instance, with fleet error(s), VcpuLimitExceeded: You have requested more vCPU capacity than your current limit allows"}\n',
      },
      confidence: 'certain',
    },
    'the limits of a pool': {
      evidence: {
        'karpenter.log':
          '{"level":"ERROR","time":"2025-03-04T08:10:57Z","logger":"controller.provisioner","message":"Could not schedule pod, all available instance types exceed limits for nodepool: \\"default\\"","pod":"books/ledger-0"}\n',
      },
      confidence: 'certain',
    },
    'a group at its maximum': {
      evidence: {
        'pod.txt':
          "Events:\n  Type    Reason             Age   From                Message\n  ----    ------             ----  ----                -------\n  Normal  NotTriggerScaleUp  2m    cluster-autoscaler  pod didn't trigger scale-up: 1 max node group size reached\n",
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a right that is missing': {
      evidence: {
        'autoscaler.log': `${late}E0304 08:11:02.223450       1 orchestrator.go:604] Scale-up failed for group workers-large: AccessDenied: User: arn:aws:sts::111122223333:assumed-role/nodes/i-0 is not authorized to perform: autoscaling:SetDesiredCapacity\n`,
      },
      by: 'permission',
    },
  },
  asks: { 'the log of the autoscaler': { evidence: { 'status.txt': status(1) }, for: 'container-log' } },
});

it('says nothing of a group that is well', async () => {
  const { incidents } = await diagnose([{ name: 'status.txt', text: status(0) }], { causes: [cause] });
  expect(incidents).toEqual([]);
});
