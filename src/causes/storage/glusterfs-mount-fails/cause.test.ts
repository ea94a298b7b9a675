import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned shop/media-0 to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            MountVolume.SetUp failed for volume "glusterfsvol" : ${message}
`;
const frame =
  'mount failed: exit status 32 Mounting command: mount Mounting arguments: -t glusterfs -o log-level=ERROR 10.4.0.7:media /var/lib/kubelet/pods/5d0c/volumes/kubernetes.io~glusterfs/glusterfsvol Output: ';
const noClient = events(`${frame}mount: unknown filesystem type 'glusterfs'`);

testCause(cause, {
  finds: {
    'no client': {
      evidence: { 'describe.txt': noClient },
      confidence: 'certain',
      place: 'StatefulSet shop/media',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'no endpoints': { evidence: { 'describe.txt': events('endpoints "glusterfs-cluster" not found') }, confidence: 'certain' },
    'servers that do not answer': {
      evidence: {
        'describe.txt': events(`${frame}Mount failed. Please check the log file for more details. failed to fetch volume file (key:media)`),
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'mounted since': {
      evidence: {
        'describe.txt': noClient,
        'journal.txt':
          'Mar 04 08:10:57 plover-1 kubelet[1204]: I0304 08:10:57.000000    1204 operation_generator.go:1] MountVolume.SetUp succeeded for volume "glusterfsvol" pod "media-0"\n',
      },
      by: 'mounted',
    },
  },
  asks: {
    'the events, after a line of the kubelet': {
      evidence: { 'note.log': "Mar 04 08:10:57 plover-1 kubelet[1204]: Output: mount: unknown filesystem type 'glusterfs'\n" },
      for: 'pod-events',
    },
  },
});
