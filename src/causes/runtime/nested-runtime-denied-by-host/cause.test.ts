import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const event = (error: string) =>
  `Warning  Failed  12s (x3 over 40s)  kubelet  Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: ${error}: unknown\n`;
const sysctl = event('open sysctl net.ipv4.ip_unprivileged_port_start file: reopen fd 8: permission denied');

testCause(cause, {
  finds: {
    'a sysctl of the container': { evidence: { 'events.txt': sysctl }, confidence: 'certain' },
    'proc in LXC': {
      evidence: {
        'events.txt': event(
          'error mounting "proc" to rootfs at "/proc": mount src=proc, dst=/proc, dstFd=/proc/thread-self/fd/8, flags=MS_NOSUID|MS_NODEV|MS_NOEXEC: permission denied',
        ),
        'journal.txt': 'Mar 04 08:10:57 birch systemd[1]: Detected virtualization lxc.\n',
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'a virtual machine': {
      evidence: { 'events.txt': sysctl, 'journal.txt': 'Mar 04 08:10:57 birch systemd[1]: Detected virtualization kvm.\n' },
      by: 'machine',
    },
  },
  asks: { 'the journal': { evidence: { 'events.txt': sysctl }, for: 'system-log' } },
});
