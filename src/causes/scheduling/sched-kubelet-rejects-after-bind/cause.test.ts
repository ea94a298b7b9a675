import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pod = (reason: string, message: string) => `Name:           infer-6d5f8b9c7-kx2vq
Namespace:      ml
Node:           gpu-2/
Status:         Failed
Reason:         ${reason}
Message:        ${message}
Controlled By:  ReplicaSet/infer-6d5f8b9c7
Containers:
  infer:
    Image:      registry.example/ml/infer:3
Events:
  Type     Reason     Age   From     Message
  ----     ------     ----  ----     -------
  Warning  ${reason}  12s   kubelet  ${message}
`;

testCause(cause, {
  finds: {
    'nothing to preempt': {
      evidence: {
        'describe.txt': pod(
          'UnexpectedAdmissionError',
          'Pod Unexpected error while attempting to recover from admission failure: preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [(res: pods, q: 1), ]',
        ),
      },
      confidence: 'certain',
      place: 'Deployment ml/infer',
    },
    'not enough cpu': {
      evidence: {
        'describe.txt': pod(
          'OutOfcpu',
          "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 30500, capacity: 31850",
        ),
      },
      confidence: 'certain',
      place: 'Deployment ml/infer',
      cites: ['describe.txt:14'],
      victims: 1,
    },
    'an event line alone': {
      evidence: {
        'events.txt':
          "  Warning  OutOfpods  12s   kubelet  Node didn't have enough resource: pods, requested: 1, used: 110, capacity: 110\n",
      },
      confidence: 'probable',
    },
    'a device': {
      evidence: {
        'describe.txt': pod(
          'UnexpectedAdmissionError',
          'Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. Requested: 1, Available: 0, which is unexpected',
        ),
      },
      confidence: 'certain',
    },
    NUMA: {
      evidence: { 'describe.txt': pod('TopologyAffinityError', 'Resources cannot be allocated with Topology locality') },
      confidence: 'certain',
    },
    'labels have changed': {
      evidence: {
        'describe.txt': pod(
          'NodeAffinity',
          "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
        ),
      },
      confidence: 'certain',
    },
    'a listing': {
      evidence: {
        'pods.txt':
          'NAMESPACE   NAME                    READY   STATUS        RESTARTS   AGE\nml          infer-6d5f8b9c7-kx2vq   0/1     OutOfmemory   0          4m\nml          infer-6d5f8b9c7-p9w4t   0/1     OutOfmemory   0          4m\n',
        'kubelet.log': `Nov 02 08:01:12 gpu-2 kubelet[911]: E1102 08:01:12.447705     911 cpu_manager.go:241] "Could not initialize checkpoint manager" err="could not restore state from checkpoint: configured policy \\"static\\" differs from state checkpoint policy \\"none\\""\n`,
      },
      confidence: 'certain',
      victims: 2,
    },
  },
  rulesOut: {
    'only an old message': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME      READY   STATUS    RESTARTS   AGE\nml          infer-0   1/1     Running   0          4m\n',
        'events.txt':
          "NAMESPACE   LAST SEEN   TYPE      REASON     OBJECT        MESSAGE\nml          50m         Warning   OutOfcpu   pod/infer-0   Node didn't have enough resource: cpu, requested: 4000, used: 30500, capacity: 31850\n",
      },
      by: 'well',
    },
  },
  asks: {
    'the log of the kubelet': {
      evidence: { 'describe.txt': pod('TopologyAffinityError', 'Resources cannot be allocated with Topology locality') },
      for: 'kubelet-log',
    },
  },
});
