import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const described = (
  code: number,
  events = '  Warning  BackOff  9s (x9 over 2m)   kubelet  Back-off restarting failed container\n',
) => `Name:           docs-0
Namespace:      data
Node:           pine-4/10.9.0.14
Status:         Running
Controlled By:  StatefulSet/docs
Containers:
  mongo:
    Image:          registry.example/data/mongo:7
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
      Reason:       Error
      Exit Code:    ${code}
    Ready:          False
    Restart Count:  4
Events:
  Type     Reason   Age               From     Message
  ----     ------   ----              ----     -------
${events}`;
const log = (text: string) => `$ kubectl -n data logs docs-0 -c mongo --previous\n${text}\n`;

testCause(cause, {
  finds: {
    'the loader finds the CPU too old': {
      evidence: { 'log.txt': '/usr/bin/tool: /lib64/libc.so.6: CPU ISA level is lower than required\n' },
      confidence: 'probable',
    },
    'exit code 132': {
      evidence: { 'describe.txt': described(132), 'log.txt': log('Illegal instruction (core dumped)') },
      confidence: 'certain',
      place: 'container mongo of StatefulSet data/docs',
      cites: ['describe.txt:11', 'log.txt:2'],
      victims: 1,
    },
    'glibc says so': {
      evidence: { 'describe.txt': described(127), 'log.txt': log('Fatal glibc error: CPU does not support x86-64-v2') },
      confidence: 'certain',
    },
    'Go says so, one line': {
      evidence: { 'paste.txt': 'This program can only be run on AMD64 processors with v3 microarchitecture support.\n' },
      confidence: 'possible',
    },
    'MongoDB says so': {
      evidence: {
        'log.txt': log('WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!'),
      },
      confidence: 'probable',
    },
    'the kernel says so': {
      evidence: {
        'describe.txt': described(1),
        'kernel.log':
          'Nov 02 08:01:12 pine-4 kernel: traps: mongod[4711] trap invalid opcode ip:55d4c1a2b3c4 sp:7ffd4a6b7c10 error:0 in mongod[55d4be000000+2d4b000]\n',
        'host.txt': '[root@pine-4 ~]# lscpu | grep Model\nModel name:          QEMU Virtual CPU version 2.5+\n',
      },
      confidence: 'probable',
    },
    emulation: {
      evidence: { 'log.txt': log('qemu: uncaught target signal 4 (Illegal instruction) - core dumped') },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'killed by a probe': {
      evidence: {
        'describe.txt': described(132, '  Normal   Killing  9s    kubelet  Container mongo failed liveness probe, will be restarted\n'),
      },
      by: 'killed',
    },
    well: {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME     READY   STATUS    RESTARTS   AGE\ndata        docs-0   1/1     Running   0          6m\n',
        'log.txt': log('WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!'),
      },
      by: 'well',
    },
    'long over': {
      evidence: {
        'pods.txt': 'NAMESPACE   NAME     READY   STATUS    RESTARTS     AGE\ndata        docs-0   1/1     Running   3 (7d ago)   9d\n',
        'log.txt': log('Illegal instruction (core dumped)'),
      },
      by: 'over',
    },
  },
  asks: { 'what the kernel says': { evidence: { 'describe.txt': described(132) }, for: 'kernel-log' } },
});
