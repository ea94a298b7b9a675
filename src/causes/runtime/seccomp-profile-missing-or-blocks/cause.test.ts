import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe_ = (message: string) => `Name:             vault-0
Namespace:        safe
Node:             ash-4/10.0.0.5
Status:           Pending
Controlled By:    StatefulSet/vault
Containers:
  vault:
    Image:          registry.example.net/safe/vault:3
    State:          Waiting
      Reason:       CreateContainerError
    Ready:          False
    Restart Count:  0
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Warning  Failed     3s (x9 over 2m)    kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'describe.txt': describe_(message) },
    confidence: 'certain',
    place: 'StatefulSet safe/vault',
    cites: ['describe.txt:16'],
    victims: 1,
  }) as const;
const missing =
  'Error: failed to create containerd container: cannot load seccomp profile "/var/lib/kubelet/seccomp/profiles/audit.json": open /var/lib/kubelet/seccomp/profiles/audit.json: no such file or directory';
const crashed = (end: string) => `Name:             vault-0
Namespace:        safe
Node:             ash-4/10.0.0.5
Status:           Running
Controlled By:    StatefulSet/vault
Containers:
  vault:
    Image:          registry.example.net/safe/vault:3
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
${end}    Ready:          False
    Restart Count:  7
`;

testCause(cause, {
  finds: {
    'the kernel has no room for filters': found(
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: unable to init seccomp: error loading seccomp filter into kernel: error loading seccomp filter: errno 524: unknown',
    ),
    'no such profile, containerd': found(missing),
    'a rule that libseccomp does not take': found(
      'Error: container create failed: time="2025-03-04T08:10:57Z" level=error msg="container_linux.go:370: starting container process caused: error adding seccomp rule for syscall bind: permission denied"',
    ),
    'a profile that is too tight for runc itself': {
      evidence: {
        'describe.txt': describe_(
          'Error: failed to start container "vault": Error response from daemon: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: close exec fds: ensure /proc/self/fd is on procfs: operation not permitted: unknown',
        ),
      },
      confidence: 'possible',
      place: 'StatefulSet safe/vault',
    },
    'no such profile, Docker': found(
      'Error: failed to generate security options for container "vault": failed to generate seccomp security options for container: cannot load seccomp profile "/var/lib/kubelet/seccomp/audit": open /var/lib/kubelet/seccomp/audit: no such file or directory',
    ),
    'no such profile, CRI-O': found(
      'Error: setup seccomp: unable to load local profile "/var/lib/kubelet/seccomp/audit.json": open /var/lib/kubelet/seccomp/audit.json: no such file or directory',
    ),
    'killed by SIGSYS, and the kernel says why': {
      evidence: {
        'describe.txt': crashed('      Reason:       Error\n      Exit Code:    159\n'),
        'log.txt': '$ kubectl -n safe logs vault-0 -c vault --previous\nBad system call (core dumped)\n',
        'kernel.txt': `Jun 03 10:11:12 ash-4 kernel: audit: type=1326 audit(1717409472.123:45): auid=4294967295 uid=0 gid=0 ses=4294967295 subj=cri-containerd.apparmor.d pid=4711 comm="vault" exe="/bin/vault" sig=31 arch=c000003e syscall=425 compat=0 ip=0x7f1 code=0x80000000
`,
      },
      confidence: 'certain',
      place: 'container vault of StatefulSet safe/vault',
    },
    'threads cannot be made': {
      evidence: {
        'describe.txt': crashed('      Reason:       Error\n      Exit Code:    2\n'),
        'log.txt':
          '$ kubectl -n safe logs vault-0 -c vault --previous\nruntime/cgo: pthread_create failed: Operation not permitted\nSIGABRT: abort\n',
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'an AppArmor profile': {
      evidence: {
        'describe.txt': `${describe_(missing)}  Warning  Failed     1s    kubelet            Error: failed to create containerd container: apparmor profile not found vault-strict\n`,
      },
      by: 'apparmor',
    },
  },
  asks: { 'the kernel log': { evidence: { 'describe.txt': describe_(missing) }, for: 'kernel-log' } },
});
