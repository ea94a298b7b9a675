import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (message: string) => `$ kubectl -n shop describe pvc ledger-data
Name:          ledger-data
Namespace:     shop
StorageClass:  fast-ceph
Status:        Pending
Events:
  Type     Reason              Age               From                                                         Message
  ----     ------              ----              ----                                                         -------
  Warning  ProvisioningFailed  9s (x6 over 41s)  rbd.csi.ceph.com_csi-rbdplugin-provisioner-7c9d-x2k4q_0a1b2c  ${message}
`;
const missing =
  'failed to provision volume with StorageClass "fast-ceph": rpc error: code = InvalidArgument desc = failed to fetch monitor list using clusterID (7d1f0c2e-heron): missing configuration for cluster ID "7d1f0c2e-heron"';

testCause(cause, {
  finds: {
    'a claim': { evidence: { 'pvc.txt': event(missing) }, confidence: 'certain', cites: ['pvc.txt:9'] },
    'in the log of an older driver': {
      evidence: {
        'csi.log':
          '$ kubectl logs csi-cephfsplugin-provisioner-0 -c csi-cephfsplugin\nE0304 08:10:57.261600       1 utils.go:163] ID: 35 Req-ID: pvc-3f88 GRPC error: rpc error: code = InvalidArgument desc = failed to fetch monitor list using clusterID (heron): missing configuration for cluster ID (heron)\n',
      },
      confidence: 'certain',
    },
    'at the mount': {
      evidence: {
        'events.txt':
          '$ kubectl -n shop get events\nLAST SEEN   TYPE      REASON        OBJECT         MESSAGE\n58s         Warning   FailedMount   pod/ledger-0   MountVolume.MountDevice failed for volume "pvc-1b2c" : rpc error: code = InvalidArgument desc = empty monitor list for cluster ID (heron) in config\n',
      },
      confidence: 'certain',
    },
    'no file': {
      evidence: {
        'csi.log':
          '$ kubectl logs csi-rbdplugin-x2k4q -c csi-rbdplugin\nE0304 08:10:57.261600       1 utils.go:163] ID: 3 GRPC error: rpc error: code = Internal desc = error fetching configuration for cluster ID "heron": open /etc/ceph-csi-config/config.json: no such file or directory\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'made since': {
      evidence: {
        'pvc.txt': `${event(missing)}  Normal   ProvisioningSucceeded  2s  rbd.csi.ceph.com  Successfully provisioned volume pvc-1b2c\n`,
      },
      by: 'made',
    },
  },
  asks: {
    'events of the claim': {
      evidence: {
        'csi.log':
          '$ kubectl logs csi-rbdplugin-provisioner-0 -c csi-rbdplugin\nE0304 08:10:57.261600       1 utils.go:163] ID: 35 GRPC error: rpc error: code = InvalidArgument desc = missing configuration for cluster ID "heron"\n',
      },
      for: 'object-events',
    },
  },
});
