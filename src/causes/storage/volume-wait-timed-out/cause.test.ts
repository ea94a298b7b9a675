import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (...messages: readonly string[]) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    9m                default-scheduler  Successfully assigned shop/ledger-0 to plover-1
${messages.map((message) => `  Warning  FailedMount  6s (x4 over 7m)   kubelet            ${message}\n`).join('')}`;
const waited =
  'Unable to attach or mount volumes: unmounted volumes=[records], unattached volumes=[kube-api-access-7kd2p records]: timed out waiting for the condition';

testCause(cause, {
  finds: {
    'the event alone': {
      evidence: { 'describe.txt': events(waited) },
      confidence: 'possible',
      place: 'StatefulSet shop/ledger',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'the message alone': { evidence: { 'paste.txt': `${waited}\n` }, confidence: 'possible' },
    'Kubernetes 1.12': {
      evidence: {
        'describe.txt': events(
          'Unable to mount volumes for pod "ledger-0_shop(5d0c)": timeout expired waiting for volumes to attach or mount for pod "shop"/"ledger-0". list of unmounted volumes=[records]. list of unattached volumes=[records default-token-2k9x1]',
        ),
      },
      confidence: 'possible',
    },
    'the kubelet of a newer version': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: E0304 08:10:57.000000    1204 pod_workers.go:1301] "Error syncing pod, skipping" err="unmounted volumes=[records], unattached volumes=[], failed to process volumes=[]: context deadline exceeded" pod="shop/ledger-0" podUID="5d0c"\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'another event names the reason': {
      evidence: {
        'describe.txt': events(
          waited,
          'MountVolume.MountDevice failed for volume "pvc-1f2e" : rpc error: code = Internal desc = the array says no',
        ),
      },
      by: 'reason',
    },
  },
  asks: { 'the other events': { evidence: { 'note.txt': `${waited}\n` }, for: 'pod-events' } },
});
