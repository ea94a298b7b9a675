import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const full =
  '$ kubectl apply -f cart.yaml\nError from server (InternalError): error when creating "cart.yaml": Internal error occurred: failed to allocate a serviceIP: range is full\n';

testCause(cause, {
  finds: {
    'no address': { evidence: { 'term.txt': full }, confidence: 'probable', cites: ['term.txt:2'] },
    'no port': {
      evidence: {
        'term.txt': '$ kubectl apply -f cart.yaml\nInternal error occurred: failed to allocate a nodePort: range is full\n',
      },
      confidence: 'probable',
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
  asks: {
    'what the API server answered': {
      evidence: {
        'operator.log':
          '$ kubectl -n shop logs till-5d4c3b2a19-m3n4p\n2025-03-04T08:10:57Z ERROR Internal error occurred: failed to allocate a serviceIP: range is full\n',
      },
      for: 'objects',
    },
  },
});
