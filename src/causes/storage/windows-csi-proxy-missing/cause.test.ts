import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const driver =
  'E0302 10:11:12.118402       1 node.go:50] NewProxyMounterV1 failed to connect to csi-proxy v1 with error=open \\\\.\\\\pipe\\\\csi-proxy-filesystem-v1: The system cannot find the file specified.\n';

testCause(cause, {
  finds: {
    'the driver says so': { evidence: { 'driver.log': driver }, confidence: 'certain' },
    'the event of a pod': {
      evidence: {
        'events.txt':
          '  Warning  FailedMount  2m  kubelet  MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing open \\\\.\\pipe\\csi-proxy-disk-v1: The system cannot find the file specified."\n',
      },
      confidence: 'certain',
    },
    'on a node that is Windows': {
      evidence: {
        'driver.log': driver,
        'nodes.txt': `$ kubectl get nodes -o wide
NAME    STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE                         KERNEL-VERSION     CONTAINER-RUNTIME
elm-w   Ready    <none>   30d   v1.31.4   10.8.0.9      <none>        Windows Server 2022 Datacenter   10.0.20348.2402    containerd://1.7.20
`,
      },
      confidence: 'certain',
    },
    'no pipe named': {
      evidence: { 'driver.log': 'F0302 10:11:12.118402       1 main.go:50] failed to connect to csi-proxy\n' },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'it is connected': {
      evidence: {
        'driver.log': `${driver}I0302 10:12:12.118402       1 node.go:60] using CSIProxyMounterV1, API Versions filesystem: v1, disk: v1\n`,
      },
      by: 'connected',
    },
  },
  asks: {
    'the log of the driver': {
      evidence: {
        'events.txt': '  Warning  FailedMount  2m  kubelet  MountVolume.SetUp failed for volume "pvc-1" : failed to connect to csi-proxy\n',
      },
      for: 'container-log',
    },
  },
});
