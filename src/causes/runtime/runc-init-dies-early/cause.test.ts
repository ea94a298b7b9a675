import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (error: string) =>
  `  Warning  Failed  4s (x3 over 30s)  kubelet  Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${error}: unknown\n`;
const EOF = "can't get final child's PID from pipe: EOF";

testCause(cause, {
  finds: {
    'the end of the pipe': { evidence: { 'events.txt': event(EOF) }, confidence: 'possible' },
    'and the kernel killed it': {
      evidence: {
        'events.txt': event(EOF),
        'dmesg.txt':
          '[ 1201.118402] Memory cgroup out of memory: Killed process 4120 (runc:[2:INIT]) total-vm:1216kB, anon-rss:8kB, file-rss:12kB\n',
      },
      confidence: 'probable',
    },
    'a broken pipe': {
      evidence: { 'events.txt': event('error writing config to pipe: write init-p: broken pipe') },
      confidence: 'possible',
    },
  },
  rulesOut: {
    'memory is named': { evidence: { 'events.txt': event(`container init was OOM-killed (memory limit too low?): ${EOF}`) }, by: 'memory' },
    'no more processes': {
      evidence: { 'events.txt': event(EOF) + event('fork/exec /proc/self/exe: resource temporarily unavailable') },
      by: 'threads',
    },
    'no namespaces': { evidence: { 'events.txt': event(`unshare failed: no space left on device: ${EOF}`) }, by: 'space' },
  },
  asks: {
    'the events': {
      evidence: { 'paste.txt': `runc create failed: unable to start container process: ${EOF}: unknown\n` },
      for: 'kernel-log',
    },
  },
});
