import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            ${message}
`;
const inTree =
  'MountVolume.WaitForAttach failed for volume "disk" : failed to get any path for iscsi disk, last err seen: iscsi: failed to sendtargets to portal 10.4.0.50:3260 output: , err exec: "iscsiadm": executable file not found in $PATH';
const daemon =
  'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = {"code":20,"stdout":"","stderr":"iscsiadm: can not connect to iSCSI daemon (111)!\\niscsiadm: Could not execute operation on all records: could not connect to iscsid"}';

testCause(cause, {
  finds: {
    'an old kubelet does not name the tool': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "kubernetes.io/iscsi/7cc1a7a1-disk" (spec.Name: "disk") pod "7cc1a7a1" (UID: "7cc1a7a1") with: executable file not found in $PATH',
        ),
      },
      confidence: 'certain',
    },
    'iscsid dies during the login': {
      evidence: {
        'kubelet.log': `Mar 04 08:10:57 plover-1 k3s[1346]: iscsi: failed to attach disk: Error: iscsiadm: read error (0/2), daemon died?
Mar 04 08:10:57 plover-1 k3s[1346]: iscsiadm: Could not login to [iface: default, target: iqn.2005-10.org.example:disk, portal: 10.4.0.50,3260].
Mar 04 08:10:57 plover-1 k3s[1346]: iscsiadm: initiator reported error (18 - could not communicate to iscsid)
`,
      },
      confidence: 'certain',
    },
    'the kubelet finds no iscsiadm': {
      evidence: { 'describe.txt': events(inTree) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'a driver in a chroot': {
      evidence: {
        'describe.txt': events(
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = {"code":127,"stdout":"","stderr":"chroot: failed to run command \'iscsiadm\': No such file or directory\\n","timeout":false}',
        ),
      },
      confidence: 'certain',
    },
    'a driver by nsenter': {
      evidence: {
        'describe.txt': events(
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = nsenter: failed to execute iscsiadm: No such file or directory',
        ),
        'host.txt': '[root@plover-1 ~]# which iscsiadm\n/usr/bin/which: no iscsiadm in (/usr/sbin:/usr/bin)\n',
      },
      confidence: 'certain',
      cites: ['host.txt:2'],
    },
    'the daemon does not run': {
      evidence: {
        'describe.txt': events(daemon),
        'host.txt':
          'plover-1 $ systemctl status iscsid\n● iscsid.service - iSCSI initiator daemon (iscsid)\n     Active: inactive (dead)\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'no initiator name': {
      evidence: { 'note.txt': 'iscsiadm: Cannot perform discovery. Initiatorname required.\n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the login fails': {
      evidence: {
        'describe.txt': `${events(daemon)}  Warning  FailedMount  3s  kubelet  MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = iscsiadm: Could not login to [iface: default, target: iqn.2005-10.org.example:disk, portal: 10.4.0.50,3260]. iscsiadm: initiator reported error (24 - iSCSI login failed due to authorization failure)\n`,
      },
      by: 'loggedIn',
    },
    'longhorn-manager checks its hosts': {
      evidence: {
        'manager.log':
          'time="2024-03-04T08:10:57Z" level=fatal msg="Error starting manager: Failed environment check, please make sure you have iscsiadm/open-iscsi installed on the host: exec: \\"iscsiadm\\": executable file not found in $PATH"\n',
      },
      by: 'longhorn',
    },
  },
  asks: { 'what the host has': { evidence: { 'describe.txt': events(inTree) }, for: 'host.tool' } },
});
