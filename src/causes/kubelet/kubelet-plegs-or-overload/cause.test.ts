import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const kubelet = (message: string) => `Mar 04 08:10:57 alder kubelet[901]: E0304 08:10:57.118402     901 generic.go:256] ${message}\n`;
const large = kubelet(
  '"GenericPLEG: Unable to retrieve pods" err="rpc error: code = ResourceExhausted desc = grpc: trying to send message larger than max (16801221 vs. 16777216)"',
);
const unhealthy = kubelet(
  '"Skipping pod synchronization" err="PLEG is not healthy: pleg was last seen active 3m12.4s ago; threshold is 3m0s"',
);

testCause(cause, {
  finds: {
    'the list does not fit a message': {
      evidence: { 'kubelet.log': large },
      confidence: 'certain',
      place: 'node alder',
      cites: ['kubelet.log:1'],
    },
    'crictl fails for the same reason': {
      evidence: {
        'host.txt':
          '[root@alder ~]# crictl pods\nFATA[0002] listing pod sandboxes: rpc error: code = ResourceExhausted desc = grpc: trying to send message larger than max (16793177 vs. 16777216)\n',
      },
      confidence: 'certain',
    },
    'slow rounds on a crowded node': {
      evidence: {
        'kubelet.log':
          unhealthy +
          kubelet('"Housekeeping took longer than expected" err="housekeeping took too long" expected="1s" actual="6.214s"') +
          kubelet('fsHandler: du and find on following dirs took longer than expected to scan') +
          kubelet('GenericPLEG: relisting is slow: relist took 48s'),
        'config.yaml': 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\nmaxPods: 500\n',
        'nodes.txt': '$ kubectl get nodes\nNAME    STATUS     ROLES    AGE   VERSION\nalder   NotReady   <none>   90d   v1.29.4\n',
      },
      confidence: 'probable',
      place: 'node alder',
    },
  },
  rulesOut: {
    'the runtime does not answer': {
      evidence: {
        'kubelet.log':
          unhealthy +
          kubelet(
            '"ListPodSandbox with filter from runtime service failed" err="rpc error: code = DeadlineExceeded desc = context deadline exceeded"',
          ),
      },
      by: 'slow',
    },
    'the runtime is gone': {
      evidence: {
        'kubelet.log':
          unhealthy + kubelet('"Unable to retrieve pods" err="dial unix /run/containerd/containerd.sock: connect: connection refused"'),
      },
      by: 'gone',
    },
  },
  asks: { 'how many pods it takes': { evidence: { 'kubelet.log': large }, for: 'kubelet-config' } },
});
