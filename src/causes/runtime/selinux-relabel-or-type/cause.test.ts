import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const pods = `NAMESPACE   NAME     READY   STATUS             RESTARTS      AGE   IP         NODE
shop        cart-0   0/1     CrashLoopBackOff   6 (1m ago)    9m    10.0.0.7   elm-3
`;
const log = '$ kubectl -n shop logs cart-0\n/bin/sh: error while loading shared libraries: libc.so.6: cannot change memory protections\n';
const lsm = (mode: string) => `[root@elm-3 ~]# getenforce\n${mode}\n`;
const avc = `type=AVC msg=audit(1717409472.123:45): avc:  denied  { execute } for  pid=4711 comm="cart" path="/lib64/libc.so.6" dev="sdb1" ino=131 scontext=system_u:system_r:container_t:s0:c1,c2 tcontext=system_u:object_r:unlabeled_t:s0 tclass=file permissive=0
`;
const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned shop/cart-0 to elm-3
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;

testCause(cause, {
  finds: {
    'what setroubleshoot says': {
      evidence: {
        'journal.txt':
          "Jun 05 07:21:03 cedar setroubleshoot[977]: SELinux is preventing /pause from 'read, execute' accesses on the file /pause. For complete SELinux messages run: sealert -l 5be1c0de\n",
      },
      confidence: 'possible',
    },
    'libraries may not be mapped': {
      evidence: { 'pods.txt': pods, 'log.txt': log, 'elm-3.txt': lsm('Enforcing') },
      confidence: 'certain',
      place: 'node elm-3',
      cites: ['log.txt:2'],
      victims: 1,
    },
    'an Alpine image, mode unknown': {
      evidence: {
        'pods.txt': pods,
        'log.txt': log.replace(/\/bin\/sh: .*/, 'Error relocating /lib/ld-musl-x86_64.so.1: RELRO protection failed: Permission denied'),
      },
      confidence: 'certain',
      place: 'node elm-3',
    },
    'a label on a file system that has none': {
      evidence: {
        'events.txt': events(
          'Error: failed to create containerd container: failed to set file label on /mnt/share/data: operation not supported',
        ),
      },
      confidence: 'certain',
    },
    'keys of the process': {
      evidence: {
        'events.txt': events(
          'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: write /proc/self/attr/keycreate: invalid argument: unknown',
        ),
      },
      confidence: 'certain',
    },
    'an entry point with the label of older policies': {
      evidence: {
        'audit.log': avc
          .replace('{ execute }', '{ entrypoint }')
          .replace('container_t', 'spc_t')
          .replace('unlabeled_t', 'svirt_sandbox_file_t'),
      },
      confidence: 'possible',
    },
    'denials and no policy package': {
      evidence: {
        'pods.txt': pods,
        'audit.log': avc,
        'elm-3.txt': `${lsm('Enforcing')}[root@elm-3 ~]# rpm -q container-selinux\npackage container-selinux is not installed\n`,
      },
      confidence: 'probable',
    },
  },
  rulesOut: {
    'seccomp is what denies': {
      evidence: {
        'pods.txt': pods,
        'log.txt': log,
        'elm-3-kernel.txt':
          'Jun 03 10:11:12 elm-3 kernel: audit: type=1326 audit(1717409472.123:45): pid=4711 comm="cart" exe="/bin/cart" sig=31 arch=c000003e syscall=425\n',
      },
      by: 'seccomp',
    },
  },
  asks: { 'the audit log': { evidence: { 'pods.txt': pods, 'log.txt': log }, for: 'kernel-log' } },
});
