import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const events = (message: string) => `Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  9m                 default-scheduler  Successfully assigned safe/vault-0 to ash-4
  Warning  Failed     9s (x31 over 5m)   kubelet            ${message}
`;
const found = (message: string) =>
  ({
    evidence: { 'events.txt': events(message) },
    confidence: 'certain',
    place: 'StatefulSet safe/vault',
    cites: ['events.txt:5'],
    victims: 1,
  }) as const;
const missing = 'Error: failed to create containerd container: apparmor profile not found vault-strict';

testCause(cause, {
  finds: {
    containerd: found(missing),
    runc: found(
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: unable to apply apparmor profile: apparmor failed to apply profile: write /proc/self/attr/apparmor/exec: no such file or directory: unknown',
    ),
    'a loader that may not be run': found(
      'Error: failed to create containerd container: get apparmor_parser version: fork/exec /sbin/apparmor_parser: permission denied',
    ),
    'no loader on the node': found(
      'Error: failed to create containerd container: load apparmor profile /tmp/cri-containerd.apparmor.d1234: parser error(""): exec: "apparmor_parser": executable file not found in $PATH',
    ),
    'refused by an older kubelet': {
      evidence: {
        'describe.txt': `Name:           vault-0
Namespace:      safe
Node:           ash-4/10.0.0.5
Status:         Failed
Reason:         AppArmor
Message:        Cannot enforce AppArmor: profile "vault-strict" is not loaded
Controlled By:  StatefulSet/vault
Containers:
  vault:
    Image:          registry.example.net/safe/vault:3
    State:          Waiting
      Reason:       Blocked
    Ready:          False
    Restart Count:  0
`,
      },
      confidence: 'certain',
      place: 'StatefulSet safe/vault',
      cites: ['describe.txt:6'],
    },
    'no AppArmor at all': {
      evidence: {
        'events.txt': events('Error: container create failed: config provided but apparmor not supported'),
        'host.txt': `[root@ash-4 ~]# aa-status\napparmor module is not loaded.\n`,
      },
      confidence: 'certain',
    },
  },
  rulesOut: {
    'signals that are refused': {
      evidence: {
        'events.txt': `${events(missing)}  Warning  FailedKillPod  3s  kubelet  error killing pod: failed to "KillContainer" for "vault" with KillContainerError: "rpc error: code = Unknown desc = failed to kill container: unable to signal init: permission denied"\n`,
      },
      by: 'signals',
    },
  },
  asks: { 'the state of AppArmor': { evidence: { 'events.txt': events(missing) }, for: 'apparmor-state' } },
});
