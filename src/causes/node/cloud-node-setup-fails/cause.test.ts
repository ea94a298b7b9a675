import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const ended = (status: number) => `[admin@desk ~]$ az aks nodepool add -g rg-oak --cluster-name oak -n pool2
(VMExtensionProvisioningError) VM has reported a failure when processing extension 'vmssCSE'. Error message: "Enable failed: failed to execute command: command terminated with exit status=${status}
`;
const nodeadm =
  'Mar 04 08:10:57 ip-10-0-1-98 nodeadm[1614]: {"level":"fatal","ts":1741075857.1,"caller":"nodeadm/main.go:36","msg":"Command failed","error":"operation error EC2: DescribeInstances, exceeded maximum number of attempts, 16, https response error StatusCode: 0, RequestID: , request send failed, Post \\"https://ec2.eu-west-1.amazonaws.com/\\": dial tcp 192.0.2.4:443: i/o timeout"}\n';

testCause(cause, {
  finds: {
    'the pause image is not fetched at boot (EKS)': {
      evidence: {
        'journal.txt':
          'Jun 05 07:21:03 oak-1 pull-sandbox-image.sh[1177]: Unable to locate credentials. You can configure credentials by running "aws configure".\nJun 05 07:21:03 oak-1 systemd[1]: Failed to start pull sandbox image defined in containerd config.toml.\nJun 05 07:21:03 oak-1 systemd[1]: Dependency failed for Kubernetes Kubelet.\n',
      },
      confidence: 'certain',
    },
    'no way out': { evidence: { 'error.txt': ended(50) }, confidence: 'certain' },
    'no such name': {
      evidence: {
        'error.txt':
          'Code: K8SAPIServerDNSLookupFailVMExtensionError\nMessage: Agents are unable to resolve Kubernetes API server name. It is likely custom DNS server is not correctly configured\n',
      },
      confidence: 'certain',
    },
    'only that the time was up': { evidence: { 'error.txt': ended(124) }, confidence: 'possible' },
    'EC2 does not answer': { evidence: { 'journal.txt': nodeadm }, confidence: 'certain' },
    'EKS waits in vain': {
      evidence: {
        'terraform.txt':
          "Error: waiting for EKS Node Group (elm:workers) create: unexpected state 'CREATE_FAILED', wanted target 'ACTIVE'. last error: i-0a1b2c3d4e5f: NodeCreationFailure: Instances failed to join the kubernetes cluster\n",
      },
      confidence: 'possible',
    },
    'no such cluster': {
      evidence: {
        'journal.txt':
          'Mar 04 08:10:57 ip-10-0-1-98 nodeadm[1614]: {"level":"fatal","msg":"Command failed","error":"operation error EKS: DescribeCluster, ResourceNotFoundException: No cluster found for name: elm."}\n',
      },
      confidence: 'possible',
    },
    'GKE counts': {
      evidence: {
        'error.txt':
          'ERROR: (gcloud.container.clusters.create) Operation finished with error: All cluster resources were brought up, but: only 0 nodes out of 3 have registered; this is likely due to Nodes failing to start correctly; check VM Serial logs for errors.\n',
      },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'a permission is missing': {
      evidence: {
        'journal.txt': `${nodeadm}Mar 04 08:11:57 ip-10-0-1-98 nodeadm[1614]: api error UnauthorizedOperation: You are not authorized to perform this operation\n`,
      },
      by: 'denied',
    },
    'it joined in the end': {
      evidence: {
        'journal.txt': `${nodeadm}Mar 04 08:12:57 ip-10-0-1-98 kubelet[2107]: I0304 08:12:57.118402    2107 kubelet_node_status.go:76] "Successfully registered node" node="ip-10-0-1-98"\n`,
      },
      by: 'joined',
    },
  },
  asks: { 'the journal of the machine': { evidence: { 'error.txt': ended(50) }, for: 'system-log' } },
});
