import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const output =
  'Output: Failed to locate an available port in the range [20049, 20449], try specifying a different port range in /etc/amazon/efs/efs-utils.conf';
const describe = (more = '') => `Events:
  Type     Reason       Age               From     Message
  ----     ------       ----              ----     -------
  Warning  FailedMount  7s (x3 over 4m)   kubelet  MountVolume.SetUp failed for volume "heron-media" : rpc error: code = Internal desc = Could not mount "fs-0a1b2c3d:/" at "/var/lib/kubelet/pods/1f2e/volumes/kubernetes.io~csi/heron-media/mount": mount failed: exit status 1
Mounting command: mount
Mounting arguments: -t efs -o tls fs-0a1b2c3d:/ /var/lib/kubelet/pods/1f2e/volumes/kubernetes.io~csi/heron-media/mount
${output}
${more}`;

testCause(cause, {
  finds: {
    'the events of a pod': { evidence: { 'describe.txt': describe() }, confidence: 'certain' },
    'with its claim': {
      evidence: {
        'note.txt': `${output}\n`,
        'pod.yaml':
          'apiVersion: v1\nkind: Pod\nmetadata:\n  name: heron-0\n  namespace: shop\nspec:\n  containers:\n  - name: media\n    image: media:1\n  volumes:\n  - name: data\n    persistentVolumeClaim:\n      claimName: heron-media\n',
      },
      confidence: 'certain',
    },
    'one line': { evidence: { 'note.txt': `${output}\n` }, confidence: 'certain' },
  },
  rulesOut: {
    'it was mounted since': {
      evidence: { 'describe.txt': describe('  Normal   Started      2s                kubelet  Started container media\n') },
      by: 'started',
    },
  },
  asks: { 'what the pod mounts': { evidence: { 'describe.txt': describe() }, for: 'pod.volume' } },
});
