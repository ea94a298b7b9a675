import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const discover =
  '[pvc-1f2e-e-0] time="2026-01-26T10:40:35Z" level=warning msg="Failed to discover" func="iscsidev.(*Device).StartInitator" file="iscsi.go:161" error="failed to execute: /usr/bin/nsenter [nsenter --mount=/host/proc/11472/ns/mnt --net=/host/proc/11472/ns/net iscsiadm -m discovery -t sendtargets -p 10.4.3.55], output , stderr iscsiadm: cannot make connection to 10.4.3.55: No route to host\\niscsiadm: connection login retries (reopen_max) 5 exceeded\\niscsiadm: Could not perform SendTargets discovery: iSCSI PDU timed out\\n: exit status 11"\n';
const login =
  'time="2022-06-13T10:40:35Z" level=fatal msg="Error running start frontend: failed to login: Failed to execute: nsenter [--mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm -m node -T iqn.2019-10.io.longhorn:pvc-1f2e -p 10.4.3.55 --login], output Logging in to [iface: default, target: iqn.2019-10.io.longhorn:pvc-1f2e, portal: 10.4.3.55,3260], stderr, iscsiadm: Could not login to [iface: default, target: iqn.2019-10.io.longhorn:pvc-1f2e, portal: 10.4.3.55,3260].\\niscsiadm: initiator reported error (8 - connection timed out)"\n';
const events = `Events:
  Type     Reason              Age               From                     Message
  ----     ------              ----              ----                     -------
  Normal   Scheduled           70s               default-scheduler        Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedAttachVolume  6s (x8 over 70s)  attachdetach-controller  AttachVolume.Attach failed for volume "pvc-1f2e" : rpc error: code = Aborted desc = volume pvc-1f2e is not ready for workloads
`;
const slow =
  'time="2026-01-26T10:40:35Z" level=warning msg="timeout executing: nsenter [--mount=/host/proc/1/ns/mnt --net=/host/proc/1/ns/net iscsiadm -m node -T iqn.x -p 10.4.3.55 --login], output , stderr , error <nil>"\n';

testCause(cause, {
  finds: {
    'no route to the engine': {
      evidence: { 'instance-manager.log': discover },
      confidence: 'certain',
      cites: ['instance-manager.log:1'],
    },
    'a login that times out': { evidence: { 'engine.log': login, 'describe.txt': events }, confidence: 'certain' },
    'timeouts only': { evidence: { 'engine.log': slow }, confidence: 'possible' },
  },
  rulesOut: {
    'no daemon on the host': {
      evidence: {
        'engine.log': discover.replace('cannot make connection to 10.4.3.55: No route to host', 'can not connect to iSCSI daemon (111)!'),
      },
      by: 'noTool',
    },
  },
  asks: {
    'the log of the engine': {
      evidence: { 'describe.txt': events.replace('volume pvc-1f2e is not ready for workloads', slow.replace(/\n/g, '')) },
      for: 'container-log',
    },
  },
});
