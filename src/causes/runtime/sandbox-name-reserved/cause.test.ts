import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (rest: string) => `Events:
  Type     Reason                  Age                From               Message
  ----     ------                  ----               ----               -------
  Normal   Scheduled               9m                 default-scheduler  Successfully assigned web/front-84b6c7d9f-p9x2v to pine-2
${rest}`;
const held =
  '  Warning  FailedCreatePodSandBox  9s (x31 over 5m)   kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = failed to reserve sandbox name "front-84b6c7d9f-p9x2v_web_0d9b7a52_0": name "front-84b6c7d9f-p9x2v_web_0d9b7a52_0" is reserved for "9d423d30a81701807be0b866"\n';
const late =
  '  Warning  FailedCreatePodSandBox  5m                 kubelet            Failed to create pod sandbox: rpc error: code = DeadlineExceeded desc = context deadline exceeded\n';

testCause(cause, {
  finds: {
    containerd: {
      evidence: { 'events.txt': events(held) },
      confidence: 'certain',
      place: 'node pine-2',
      cites: ['events.txt:5'],
      victims: 1,
    },
    'with the first attempt': {
      evidence: { 'events.txt': events(late + held) },
      confidence: 'certain',
      cites: ['events.txt:5', 'events.txt:6'],
    },
    'as the kubelet logs it': {
      evidence: {
        'kubelet.log': `Jun 03 10:11:12 pine-2 kubelet[1234]: E0603 10:11:12.000000    1234 remote_runtime.go:176] "RunPodSandbox from runtime service failed" err="rpc error: code = Unknown desc = failed to reserve sandbox name \\"front-84b6c7d9f-p9x2v_web_0d9b7a52_0\\": name \\"front-84b6c7d9f-p9x2v_web_0d9b7a52_0\\" is reserved for \\"9d423d30a817\\""\n`,
      },
      confidence: 'certain',
    },
    'CRI-O, after a reboot': {
      evidence: {
        'events.txt': events(
          '  Warning  FailedCreatePodSandBox  9s (x31 over 5m)   kubelet            Failed to create pod sandbox: rpc error: code = Unknown desc = error reserving pod name k8s_front-84b6c7d9f-p9x2v_web_0d9b7a52_0 for id 9d423d30a817: name is reserved\n',
        ),
        'node.txt': `Name:               pine-2
Events:
  Type     Reason    Age   From     Message
  ----     ------    ----  ----     -------
  Warning  Rebooted  11m   kubelet  Node pine-2 has been rebooted, boot id: 5a1c2b3d
`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'the name of a container': {
      evidence: {
        'events.txt': events(
          `${held}  Warning  Failed  3s  kubelet  Error: failed to reserve container name "front_front-84b6c7d9f-p9x2v_web_0d9b7a52_0": name "front_front-84b6c7d9f-p9x2v_web_0d9b7a52_0" is reserved for "77aa"\n`,
        ),
      },
      by: 'otherPod',
    },
  },
  asks: { 'what happened to the node': { evidence: { 'events.txt': events(held) }, for: 'node-events' } },
});
