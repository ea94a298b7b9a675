import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = `Events:
  Type     Reason       Age                 From               Message
  ----     ------       ----                ----               -------
  Normal   Scheduled    3m10s               default-scheduler  Successfully assigned shop/ledger-0 to plover-2
  Warning  FailedMount  8s (x9 over 2m59s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e3d4c" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.example.com not found in the list of registered CSI drivers
`;
const unmount = `Mar 04 08:10:57 plover-2 kubelet[1204]: E0304 08:10:57.331207    1204 nestedpendingoperations.go:348] Operation for "{volumeName:kubernetes.io/csi/disk.csi.example.com^vol-9 podName:5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11 nodeName:}" failed. No retries permitted until 2025-03-04 08:12:59.391919153 +0000 UTC m=+10744.364754873 (durationBeforeRetry 2m2s). Error: UnmountVolume.TearDown failed for volume "data" (UniqueName: "kubernetes.io/csi/disk.csi.example.com^vol-9") pod "5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11" (UID: "5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11") : kubernetes.io/csi: Unmounter.TearDownAt failed to get CSI client: driver name disk.csi.example.com not found in the list of registered CSI drivers
`;
const pods = `NAMESPACE     NAME              READY   STATUS             RESTARTS      AGE   IP          NODE
kube-system   disk-csi-x7k2p    2/3     CrashLoopBackOff   7 (33s ago)   14m   10.4.0.12   plover-2
shop          ledger-0          0/1     ContainerCreating  0             3m    <none>      plover-2
`;

testCause(cause, {
  finds: {
    'the node has no entry': {
      evidence: {
        'attacher.log':
          'I0304 08:10:51.524 1 csi_handler.go:524] CSINode plover-1 does not contain driver csi.shelf.example\nI0304 08:10:51.525 1 csi_handler.go:99] Error processing "csi-50": failed to attach: node "plover-1" has no NodeID annotation\n',
      },
      confidence: 'certain',
    },
    'nobody listens on its socket': {
      evidence: {
        'events.txt':
          'NAMESPACE   LAST SEEN   TYPE      REASON        OBJECT         MESSAGE\nshop        8s          Warning   FailedMount   pod/ledger-0   MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing dial unix /var/lib/kubelet/plugins/csi.shelf.example/csi.sock: connect: connection refused"\n',
      },
      confidence: 'certain',
    },
    'the attacher looks in vain': {
      evidence: {
        'paste.txt':
          'AttachVolume.Attach failed for volume "pvc-1f2e" : cannot find NodeID for driver "csi.shelf.example" for node "plover-1"\n',
      },
      confidence: 'possible',
    },
    'a volume cannot be mounted, the plugin crashes': {
      evidence: { 'describe.txt': events, 'pods.txt': pods },
      confidence: 'certain',
      place: 'node plover-2',
      cites: ['describe.txt:5', 'pods.txt:2'],
      victims: 1,
    },
    'a volume cannot be unmounted after a taint': {
      evidence: {
        'describe.txt': events,
        'kubelet.log': unmount,
        'node.txt':
          'Name:               plover-2\nRoles:              <none>\nTaints:             maintenance=yes:NoExecute\nUnschedulable:      false\nConditions:\n  Type    Status  LastHeartbeatTime                 LastTransitionTime                Reason        Message\n  ----    ------  -----------------                 ------------------                ------        -------\n  Ready   True    Tue, 04 Mar 2025 08:11:02 +0000   Tue, 04 Mar 2025 07:58:40 +0000   KubeletReady  kubelet is posting ready status\n',
      },
      confidence: 'certain',
      place: 'node plover-2',
      cites: ['kubelet.log:1', 'node.txt:3'],
    },
    'the journal alone, and a pod in Terminating': {
      evidence: {
        'kubelet.log': unmount,
        'pods.txt': pods.replace('ContainerCreating  0             3m ', 'Terminating        0             33m'),
      },
      confidence: 'certain',
      place: 'node plover-2',
      cites: ['kubelet.log:1', 'pods.txt:3'],
      victims: 1,
    },
  },
  rulesOut: {
    'the driver answers by now': {
      evidence: {
        'describe.txt': `${events}  Warning  FailedMount  2s  kubelet  MountVolume.MountDevice failed for volume "pvc-1f2e3d4c" : rpc error: code = Internal desc = mount failed: exit status 32\n`,
      },
      by: 'driverAnswers',
    },
  },
  asks: { 'the taints of the node': { evidence: { 'describe.txt': events }, for: 'node.taint' } },
});
