import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const full =
  '$ kubectl apply -f cart.yaml\nError from server (InternalError): error when creating "cart.yaml": Internal error occurred: failed to allocate a serviceIP: range is full\n';

testCause(cause, {
  finds: {
    'no address': { evidence: { 'term.txt': full }, confidence: 'certain', cites: ['term.txt:2'] },
    'no port, and the range it has': {
      evidence: {
        'term.txt': '$ kubectl apply -f cart.yaml\nInternal error occurred: failed to allocate a nodePort: range is full\n',
        'manifest.txt': '$ grep node-port /etc/kubernetes/manifests/kube-apiserver.yaml\n    - --service-node-port-range=30000-30010\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'an address from elsewhere': {
      evidence: {
        'term.txt': `${full}The Service "cart" is invalid: spec.clusterIPs: Invalid value: []string{"10.200.0.9"}: failed to allocate IP 10.200.0.9: the provided IP (10.200.0.9) is not in the valid range. provided IP is not in the valid range\n`,
      },
      by: 'outside',
    },
  },
  asks: { 'the range it has': { evidence: { 'term.txt': full }, for: 'host-tools' } },
});
