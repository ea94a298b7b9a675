import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const claim = (rows: string, status = 'Pending') => `$ kubectl -n shop describe pvc data-ledger-0
Name:          data-ledger-0
Namespace:     shop
StorageClass:  shelf
Status:        ${status}
Volume:
Used By:       ledger-0
Events:
  Type     Reason                Age                   From                              Message
  ----     ------                ----                  ----                              -------
${rows}`;
const row = (message: string) => `  Warning  ProvisioningFailed    8s (x9 over 10m)      shelf.example.com_ctl-0_1f2e      ${message}\n`;
const full = row('failed to provision volume with StorageClass "shelf": rpc error: code = ResourceExhausted desc = pool is full');

testCause(cause, {
  finds: {
    'a role without the right': {
      evidence: {
        'pvc.txt': claim(
          row(
            `failed to provision volume with StorageClass "shelf": rpc error: code = Internal desc = Retriable: false, HTTPStatusCode: 403, RawError: {"error":{"code":"LinkedAuthorizationFailed","message":"The client 'a' has permission to perform action 'Microsoft.Compute/disks/write' on scope '/x'; however, it does not have permission to perform action(s) 'Microsoft.Compute/diskEncryptionSets/read' on the linked scope(s) '/y'"}}`,
          ),
        ),
      },
      confidence: 'certain',
    },
    'a pool of ZFS without room': {
      evidence: {
        'zfs.log':
          "E0304 08:10:57.556587       1 zfs_util.go:135] zfs: could not create volume heron/pvc-1 cmd [create] error: cannot create 'heron/pvc-1': out of space\n",
      },
      confidence: 'probable',
    },
    'a fault of vCenter': {
      evidence: {
        'pvc.txt': claim(
          row(
            'failed to provision volume with StorageClass "shelf": rpc error: code = Internal desc = failed to create volume. Errors encountered: [failed to create volume with fault: "(*types.LocalizedMethodFault)(0xc0)({\\n Fault: (types.CnsFault) {\\n  Reason: (string) (len=85) \\"No compatible datastore found for storagePolicy: 0a1b\\"\\n }})"]',
          ),
        ),
      },
      confidence: 'certain',
    },
    'a volume group without room': {
      evidence: {
        'driver.log':
          'E0304 08:10:57.556587       1 lvm_util.go:135] lvm: could not create volume vg0/pvc-1f2e cmd [-L 80530636800b -n pvc-1f2e] error:   Volume group "vg0" has insufficient free space (12780 extents): 19200 required.\n',
      },
      confidence: 'probable',
    },
    'a pool on too few nodes': {
      evidence: {
        'driver.log':
          "E0304 08:10:57.556587       1 controller.go:957] CreateVolume failed for pvc-1f2e: Message: 'Not enough available nodes'; Details: 'Not enough nodes fulfilling the following auto-place criteria: has a deployed storage pool named heron'\n",
      },
      confidence: 'probable',
    },
    'a quota that is used up': {
      evidence: {
        'pvc.txt': claim(
          row(
            'Failed to provision volume with StorageClass "shelf": googleapi: Error 403: Quota \'SSD_TOTAL_GB\' exceeded.  Limit: 250.0 in region east., quotaExceeded',
          ),
        ),
      },
      confidence: 'certain',
    },
    'a program the provisioner does not have': {
      evidence: {
        'pvc.txt': claim(
          row(
            'Failed to provision volume with StorageClass "shelf": failed to create rbd image: executable file not found in $PATH, command output: ',
          ),
        ),
      },
      confidence: 'certain',
    },
    'the helper of a local provisioner does not end': {
      evidence: { 'pvc.txt': claim(row('create process timeout after 120 seconds')) },
      confidence: 'probable',
    },
    'the storage is full': {
      evidence: { 'pvc.txt': claim(full) },
      confidence: 'certain',
      place: 'namespace shop',
      cites: ['pvc.txt:11'],
    },
    'rights are missing, in-tree words': {
      evidence: {
        'pvc.txt': claim(
          row(
            `Failed to provision volume with StorageClass "shelf": Couldn't create secret secrets is forbidden: User "system:serviceaccount:kube-system:persistent-volume-binder" cannot create secrets in the namespace "shop"`,
          ),
        ),
      },
      confidence: 'certain',
    },
    'an event alone': {
      evidence: {
        'events.txt': `Events:\n  Type     Reason                Age   From   Message\n  ----     ------   ----  ----  -------\n${full}`,
      },
      confidence: 'probable',
    },
    'an old provisioner': {
      evidence: {
        'provisioner.log':
          'E0304 08:10:57.000000       1 controller.go:1004] provision "shop/data-ledger-0" class "shelf": unexpected error getting claim reference: selfLink was empty, can\'t make reference\n',
      },
      confidence: 'probable',
    },
    'no topology': {
      evidence: { 'pvc.txt': claim(row('error generating accessibility requirements: no topology key found on CSINode plover-1')) },
      confidence: 'probable',
    },
    'a cloud disk is not made': {
      evidence: {
        'ctl.log':
          'E0304 08:10:57.000000       1 driver.go:1] Could not create volume "pvc-1f2e": could not create volume in EC2: operation error\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'the pod waits for memory': {
      evidence: {
        'cluster/pods/logs/shop/shelf-provisioner-0/provisioner.log':
          'E0304 08:10:57.000000       1 controller.go:1] failed to provision volume with StorageClass "shelf": rpc error: code = Internal desc = odd\n',
        'pods.txt':
          'NAMESPACE   NAME       READY   STATUS    RESTARTS   AGE   IP       NODE\nshop        ledger-0   0/1     Pending   0          10m   <none>   <none>\n',
        'events.txt': `$ kubectl -n shop get events
LAST SEEN   TYPE      REASON                 OBJECT                                MESSAGE
9s          Warning   FailedScheduling       pod/ledger-0                          0/3 nodes are available: 3 Insufficient memory.
`,
      },
      by: 'otherReason',
    },

    'made since': {
      evidence: {
        'pvc.txt': claim(
          `${full}  Normal   ProvisioningSucceeded  2s  shelf.example.com_ctl-0_1f2e  Successfully provisioned volume pvc-1f2e\n`,
        ),
      },
      by: 'made',
    },
    'bound since': { evidence: { 'pvc.txt': claim(full, 'Bound') }, by: 'bound' },
  },
  asks: {
    'the claim': {
      evidence: {
        'ctl.log': `E0304 08:10:57.000000       1 controller.go:1] failed to provision volume with StorageClass "shelf": rpc error: code = Internal desc = odd\n`,
      },
      for: 'object.status',
    },
  },
});
