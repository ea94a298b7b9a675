import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../diagnose.ts';
import { testCause } from '../../../testing.ts';
import { cause } from './cause.ts';

const listing = `$ kubectl -n etl get pods
NAME                       READY   STATUS              RESTARTS      AGE
loader-7c6b9d5f48-n2x8k    0/1     RunContainerError   4 (31s ago)   2m40s
`;

const describePod = (state: string, failed: string) => `$ kubectl -n etl describe pod loader-7c6b9d5f48-n2x8k
Name:             loader-7c6b9d5f48-n2x8k
Namespace:        etl
Node:             worker-1/10.4.0.11
Status:           Running
Controlled By:    ReplicaSet/loader-7c6b9d5f48
Containers:
  loader:
    Image:         registry.example/etl/loader:7
    Command:
      /scripts/run.sh
    State:          Waiting
      Reason:       CrashLoopBackOff
    Last State:     Terminated
${state}
    Ready:          False
    Restart Count:  4
Conditions:
  Type    Status
  Ready   False
Volumes:
  scripts:
    Type:      ConfigMap (a volume populated by a ConfigMap)
    Name:      loader-scripts
    Optional:  false
QoS Class:       BestEffort
Events:
  Type     Reason     Age                  From               Message
  ----     ------     ----                 ----               -------
  Normal   Scheduled  2m40s                default-scheduler  Successfully assigned etl/loader-7c6b9d5f48-n2x8k to worker-1
${failed}  Warning  BackOff    9s (x12 over 2m37s)  kubelet            Back-off restarting failed container loader in pod loader-7c6b9d5f48-n2x8k_etl(7c8fd1b1-5a8a-4f35-9b1e-0c7b9a2a7d15)
`;

const runc =
  'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/scripts/run.sh": permission denied: unknown';
const startError = `      Reason:       StartError\n      Message:      ${runc}\n      Exit Code:    128`;
const exit126 = '      Reason:       Error\n      Exit Code:    126';
const failedEvent = (message: string) => `  Warning  Failed     61s (x5 over 2m39s)  kubelet            Error: ${message}\n`;

testCause(cause, {
  finds: {
    'what tini shall start': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n etl logs loader-7c6b9d5f48-n2x8k\n[FATAL tini (7)] exec /scripts/run.sh failed: Permission denied\n',
      },
      confidence: 'certain',
    },
    'what dumb-init shall start': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n etl logs loader-7c6b9d5f48-n2x8k\n[dumb-init] ./run.sh: Permission denied\n',
      },
      confidence: 'certain',
    },
    'what s6 shall start': {
      evidence: {
        'pods.txt': listing,
        'log.txt': '$ kubectl -n etl logs loader-7c6b9d5f48-n2x8k\ns6-applyuidgid: fatal: unable to exec ./run: Permission denied\n',
      },
      confidence: 'certain',
    },
    'a working directory of another user': {
      evidence: {
        'pods.txt': listing,
        'describe.txt': describePod(
          startError,
          failedEvent(
            'failed to start container "loader": Error response from daemon: OCI runtime create failed: container_linux.go:348: starting container process caused "chdir to cwd (\\"/home/loader\\") set in config.json failed: permission denied": unknown',
          ),
        ).replace(runc, 'see events'),
      },
      confidence: 'certain',
      place: 'Deployment etl/loader',
    },
    'a script of a ConfigMap': {
      evidence: { 'pods.txt': listing, 'describe.txt': describePod(startError, failedEvent(runc)) },
      confidence: 'certain',
      place: 'container loader of Deployment etl/loader',
      cites: ['describe.txt:16', 'describe.txt:24'],
      victims: 1,
    },
    'crun under CRI-O': {
      evidence: {
        'pods.txt': listing,
        'describe.txt': describePod(
          '      Reason:       StartError\n      Exit Code:    128',
          failedEvent('container create failed: exec container process `/scripts/run.sh`: Permission denied'),
        ),
      },
      confidence: 'certain',
    },
    'a directory for a command': {
      evidence: {
        'pods.txt': listing,
        'describe.txt': describePod(
          '      Reason:       StartError\n      Exit Code:    128',
          failedEvent('failed to create containerd task: OCI runtime create failed: exec: "/srv": is a directory: unknown'),
        ),
      },
      confidence: 'certain',
    },
    'the shell says so': {
      evidence: {
        'describe.txt': describePod(exit126, ''),
        'log.txt': '$ kubectl -n etl logs loader-7c6b9d5f48-n2x8k -c loader --previous\n/bin/sh: 1: /scripts/run.sh: Permission denied\n',
      },
      confidence: 'probable',
      cites: ['describe.txt:14', 'log.txt:2'],
    },
  },
  rulesOut: {
    'a failed start of last week': {
      evidence: {
        'pods.txt': listing.replace('0/1     RunContainerError   4 (31s ago)   2m40s', '1/1     Running             4 (6d ago)    6d'),
        'log.txt': '$ kubectl -n etl logs loader-7c6b9d5f48-n2x8k -c loader --previous\nexec /scripts/run.sh: permission denied\n',
      },
      by: 'over',
    },
  },
  asks: {
    'the container log, when only the exit code is known': { evidence: { 'describe.txt': describePod(exit126, '') }, for: 'container-log' },
  },
});

describe('app-permission-denied-exec and commands run in a container', () => {
  it('does not blame the command of the container for that of a probe', async () => {
    const message =
      'Liveness probe errored: rpc error: code = Unknown desc = failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: exec: "/probe.sh": permission denied: unknown';
    const events = `$ kubectl -n etl describe pod loader-7c6b9d5f48-n2x8k
Events:
  Type     Reason     Age               From     Message
  ----     ------     ----              ----     -------
  Warning  Unhealthy  9s (x12 over 2m)  kubelet  ${message}
`;
    const { incidents } = await diagnose([{ name: 'events.txt', text: events }], { causes: [cause] });
    expect(incidents.map((incident) => incident.cause)).not.toContain(cause.id);
  });
});
