import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string, more = '') => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = ${message}
${more}`;
const ebs = 'Failed to find device path /dev/xvdba. no device path for device "/dev/xvdba" volume "vol-0a1b" found!';

testCause(cause, {
  finds: {
    'not under its serial number': {
      evidence: {
        'describe.txt': events(
          "NodeStageVolume: ADController Enabled, but disk d-2zeh can't be found: disk attached but not found by serial 2zeh3k1qk5xw",
        ),
      },
      confidence: 'certain',
    },
    'attached, but not under its id': {
      evidence: { 'describe.txt': events('disk: 0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e not attached to node') },
      confidence: 'certain',
    },
    'not under its number': {
      evidence: { 'describe.txt': events('azureDisk - findDiskByLun(0) failed with error(could not find disk id for lun: 0)') },
      confidence: 'certain',
    },
    'a cloud disk': {
      evidence: { 'describe.txt': events(ebs) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'an array on the network': {
      evidence: {
        'describe.txt': events('Error creating device for volume 0b1c, err: device not found with serial 0b1c2d3e4f5a or target'),
      },
      confidence: 'certain',
    },
    'another cloud': {
      evidence: { 'describe.txt': events('failed to find device path /dev/disk/by-id/virtio-1f2e') },
      confidence: 'certain',
    },
    vSphere: {
      evidence: {
        'describe.txt': events('disk: 6000c29 not attached to vm: plover-1'),
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.000000    1204 x.go:1] disk UUID is not enabled, set disk.EnableUUID\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'not attached at all': {
      evidence: {
        'describe.txt': events(
          ebs,
          '  Warning  FailedAttachVolume  3s  attachdetach-controller  AttachVolume.Attach failed for volume "pvc-1f2e" : rpc error: code = Internal desc = throttled\n',
        ),
      },
      by: 'notAttached',
    },
  },
  asks: {
    'the events, after a line of the driver': {
      evidence: { 'plugin.log': `E0304 08:10:57.000000       1 driver.go:1] ${ebs}\n` },
      for: 'pod-events',
    },
  },
});
