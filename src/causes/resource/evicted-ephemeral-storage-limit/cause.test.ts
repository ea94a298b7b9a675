import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (message: string) => `Name:           thumbs-6d5f8b9c7-kx2vq
Namespace:      media
Node:           pine-4/10.9.0.14
Status:         Failed
Reason:         Evicted
Message:        ${message}
Controlled By:  ReplicaSet/thumbs-6d5f8b9c7
Containers:
  thumbs:
    Image:      registry.example/media/thumbs:3
Events:
  Type     Reason   Age   From     Message
  ----     ------   ----  ----     -------
  Warning  Evicted  12s   kubelet  ${message}
  Normal   Killing  12s   kubelet  Stopping container thumbs
`;

testCause(cause, {
  finds: {
    'a container': {
      evidence: { 'describe.txt': described('Container thumbs exceeded its local ephemeral storage limit "2Gi". ') },
      confidence: 'certain',
      place: 'Deployment media/thumbs',
      cites: ['describe.txt:14'],
      victims: 1,
    },
    'the pod': {
      evidence: { 'describe.txt': described('Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ') },
      confidence: 'certain',
    },
    'a volume, one line': {
      evidence: { 'paste.txt': 'Warning  Evicted  12s   kubelet  Usage of EmptyDir volume "scratch" exceeds the limit "500Mi". \n' },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the disk of the node': {
      evidence: {
        'describe.txt': `${described('Container thumbs exceeded its local ephemeral storage limit "2Gi". ')}  Warning  Evicted  12s   kubelet  The node was low on resource: ephemeral-storage. Container thumbs was using 4Gi, request is 0, has larger consumption of ephemeral-storage.\n`,
      },
      by: 'ofNode',
    },
  },
  asks: {
    'how the pod is': { evidence: { 'paste.txt': 'Usage of EmptyDir volume "scratch" exceeds the limit "500Mi". \n' }, for: 'pod-status' },
  },
});
