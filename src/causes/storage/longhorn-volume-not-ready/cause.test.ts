import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason              Age               From                     Message
  ----     ------              ----              ----                     -------
  Normal   Scheduled           70s               default-scheduler        Successfully assigned shop/ledger-0 to plover-1
  Warning  FailedAttachVolume  6s (x8 over 70s)  attachdetach-controller  AttachVolume.Attach failed for volume "pvc-1f2e" : ${message}
`;
const unplaced =
  'rpc error: code = Internal desc = Bad response statusCode [500]. Status [500 Internal Server Error]. Body: [message=unable to attach volume pvc-1f2e to plover-1: volume pvc-1f2e not scheduled, code=Server Error, detail=] from [http://longhorn-backend:9500/v1/volumes/pvc-1f2e?action=attach]';
const loose = 'rpc error: code = Aborted desc = volume pvc-1f2e in state detached is not ready for workloads';
const manager =
  'time="2023-09-22T17:25:03Z" level=error msg="There\'s no available disk for replica pvc-1f2e-r-c7086eb6, size 1073741824"\n';

testCause(cause, {
  finds: {
    'it is not ready, and the message does not name it': {
      evidence: { 'describe.txt': events('rpc error: code = Aborted desc = volume is not ready for workloads') },
      confidence: 'possible',
    },
    'it does not attach in time': {
      evidence: {
        'describe.txt': events(
          'rpc error: code = DeadlineExceeded desc = volume pvc-1f2e failed to attach to node plover-1 with attachmentID csi-198f3029d0c1f4b3',
        ),
      },
      confidence: 'possible',
    },
    'replicas are not placed': {
      evidence: { 'describe.txt': events(unplaced) },
      confidence: 'certain',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the manager says why': { evidence: { 'manager.log': manager }, confidence: 'certain' },
    'newer managers': {
      evidence: {
        'manager.log':
          'time="2024-09-11T13:05:39Z" level=warning msg="Unable to create new replica pvc-1f2e-r-fe873977" error="No available disk candidates to create a new replica of size 2147483648" volume=pvc-1f2e\n',
      },
      confidence: 'certain',
    },
    'all replicas failed': {
      evidence: {
        'manager.log': 'time="2024-09-11T13:05:39Z" level=error msg="All replicas are failed, auto-salvage volume" volume=pvc-1f2e\n',
      },
      confidence: 'certain',
    },
    'the pod alone': { evidence: { 'describe.txt': events(loose) }, confidence: 'possible' },
  },
  rulesOut: {
    'the host does not reach the engine': {
      evidence: { 'describe.txt': events(`${unplaced} iscsiadm: cannot make connection to 10.4.3.55: No route to host`) },
      by: 'noSession',
    },
  },
  asks: { 'the log of the manager': { evidence: { 'describe.txt': events(loose) }, for: 'container-log' } },
});
