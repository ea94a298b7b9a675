import type { Fact } from '../../../model/facts.ts';
import { defineCause, excludes, minutes, on, proves, supports } from '../../define-cause.ts';

const RUNTIME = /^(?:containerd|docker|crio|cri-o|cri-docker|cri-dockerd)(?:\.service)?$/;
const SERVED = /^(?:containerd|crio|cri-o)(?:\.service)?$/;

export const cause = defineCause({
  id: 'runtime-daemon-restart-loop',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['runtime-down', 'node-not-ready', 'kubelet-down', 'creating', 'init-stuck', 'stuck-terminating', 'control-plane-down'],
  effectOf: [
    'containerd-config-version-or-path-mismatch',
    'crio-cgroup-manager-mismatch',
    'disk-full-root',
    'oom-node-global',
    'os-upgrade-replaced-runtime-config',
    'runtime-database-damaged',
  ],
  wakesOn: [on('node.symptom', { symptom: 'runtime-down' })],

  text: {
    name: 'Runtime restarts in a loop',
    title: '{daemon} on {node} crashes and is restarted again and again ({how})',
    why: 'systemd starts {daemon} anew each time it ends ({how}). Between two starts nobody answers the kubelet: pods are neither started nor stopped, and the node flaps. {reason}',
  },

  clues: {
    loop: proves('unit.state', (state) => RUNTIME.test(state.unit) && isLoop(state)),
    lastWords: supports(
      'log.error',
      ({ channel, component, level }) => level === 'fatal' && (/^(?:containerd|docker|crio)-log$/.test(channel) || RUNTIME.test(component)),
    ),
    killMode: supports('runtime.setting', ({ key, value }) => key === 'KillMode' && value !== 'process'),
    vanished: supports('container.terminated', ({ reason, exitCode }) => reason === 'Unknown' && exitCode === 255),
    stopped: excludes(
      'unit.state',
      ({ unit, active, sub, restarts }) => SERVED.test(unit) && active === 'inactive' && sub === 'dead' && restarts === undefined,
    ),
  },
  says: {
    loop: '{daemon}: {how}',
    lastWords: 'its last words: {words}',
    killMode: 'KillMode={mode}: each restart of it kills its containers too',
    vanished: 'a container ended unseen while the runtime was down (255, Unknown)',
    stopped: 'the runtime is stopped and stays so; nobody restarts it',
  },
  slots: (place, { loop, lastWords, killMode }) => {
    const daemon = loop?.unit.replace(/\.service$/, '') ?? 'the container runtime';
    const restarts = loop?.restarts;
    const exit = loop?.exitStatus ? `exit ${loop.exitStatus}` : (loop?.result ?? 'it ends at once');
    return {
      node: place.name,
      daemon,
      how: restarts !== undefined ? `restart counter at ${restarts}, ${exit}` : exit,
      words: lastWords?.innermost ?? '',
      reason: lastWords ? `Its last words: ${lastWords.innermost}.` : 'Its own log says why it ends.',
      mode: killMode?.value ?? '',
      unit: daemon.includes(' ') ? 'containerd' : daemon,
    };
  },

  fixes: [
    {
      say: 'Read why {daemon} ends',
      risk: 'reads-only',
      steps: [
        {
          say: 'its last words and the state of its disk',
          run: 'journalctl -u {{unit}} -n 80 --no-pager; df -h /var/lib/containerd /var/lib/docker /run',
          on: 'node',
        },
        { say: 'whether its configuration is readable', run: 'containerd config dump > /dev/null && echo readable', on: 'node' },
      ],
    },
    {
      say: 'Repair what it complains of, then start it once by hand',
      risk: 'touches-node',
      steps: [
        { say: 'a bad configuration: correct it; a full disk: make room; an address in use: end the second daemon', on: 'node' },
        {
          say: 'clear the counter and start',
          run: 'systemctl reset-failed {{unit}}; systemctl restart {{unit}} && systemctl restart kubelet',
          on: 'node',
        },
      ],
      verified: 'systemctl show shows the same NRestarts after 10 minutes, and the node stays Ready',
    },
    {
      say: 'Only for a damaged database (invalid database, panic in bolt): start with an empty store',
      risk: 'may-lose-data',
      steps: [
        { say: 'empty the node', run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data', on: 'cluster' },
        {
          say: 'set the store aside; its images and containers are gone from this node',
          run: 'systemctl stop kubelet containerd && mv /var/lib/containerd /var/lib/containerd.before && systemctl start containerd kubelet',
          on: 'node',
        },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd cmd/containerd/command/main.go, containerd.service (KillMode=process)', 'systemd.service(5)'],
});

/** A daemon that has counted restarts over months and is up and well is no loop; nor is one restart. */
function isLoop({ active, sub, restarts, result, exitStatus }: Fact<'unit.state'>): boolean {
  if (result === 'start-limit-hit') return true;
  if (restarts === undefined) return sub === 'auto-restart';
  const well = active === 'active' && (result ?? 'success') === 'success' && exitStatus === undefined;
  return restarts >= 3 && !well;
}
