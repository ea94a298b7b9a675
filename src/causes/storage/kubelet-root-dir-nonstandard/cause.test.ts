import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string, more = '') => `Events:
  Type     Reason       Age               From               Message
  ----     ------       ----              ----               -------
  Normal   Scheduled    70s               default-scheduler  Successfully assigned stores/disk-csi-node-x2vkq to plover-1
  Warning  FailedMount  6s (x8 over 70s)  kubelet            ${message}
${more}`;
const missing =
  'MountVolume.SetUp failed for volume "registration-dir" : hostPath type check failed: /var/lib/kubelet/plugins_registry is not a directory';

testCause(cause, {
  finds: {
    'no plugins_registry': {
      evidence: { 'describe.txt': events(missing) },
      confidence: 'certain',
      cites: ['describe.txt:5'],
      victims: 1,
    },
    'set for microk8s, runs on another': {
      evidence: { 'describe.txt': events(missing.replace('/var/lib/kubelet', '/var/snap/microk8s/common/var/lib/kubelet')) },
      confidence: 'certain',
    },
    'a volume below a moved directory': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "pvc-1f2e" : rpc error: code = Internal desc = stat /var/lib/k0s/kubelet/plugins/kubernetes.io/csi/disk/globalmount: no such file or directory',
        ),
        'kubelet.txt':
          '$ ps -ef | grep kubelet\nroot 1204 1 2 08:00 ? 00:01:00 /usr/bin/kubelet --root-dir=/var/lib/k0s/kubelet --config=/var/lib/k0s/kubelet/config.yaml\n',
      },
      confidence: 'probable',
    },
    'mounted where the kubelet does not look': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "pvc-1f2e" : applyFSGroup failed for vol pvc-1f2e: lstat /var/snap/microk8s/common/var/lib/kubelet/pods/0f6e/volumes/kubernetes.io~csi/pvc-1f2e/mount: no such file or directory',
        ),
      },
      confidence: 'certain',
    },
    'mounted nowhere, below the usual directory': {
      evidence: {
        'describe.txt': events(
          'MountVolume.SetUp failed for volume "pvc-1f2e" : applyFSGroup failed for vol pvc-1f2e: lstat /var/lib/kubelet/pods/0f6e/volumes/kubernetes.io~csi/pvc-1f2e/mount: no such file or directory',
        ),
      },
      confidence: 'possible',
    },
    'the registrar waits': {
      evidence: {
        'registrar.log':
          "E0304 08:10:57.000000       1 main.go:150] Kubelet plugin registration hasn't succeeded yet, file=/var/lib/kubelet/plugins/disk.example.com/registration doesn't exist.\nE0304 08:10:58.000000       1 node_register.go:1] failed to listen on socket: /var/data/very/long/kubelet/plugins/disk.example.com/csi.sock with error: listen unix /var/data/very/long/kubelet/plugins/disk.example.com/csi.sock: bind: invalid argument\n",
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'another path is missing': {
      evidence: {
        'describe.txt': events(
          missing,
          '  Warning  FailedMount  6s  kubelet  MountVolume.SetUp failed for volume "dev" : hostPath type check failed: /etc/iscsi is not a directory\n',
        ),
      },
      by: 'otherPath',
    },
  },
  asks: { 'the settings of the kubelet': { evidence: { 'describe.txt': events(missing) }, for: 'kubelet-config' } },
});
