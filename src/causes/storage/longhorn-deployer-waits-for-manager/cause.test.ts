import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE         NAME                                       READY   STATUS     RESTARTS   AGE
longhorn-system   longhorn-driver-deployer-7b9c9d8f6b-q2w4z  0/1     Init:0/1   0          40m
`;

testCause(cause, {
  finds: {
    'in the listing': {
      evidence: { 'pods.txt': pods },
      confidence: 'possible',
      place: 'pod longhorn-system/longhorn-driver-deployer-7b9c9d8f6b-q2w4z',
    },
  },
  rulesOut: {
    'an error of its own': {
      evidence: {
        'pods.txt': pods,
        'log.txt':
          '$ kubectl -n longhorn-system logs longhorn-driver-deployer-7b9c9d8f6b-q2w4z\ntime="2025-05-01T10:00:00Z" level=fatal msg="Error deploying driver: failed to start CSI driver: secrets is forbidden"\n',
      },
      by: 'failsItself',
    },
    'another pod in Init': { evidence: { 'pods.txt': pods.replaceAll('longhorn-driver-deployer', 'shop-api') }, by: 'deployer' },
  },
  asks: { 'its log': { evidence: { 'pods.txt': pods }, for: 'container-log' } },
});
