import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string, more = '') => `Events:
  Type     Reason              Age               From                     Message
  ----     ------              ----              ----                     -------
  Normal   Scheduled           9m                default-scheduler        Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedAttachVolume  6s (x4 over 8m)   attachdetach-controller  ${message}
${more}`;
const now =
  'AttachVolume.Attach failed for volume "pvc-1f2e" : timed out waiting for external-attacher of disk.csi.example.com CSI driver to attach volume vol-0a1b2c';

testCause(cause, {
  finds: {
    'the old attachment does not go': {
      evidence: {
        'events.txt':
          '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON               OBJECT         MESSAGE\n58s         Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "pvc-1b2c" : volume attachment is being deleted\n',
      },
      confidence: 'possible',
    },
    'the attacher does not answer': {
      evidence: { 'describe.txt': events(now) },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'older words': {
      evidence: { 'describe.txt': events('AttachVolume.Attach failed for volume "pvc-1f2e" : attachment timeout for volume vol-0a1b2c') },
      confidence: 'certain',
    },
    'the attacher has no right to say so': {
      evidence: {
        'attacher.log':
          'I0105 09:48:52.619306       1 csi_handler.go:231] Error processing "csi-dfc6": failed to mark as attached: volumeattachments.storage.k8s.io "csi-dfc6" is forbidden: User "system:serviceaccount:kube-system:csi-controller-sa" cannot patch resource "volumeattachments/status" in API group "storage.k8s.io" at the cluster scope\n',
      },
      confidence: 'certain',
    },
    'no attachment': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e" : volume vol-0a1b2c has GET error for volume attachment csi-9a8b: volumeattachments.storage.k8s.io "csi-9a8b" is forbidden: User "system:node:plover-1" cannot get resource',
        ),
      },
      confidence: 'certain',
    },
    'a node without a machine in a scale set': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e" : rpc error: code = NotFound desc = failed to get azure instance id for node "plover-1" (instance not found)',
        ),
      },
      confidence: 'certain',
    },
    'two machines of one name': {
      evidence: {
        'describe.txt': events('AttachVolume.Attach failed for volume "pvc-1f2e" : multiple results where only one expected'),
      },
      confidence: 'certain',
    },
    'a node without a machine': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e" : rpc error: code = Internal desc = failed to find VirtualMachine for node:"plover-1". Error: virtual machine wasn\'t found',
        ),
      },
      confidence: 'certain',
    },
    'the driver says why': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e" : rpc error: code = NotFound desc = disk vol-0a1b2c was not found',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'attached since': {
      evidence: {
        'describe.txt': events(
          now,
          '  Normal   SuccessfulAttachVolume  3s  attachdetach-controller  AttachVolume.Attach succeeded for volume "pvc-1f2e"\n',
        ),
      },
      by: 'attached',
    },
    'attached elsewhere': {
      evidence: {
        'describe.txt': events(
          now,
          '  Warning  FailedAttachVolume  3s  attachdetach-controller  Multi-Attach error for volume "pvc-1f2e" Volume is already exclusively attached to one node and can\'t be attached to another\n',
        ),
      },
      by: 'elsewhere',
    },
  },
  asks: { 'the log of the attacher': { evidence: { 'describe.txt': events(now) }, for: 'container-log' } },
});
