// The ways in which pods of the bench are sick: what their status, their events and their logs say.
import { mark } from './template.mjs';

const podName = `svc-${mark('A')}-${mark('H')}-${mark('S')}`;
const namespace = `team-${mark('T')}`;
const backOff = `back-off 5m0s restarting failed container=main pod=${podName}_${namespace}(${mark('U')})`;
const image = `registry.example.org/team-${mark('T')}/svc-${mark('A')}:1.7`;

const crash = (exitCode, reason, message) => ({
  waiting: { reason: 'CrashLoopBackOff', message: backOff },
  ended: { exitCode, reason, ...(message ? { message } : {}) },
});
const crashEvents = [
  ['Normal', 'Pulled', `Container image "${image}" already present on machine`, 'kubelet', 14],
  ['Warning', 'BackOff', `Back-off restarting failed container main in pod ${podName}_${namespace}(${mark('U')})`, 'kubelet', 211],
];

export const WAYS = {
  'exits-1': {
    ...crash(1, 'Error'),
    events: crashEvents,
    log: [
      'INFO starting',
      'INFO reading /etc/app/settings.yaml',
      'ERROR connect ECONNREFUSED 10.96.14.7:5432',
      'FATAL no database, giving up',
    ],
  },
  oom: { ...crash(137, 'OOMKilled'), events: crashEvents, log: ['INFO starting', 'INFO warming cache'] },
  'no-command': {
    ...crash(
      128,
      'StartError',
      'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/srv/serve": stat /srv/serve: no such file or directory: unknown',
    ),
    events: [
      ...crashEvents,
      [
        'Warning',
        'Failed',
        'Error: failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "/srv/serve": stat /srv/serve: no such file or directory: unknown',
        'kubelet',
        14,
      ],
    ],
    log: [],
  },
  'no-image': {
    waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` },
    events: [
      ['Normal', 'Pulling', `Pulling image "${image}"`, 'kubelet', 9],
      [
        'Warning',
        'Failed',
        `Failed to pull image "${image}": rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
        'kubelet',
        9,
      ],
      ['Warning', 'Failed', 'Error: ImagePullBackOff', 'kubelet', 160],
      ['Normal', 'BackOff', `Back-off pulling image "${image}"`, 'kubelet', 162],
    ],
  },
  unschedulable: {
    pending:
      '0/5000 nodes are available: 5000 Insufficient cpu. preemption: 0/5000 nodes are available: 5000 No preemption victims found for incoming pod.',
    events: [
      [
        'Warning',
        'FailedScheduling',
        '0/5000 nodes are available: 5000 Insufficient cpu. preemption: 0/5000 nodes are available: 5000 No preemption victims found for incoming pod.',
        'default-scheduler',
        12,
      ],
    ],
  },
  'no-config': {
    configMap: 'absent-settings',
    waiting: { reason: 'CreateContainerConfigError', message: 'configmap "absent-settings" not found' },
    events: [
      ['Normal', 'Pulled', `Container image "${image}" already present on machine`, 'kubelet', 240],
      ['Warning', 'Failed', 'Error: configmap "absent-settings" not found', 'kubelet', 240],
    ],
  },
  liveness: {
    ...crash(137, 'Error'),
    events: [
      [
        'Warning',
        'Unhealthy',
        'Liveness probe failed: Get "http://10.0.0.9:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        'kubelet',
        48,
      ],
      ['Normal', 'Killing', 'Container main failed liveness probe, will be restarted', 'kubelet', 16],
      ...crashEvents,
    ],
    log: ['INFO starting', 'INFO loading 4200000 rows', 'INFO loaded 1100000 rows'],
  },
  'exits-2': {
    ...crash(2, 'Error'),
    events: crashEvents,
    log: [
      'panic: runtime error: invalid memory address or nil pointer dereference',
      '',
      'goroutine 1 [running]:',
      'main.main()',
      '\t/src/main.go:41 +0x1d',
    ],
  },
};

export const WAY_NAMES = Object.keys(WAYS);

/** What a young and well pod leaves behind. */
export const YOUNG_EVENTS = [
  ['Normal', 'Scheduled', `Successfully assigned ${namespace}/${podName} to node-${mark('W')}`, 'default-scheduler', 1],
  ['Normal', 'Pulling', `Pulling image "${image}"`, 'kubelet', 1],
  [
    'Normal',
    'Pulled',
    `Successfully pulled image "${image}" in 2.114s (2.114s including waiting). Image size: 48211377 bytes.`,
    'kubelet',
    1,
  ],
  ['Normal', 'Created', 'Created container main', 'kubelet', 1],
  ['Normal', 'Started', 'Started container main', 'kubelet', 1],
];

export const LOST_EVENTS = [['Warning', 'NodeNotReady', 'Node is not ready', 'node-controller', 1]];
export const names = { podName, namespace, image };
