import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (rows: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    20m               default-scheduler  Successfully assigned shop/media-0 to plover-1
${rows}`;
const path = '/var/lib/kubelet/pods/5d0c2a54-8e0e-4c6f-9d25-0f6f6f6f0a11/volumes/kubernetes.io~csi/pvc-1f2e/mount';
const event = `  Warning  VolumePermissionChangeInProgress  12m  kubelet  Setting volume ownership for ${path} is taking longer than expected, consider using OnRootMismatch - https://kubernetes.io/docs/tasks/configure-pod-container/security-context/\n`;
const late =
  '  Warning  FailedMount  2m (x8 over 18m)  kubelet  Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[data kube-api-access-x]: timed out waiting for the condition\n';

testCause(cause, {
  finds: {
    'the kubelet says so': {
      evidence: { 'describe.txt': events(`${event}${late}`) },
      confidence: 'certain',
      place: 'StatefulSet shop/media',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'with a count of files': {
      evidence: {
        'describe.txt': events(`${event.replace(/is taking[^\n]*/, '').trimEnd()}, processed 1500000 files.\n${late}`),
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'mounting fails': {
      evidence: {
        'describe.txt': events(
          `${event}  Warning  FailedMount  6s  kubelet  MountVolume.SetUp failed for volume "media" : mount failed: exit status 32\n`,
        ),
      },
      by: 'mountFails',
    },
  },
  asks: {
    'the events, after a line of the kubelet': {
      evidence: {
        'note.log': `Mar 04 08:10:57 plover-1 kubelet[1204]: W0304 08:10:57.000000    1204 volume_linux.go:49] Setting volume ownership for ${path} is taking longer than expected, consider using OnRootMismatch\n`,
      },
      for: 'pod-events',
    },
  },
});
