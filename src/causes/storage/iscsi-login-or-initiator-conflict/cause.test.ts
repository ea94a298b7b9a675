import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            ${message}
`;
const chap =
  'MountVolume.WaitForAttach failed for volume "disk" : failed to get any path for iscsi disk, last err seen: iscsi: failed to attach disk: Error: iscsiadm: Could not login to [iface: default, target: iqn.2005-10.org.example:disk, portal: 10.4.0.50,3260]. iscsiadm: initiator reported error (24 - iSCSI login failed due to authorization failure) iscsiadm: Could not log into all portals (exit status 24)';
const login = 'iscsiadm: Could not login to [iface: default, target: iqn.2005-10.org.example:disk, portal: 10.4.0.50,3260].';

testCause(cause, {
  finds: {
    'the target refuses': {
      evidence: { 'describe.txt': events(chap) },
      confidence: 'certain',
      place: 'node plover-1',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the portal is out of reach': {
      evidence: { 'note.txt': 'iscsiadm: cannot make connection to 10.4.0.50: Connection refused\n' },
      confidence: 'certain',
    },
    'the daemon tells of a rejected login': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 plover-1 iscsid[812]: iscsid: conn 0 login rejected: initiator failed authorization with target\nMar 04 08:10:58 plover-1 iscsid[812]: iscsid: Kernel reported iSCSI connection 1:0 error (1020 - ISCSI_ERR_TCP_CONN_CLOSE: TCP connection closed) state (3)\n',
      },
      confidence: 'certain',
      place: 'node plover-1',
    },
    'no such target': {
      evidence: {
        'describe.txt': events(
          'MountVolume.WaitForAttach failed for volume "disk" : iscsi: failed to sendtargets to portal 10.4.0.50:3260 output: iscsiadm: No portals found, err exit status 21',
        ),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a target of Longhorn': {
      evidence: { 'describe.txt': events(chap.replace('iqn.2005-10.org.example:disk', 'iqn.2019-10.io.longhorn:pvc-1f2e')) },
      by: 'longhorn',
    },
    'the daemon does not run': {
      evidence: { 'host.txt': `${login}\niscsiadm: can not connect to iSCSI daemon (111)!\n` },
      by: 'noDaemon',
    },
  },
  asks: { 'the journal of the node': { evidence: { 'describe.txt': events(chap) }, for: 'system-log' } },
});
