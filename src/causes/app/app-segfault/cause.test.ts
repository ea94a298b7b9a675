import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describePod = (
  code: number,
  events = '  Warning  BackOff  9s (x9 over 2m)  kubelet  Back-off restarting failed container render in pod render-7d9f-x2k4p_media(0b7e4f6a-51c1-4a52-9f0e-0a8c1f6f2f11)\n',
) => `$ kubectl -n media describe pod render-7d9f8c6b5-x2k4p
Name:           render-7d9f8c6b5-x2k4p
Namespace:      media
Node:           worker-5/10.4.0.15
Status:         Running
Controlled By:  ReplicaSet/render-7d9f8c6b5
Containers:
  render:
    Image:          registry.example/media/render:1.4
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    ${code}
    Ready:          False
    Restart Count:  5
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
${events}`;
const pods = (row: string) =>
  `NAMESPACE   NAME                     READY   STATUS             RESTARTS      AGE\nmedia       render-7d9f8c6b5-x2k4p   ${row}\n`;
const place = 'container render of Deployment media/render';

testCause(cause, {
  finds: {
    'exit code 139': {
      evidence: { 'describe.txt': describePod(139) },
      confidence: 'certain',
      place,
      cites: ['describe.txt:12'],
      victims: 1,
    },
    'with the kernel and its own log': {
      evidence: {
        'describe.txt': describePod(139),
        'log.txt': '$ kubectl -n media logs render-7d9f8c6b5-x2k4p -c render --previous\nSegmentation fault (core dumped)\n',
        'kernel.log':
          'Nov 02 08:01:12 worker-5 kernel: render[4711]: segfault at 8 ip 00007f3a5c0d1e2f sp 00007ffd4a6b7c10 error 4 in libdraw.so.2[7f3a5c000000+1d0000]\n',
      },
      confidence: 'certain',
      cites: ['log.txt:2', 'kernel.log:1'],
    },
  },
  rulesOut: {
    'the kubelet stopped it': {
      evidence: {
        'describe.txt': describePod(
          139,
          '  Normal   Killing  9s                kubelet  Container render failed liveness probe, will be restarted\n',
        ),
      },
      by: 'killed',
    },
    'it runs well again': {
      evidence: {
        'pods.txt': pods('1/1     Running            0             4m'),
        'kernel.log':
          'Nov 02 08:01:12 worker-5 kernel: render[4711]: segfault at 8 ip 00007f3a5c0d1e2f sp 00007ffd4a6b7c10 error 4 in libdraw.so.2[7f3a5c000000+1d0000]\n',
        'log.txt': '$ kubectl -n media logs render-7d9f8c6b5-x2k4p -c render --previous\nSegmentation fault\n',
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': pods('1/1     Running            3 (7d ago)    9d'),
        'log.txt': '$ kubectl -n media logs render-7d9f8c6b5-x2k4p -c render --previous\nSegmentation fault\n',
      },
      by: 'over',
    },
  },
  asks: { 'what the kernel says': { evidence: { 'describe.txt': describePod(139) }, for: 'kernel-log' } },
});
