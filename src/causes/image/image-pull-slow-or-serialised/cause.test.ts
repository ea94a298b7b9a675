import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const IMAGE = 'registry.example.net/ml/trainer:9';
const pods = `NAMESPACE   NAME                      READY   STATUS              RESTARTS   AGE   IP       NODE
ml          trainer-84b6c7d9f-p9x2v   0/1     ContainerCreating   0          14m   <none>   bay-6
`;
const events = (rest: string) => `$ kubectl -n ml describe pod trainer-84b6c7d9f-p9x2v
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  14m                default-scheduler  Successfully assigned ml/trainer-84b6c7d9f-p9x2v to bay-6
${rest}`;
const pulling = `  Normal   Pulling    13m                kubelet            Pulling image "${IMAGE}"\n`;
const queued = `  Normal   Pulled     8s                 kubelet            Successfully pulled image "registry.example.net/ml/init:2" in 12.1s (9m12s including waiting). Image size: 3311234567 bytes.\n`;
const kubeletConfig = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
serializeImagePulls: true
`;

testCause(cause, {
  finds: {
    'an image before it waited nine minutes': {
      evidence: { 'pods.txt': pods, 'events.txt': events(pulling + queued) },
      confidence: 'probable',
      place: 'Deployment ml/trainer',
    },
    'long in Pulling, no error': {
      evidence: { 'pods.txt': pods, 'events.txt': events(pulling) },
      confidence: 'possible',
      place: 'Deployment ml/trainer',
      cites: ['events.txt:6'],
      victims: 1,
    },
    'one at a time': {
      evidence: { 'pods.txt': pods, 'events.txt': events(pulling), 'bay-6/kubelet-config.yaml': kubeletConfig },
      confidence: 'probable',
    },
    'containerd gave up': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(pulling),
        'containerd.log': `Jun 03 10:11:12 bay-6 containerd[912]: time="2024-06-03T10:11:12.123456789Z" level=error msg="cancel pulling image ${IMAGE} because of no progress in 5m0s"\n`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'the pull fails': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(`${pulling}  Warning  Failed     5s    kubelet   Failed to pull image "${IMAGE}": dial tcp: i/o timeout\n`),
      },
      by: 'failed',
    },
    'the image is there': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(
          `${pulling}  Normal   Pulled     5s    kubelet   Successfully pulled image "${IMAGE}" in 3.1s (3.2s including waiting)\n`,
        ),
      },
      by: 'pulled',
    },
    'volumes are what it waits for': {
      evidence: {
        'pods.txt': pods,
        'events.txt': events(`${pulling}  Warning  FailedMount  5s    kubelet   MountVolume.SetUp failed for volume "data" : timed out\n`),
      },
      by: 'otherStep',
    },
  },
  asks: { 'how the kubelet pulls': { evidence: { 'pods.txt': pods, 'events.txt': events(pulling) }, for: 'kubelet-config' } },
});
