import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `$ kubectl -n calico-system describe pod calico-node-7x2lq
Name:             calico-node-7x2lq
Namespace:        calico-system
Node:             alder/10.7.0.9
Status:           Pending
Events:
  Type     Reason       Age                From     Message
  ----     ------       ----               ----     -------
  Warning  FailedMount  8s (x4 over 55s)   kubelet  ${message}
`;
const flex = described(
  'MountVolume.SetUp failed for volume "flexvol-driver-host" : mkdir /usr/libexec/kubernetes/kubelet-plugins/volume/exec/nodeagent~uds: read-only file system',
);
const nodes = `$ kubectl get nodes -o wide
NAME    STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE         KERNEL-VERSION   CONTAINER-RUNTIME
alder   Ready    <none>   90d   v1.29.4   10.7.0.9      <none>        Talos (v1.7.0)   6.6.28-talos     containerd://1.7.15
`;

testCause(cause, {
  finds: {
    'a folder of /usr': {
      evidence: { 'pod.txt': flex, 'nodes.txt': nodes },
      confidence: 'certain',
      place: 'node alder',
      cites: ['pod.txt:9'],
    },
    'the folder of a hostPath volume, containerd': {
      evidence: {
        'pod.txt': described(
          'Error: failed to generate container "5102b7eb" spec: failed to generate spec: failed to mkdir "/etc/heron/state": mkdir /etc/heron: read-only file system',
        ).replace('FailedMount', 'Failed     '),
      },
      confidence: 'certain',
      place: 'node alder',
    },
    'the folder of a hostPath volume, Docker': {
      evidence: {
        'pod.txt': described(
          'Error: failed to start container "heron": Error response from daemon: error while creating mount source path \'/data/heron\': mkdir /data: read-only file system',
        ).replace('FailedMount', 'Failed     '),
      },
      confidence: 'certain',
    },
    'the event alone': { evidence: { 'pod.txt': flex }, confidence: 'certain', place: 'node alder' },
    'a tool that is not there': {
      evidence: {
        'log.txt':
          '$ kubectl -n longhorn-system logs env-check-7x2lq\nnsenter: failed to execute dmsetup: No such file or directory\ncp: cannot create regular file /usr/local/bin/x: Read-only file system\n',
        'driver.txt': '$ kubectl -n gpu logs nvidia-driver-7x2lq\nCould not resolve Linux kernel version\n',
        'nodes.txt': nodes,
        'os.txt': '[root@alder ~]# cat /etc/os-release\nNAME="Talos"\nID=talos\nVERSION_ID=v1.7.0\nPRETTY_NAME="Talos (v1.7.0)"\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the pod asked for it': {
      evidence: { 'pod.txt': `${flex}$ kubectl get pod x -o yaml\nsecurityContext:\n  readOnlyRootFilesystem: true\n` },
      by: 'ownRoot',
    },
    'a disk error': {
      evidence: {
        'pod.txt': flex,
        'kern.log': 'Mar 04 08:10:57 alder kernel: [91234.118402] EXT4-fs (vda1): Remounting filesystem read-only\n',
      },
      by: 'ioError',
    },
  },
  asks: { 'the system of the node': { evidence: { 'pod.txt': flex }, for: 'node.info' } },
});
