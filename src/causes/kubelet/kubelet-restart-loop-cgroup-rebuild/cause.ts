import { defineCause, excludes, minutes, needs, on, supports } from '../../define-cause.ts';

const RECENT_SECONDS = 3600;

export const cause = defineCause({
  id: 'kubelet-restart-loop-cgroup-rebuild',
  area: 'kubelet',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['restarts'],
  wakesOn: [
    on('node.event', { reason: 'Starting' }),
    on('kubelet.setting', { key: 'cgroupRoot' }),
    on('kubelet.setting', { key: 'cgroupsPerQOS' }),
  ],

  text: {
    name: 'Kubelet restart restarts the pods',
    title: 'Every start of the kubelet on {where} restarts its pods: it does not find their cgroups',
    why: 'When a kubelet starts and finds a running pod without the cgroup it expects (cgroupDriver, cgroupRoot or cgroupsPerQOS were changed, or something removed it), it kills the pod and makes it anew in the right place (SandboxChanged). That happens once per start of the kubelet: while the kubelet itself restarts again and again, so do all pods of {where}.',
  },

  clues: {
    started: needs('node.event', ({ reason, lastAgo }) => reason === 'Starting' && (lastAgo ?? 0) < RECENT_SECONDS),
    settling: needs('pod.symptom', ({ symptom }) => symptom === 'restarts'),
    burst: supports('pod.one-burst', ({ agoSeconds }) => agoSeconds < RECENT_SECONDS),
    often: supports('node.event', ({ reason, count }) => reason === 'Starting' && count >= 3),
    together: supports('node.unrelated-restarts'),
    setting: supports(
      'kubelet.setting',
      ({ key, value }) => (key === 'cgroupRoot' && !/^["']?\/?["']?$/.test(value)) || (key === 'cgroupsPerQOS' && value === 'false'),
    ),
    restarts: supports('unit.state', ({ unit, restarts = 0 }) => /^kubelet(?:\.service)?$/.test(unit) && restarts >= 3),
    rebooted: excludes('node.event', ({ reason }) => reason === 'Rebooted'),
    repeats: excludes('pod.silent-stops'),
    ownFault: excludes('pod.event', ({ reason, message }) => reason === 'BackOff' && message.includes('restarting failed')),
  },
  says: {
    started: 'the kubelet of the node was started lately',
    settling: 'pods of the node restart or settle: {state}',
    burst: 'sandboxes changed in one burst, quiet since',
    often: 'the kubelet started {times} times within the events',
    together: 'unrelated pods of the node restart together',
    setting: 'the kubelet has its own cgroup settings: {setting}',
    restarts: 'systemd restarted the kubelet, counter at {count}',
    rebooted: 'the whole node was rebooted',
    repeats: 'the stops go on without any start of the kubelet',
    ownFault: 'containers fail by themselves',
  },
  slots: (place, { settling, often, setting, restarts: loop }) => ({
    where: place.kind !== 'Node' || place.name.includes(' ') ? 'this node' : `node ${place.name}`,
    state: settling?.detail ?? 'restarted',
    times: often?.count ?? 'several',
    setting: setting ? `${setting.key} ${setting.value}` : 'cgroupRoot',
    count: loop?.restarts ?? 'some',
  }),

  fixes: [
    {
      say: 'Find out why the kubelet of {where} was started, and whether its cgroup settings changed',
      risk: 'reads-only',
      steps: [
        {
          say: 'its starts, and its last words before each',
          run: 'journalctl -u kubelet -b --no-pager | grep -E \'Started|Stopped|Scheduled restart|"command failed"\' | tail -20',
          on: 'node',
        },
        {
          say: 'settings, and where the pods sit',
          run: "grep -nE 'cgroup' /var/lib/kubelet/config.yaml; systemd-cgls --no-pager | grep -E 'kubepods' | head",
          on: 'node',
        },
      ],
    },
    {
      say: 'Drain the node before cgroupDriver, cgroupRoot or cgroupsPerQOS is changed, and keep the kubelet from looping',
      risk: 'moves-pods',
      steps: [
        { say: 'drain, restart kubelet and runtime, let the node in again', run: 'systemctl restart containerd kubelet', on: 'node' },
        { say: 'a loop has its own reason in the journal: remove that first', run: 'systemctl status kubelet --no-pager -l', on: 'node' },
      ],
      verified: 'systemctl restart kubelet leaves the restart counts of the pods as they are',
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: ['kubernetes pkg/kubelet/kubelet.go (SyncPod, pod cgroup of a running pod)', 'kubernetes issue 53960'],
});
