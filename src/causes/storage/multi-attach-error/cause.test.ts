import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason              Age   From                     Message
  ----     ------              ----  ----                     -------
  Normal   Scheduled           4m    default-scheduler        Successfully assigned shop/ledger-6c5d9f7b84-x2vkq to plover-2
  Warning  FailedAttachVolume  4m    attachdetach-controller  ${message}
`;
const exclusive = `Multi-Attach error for volume "pvc-1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b" Volume is already exclusively attached to one node and can't be attached to another`;
const pods = `NAMESPACE   NAME                      READY   STATUS              RESTARTS   AGE   IP          NODE
shop        ledger-6c5d9f7b84-b8m4z   1/1     Terminating         0          9d    10.4.2.7    plover-1
shop        ledger-6c5d9f7b84-x2vkq   0/1     ContainerCreating   0          4m    <none>      plover-2
`;

testCause(cause, {
  finds: {
    'in the words of Longhorn': {
      evidence: {
        'events.txt':
          '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON               OBJECT         MESSAGE\n58s         Warning   FailedAttachVolume   pod/ledger-0   AttachVolume.Attach failed for volume "ledger" : rpc error: code = FailedPrecondition desc = The volume ledger cannot be attached to the node plover-2 since it is already attached to the node plover-1\n',
      },
      confidence: 'certain',
    },
    'in the words of a small provider': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = failed to publish volume: volume is already attached to a server, please detach it first (service_error)',
        ),
      },
      confidence: 'certain',
    },
    'in the words of OpenStack': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = Invalid volume: Volume 0a1b status must be available or downloading to reserve, but the current status is in-use',
        ),
      },
      confidence: 'certain',
    },
    'a driver that names the other node': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = volume pvc-1f2e3d4c failed to attach to node plover-2 with attachmentID csi-a782: the volume is currently attached to different node plover-1',
        ),
      },
      confidence: 'certain',
    },
    'Azure still detaches it': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Unknown desc = Attach volume disks/ledger to instance plover-2 failed with Status=409 Code="AttachDiskWhileBeingDetached" Message="Cannot attach data disk to VM because the disk is currently being detached"',
        ),
      },
      confidence: 'certain',
    },
    'Azure names the node': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = disk(/subscriptions/x/disks/ledger) already attached to node(/subscriptions/x/virtualMachines/plover-1), could not be attached to node(plover-2)',
        ),
      },
      confidence: 'certain',
    },
    'AWS, volume in use': {
      evidence: {
        'describe.txt': events(
          'AttachVolume.Attach failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = Could not attach volume "vol-0a1b2c" to node "i-0a1b": VolumeInUse: vol-0a1b2c is already attached to an instance',
        ),
      },
      confidence: 'certain',
    },
    'attached to another node, the old pod hangs': {
      evidence: { 'describe.txt': events(exclusive), 'pods.txt': pods },
      confidence: 'certain',
      place: 'Deployment shop/ledger',
      cites: ['describe.txt:5', 'pods.txt:2'],
      victims: 1,
    },
    'used by a named pod': {
      evidence: {
        'describe.txt': events('Multi-Attach error for volume "pvc-1f2e3d4c" Volume is already used by pod(s) ledger-6c5d9f7b84-b8m4z'),
      },
      confidence: 'certain',
      place: 'Deployment shop/ledger',
    },
    'in a listing of events': {
      evidence: {
        'events.txt': `$ kubectl -n shop get events
LAST SEEN   TYPE      REASON               OBJECT                        MESSAGE
4m12s       Warning   FailedAttachVolume   pod/ledger-6c5d9f7b84-x2vkq   ${exclusive}
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'it came free and the pod started': {
      evidence: {
        'describe.txt': `${events(exclusive)}  Normal   SuccessfulAttachVolume  60s  attachdetach-controller  AttachVolume.Attach succeeded for volume "pvc-1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b"
  Normal   Pulled   50s  kubelet  Container image "registry.example/ledger:2" already present on machine
  Normal   Started  49s  kubelet  Started container ledger
`,
      },
      by: 'started',
    },
  },
  asks: {
    'the state of the pods': { evidence: { 'describe.txt': events(exclusive) }, for: 'pod-status' },
  },
});
