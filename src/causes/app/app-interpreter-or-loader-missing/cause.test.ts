import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n mail get pods
NAME                      READY   STATUS             RESTARTS      AGE
relay-79bd5c6f48-h4zt9    0/1     CrashLoopBackOff   4 (31s ago)   2m40s
`;

const events = `Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  2m40s                default-scheduler  Successfully assigned mail/relay-79bd5c6f48-h4zt9 to worker-4
  Normal   Pulled     61s (x5 over 2m39s)  kubelet            Container image "registry.example/mail/relay:2" already present on machine
  Normal   Started    61s (x5 over 2m39s)  kubelet            Started container relay
  Warning  BackOff    9s (x12 over 2m37s)  kubelet            Back-off restarting failed container relay in pod relay-79bd5c6f48-h4zt9_mail(7c8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d13)
`;

const log = (text: string) => `$ kubectl -n mail logs relay-79bd5c6f48-h4zt9 -c relay\n${text}\n`;

const found = (text: string) => ({
  evidence: { 'pods.txt': listing, 'events.txt': `$ kubectl -n mail describe pod relay-79bd5c6f48-h4zt9\n${events}`, 'log.txt': log(text) },
  confidence: 'certain' as const,
  place: 'container relay of Deployment mail/relay',
  cites: ['log.txt:2'],
});

testCause(cause, {
  finds: {
    'a script with Windows line ends': {
      ...found("/opt/relay/start.sh: line 5: $'\\r': command not found"),
      confidence: 'possible',
    },
    'a library of Python': found('ImportError: libGL.so.1: cannot open shared object file: No such file or directory'),
    '.NET without ICU': found("Process terminated. Couldn't find a valid ICU package installed on the system."),
    '.NET without OpenSSL': found('No usable version of libssl was found'),
    'a glibc binary on Alpine': found('exec /usr/local/bin/relay: no such file or directory'),
    'an older runc': found('standard_init_linux.go:228: exec user process caused: no such file or directory'),
    'the oldest runc': found('standard_init_linux.go:190: exec user process caused "no such file or directory"'),
    'a library that is missing': found(
      '/opt/relay/relay: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or directory',
    ),
    'a library that is missing on musl': found(
      'Error loading shared library ld-linux-x86-64.so.2: No such file or directory (needed by /opt/relay/relay)',
    ),
    'a newer glibc than the image has': found(
      "/opt/relay/relay: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /opt/relay/relay)",
    ),
    'bash is missing': found('/bin/sh: /entrypoint.sh: /bin/bash: bad interpreter: No such file or directory'),
    'line ends from Windows': found("env: 'bash\\r': No such file or directory"),
    'bash 5.2 runs it': found('/entrypoint.sh: line 9: /opt/relay/relay: cannot execute: required file not found'),
    'crun, in an event': {
      evidence: {
        'pods.txt': listing,
        'events.txt': `$ kubectl -n mail describe pod relay-79bd5c6f48-h4zt9\n${events}  Warning  Failed  9s  kubelet  Error: container create failed: exec container process (missing dynamic library?) \`/opt/relay/relay\`: No such file or directory\n`,
      },
      confidence: 'certain',
      place: 'Deployment mail/relay',
    },
  },
  rulesOut: {
    'SELinux forbids it': {
      evidence: {
        'terminal.txt':
          '$ kubectl -n shop logs cart-6c5d9f7b84-x2vkq\n/bin/sh: error while loading shared libraries: /lib/x86_64-linux-gnu/libc.so.6: cannot change memory protections\n',
      },
      by: 'forbidden',
    },
    'well for days': {
      evidence: {
        'pods.txt': listing.replace('0/1     CrashLoopBackOff   4 (31s ago)   2m40s', '1/1     Running            1 (6d ago)    6d'),
        'log.txt': log('exec /usr/local/bin/relay: no such file or directory').replace(' -c relay', ' -c relay --previous'),
      },
      by: 'over',
    },
  },
  asks: {
    'how the pod is doing, with the log alone': {
      evidence: { 'log.txt': log('exec /usr/local/bin/relay: no such file or directory') },
      for: 'pod-status',
    },
  },
});

describe('app-interpreter-or-loader-missing and a command that is not there', () => {
  it('leaves it to the cause that says so', async () => {
    const failed =
      '  Warning  Failed  9s  kubelet  Error: failed to create containerd task: OCI runtime create failed: exec: "/opt/relay": stat /opt/relay: no such file or directory: unknown\n';
    const { incidents } = await diagnose(
      [{ name: 'events.txt', text: `$ kubectl -n mail describe pod relay-79bd5c6f48-h4zt9\n${events}${failed}` }],
      { causes: [cause] },
    );
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
