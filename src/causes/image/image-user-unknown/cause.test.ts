import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const describe_ = (message: string) => `Name:             mail-6d5f8c9b7d-x2x4k
Namespace:        post
Node:             fig-1/10.0.0.5
Status:           Pending
Controlled By:    ReplicaSet/mail-6d5f8c9b7d
Containers:
  mail:
    Image:          registry.example.net/post/mail:3
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
    place: 'Deployment post/mail',
    cites: ['describe.txt:16'],
    victims: 1,
  }) as const;
const docker =
  'Error: failed to start container "mail": Error response from daemon: linux spec user: unable to find user mailer: no matching entries in passwd file';

testCause(cause, {
  finds: {
    'the pod sets a number as well': {
      evidence: {
        'pod.json': JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'mail-0', namespace: 'post' },
          spec: { containers: [{ name: 'mail', image: 'registry.example.net/post/mail:3', securityContext: { runAsUser: 70 } }] },
          status: {
            phase: 'Pending',
            containerStatuses: [
              {
                name: 'mail',
                ready: false,
                restartCount: 0,
                state: { waiting: { reason: 'CreateContainerError', message: docker.slice(7) } },
              },
            ],
          },
        }),
      },
      confidence: 'certain',
    },
    Docker: found(docker),
    'runc by containerd': found(
      'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unable to find group mailers: no matching entries in group file: unknown',
    ),
    'containerd looks into the snapshot': found(
      'Error: failed to create containerd container: mount callback failed on /var/lib/containerd/tmpmounts/containerd-mount3984021361: no users found',
    ),
    'CRI-O': found(
      'Error: container create failed: setting up container user: unable to find user mailer: no matching entries in passwd file',
    ),
  },
  rulesOut: {
    'the check for root': {
      evidence: {
        'describe.txt': `${describe_(docker)}  Warning  Failed     1s (x2 over 2m)    kubelet            Error: container has runAsNonRoot and image has non-numeric user (mailer), cannot verify user is non-root\n`,
      },
      by: 'nonRoot',
    },
  },
  asks: { 'what the pod sets': { evidence: { 'line.txt': `${docker}\n` }, for: 'container.security' } },
});
