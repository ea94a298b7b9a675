import { defineCause, excludes, minutes, needs, on, proves, supports } from '../../define-cause.ts';

const BASE = /^(?:runc|default_runtime)$/;

export const cause = defineCause({
  id: 'cgroup-driver-mixed-runtime-handlers',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['crash-loop', 'restarts', 'not-ready'],
  effectOf: ['os-upgrade-replaced-runtime-config'],
  wakesOn: [on('runtime.cgroup-driver', { driver: 'cgroupfs' })],

  text: {
    name: 'One runtime handler differs',
    title: 'The runtime handler {handler} on {node} lacks SystemdCgroup = true, runc has it',
    why: 'containerd keeps the cgroup driver per handler. Pods that run under {handler} are put outside their systemd slice (cgroupfs); systemd takes the controllers off the empty slice, and the kubelet stops and restarts just those pods, without an error.',
  },

  clues: {
    runc: needs(
      'runtime.cgroup-driver',
      ({ runtime, driver, handler, ignored }) =>
        runtime === 'containerd' && driver === 'systemd' && !ignored && BASE.test(handler ?? 'runc'),
    ),
    odd: needs(
      'runtime.cgroup-driver',
      ({ runtime, driver, handler, ignored }) =>
        runtime === 'containerd' && driver === 'cgroupfs' && !ignored && handler !== undefined && !BASE.test(handler),
    ),
    colonPath: proves('container.cgroup-path', ({ shape }) => shape === 'colon'),
    stops: supports('pod.silent-stops'),
    runtimeClass: supports('pod.runtime-class'),
    isDefault: supports(
      'runtime.setting',
      ({ runtime, key, value }) => runtime === 'containerd' && key === 'default_runtime_name' && value !== 'runc',
    ),
    runcToo: excludes(
      'runtime.cgroup-driver',
      ({ runtime, driver, handler, ignored }) =>
        runtime === 'containerd' && driver === 'cgroupfs' && !ignored && BASE.test(handler ?? 'runc'),
    ),
    kubeletCgroupfs: excludes('kubelet.cgroup-driver', ({ driver }) => driver === 'cgroupfs'),
  },
  says: {
    runc: 'the runc handler is on systemd',
    odd: 'the handler {handler} is on cgroupfs{left}',
    colonPath: 'a container sits outside its pod slice, under a path with colons',
    stops: 'pods are stopped by the kubelet without an error: {stops}',
    runtimeClass: 'an affected pod asks for the RuntimeClass {class}',
    isDefault: 'pods without a class run under {default}, the default handler',
    runcToo: 'runc is on cgroupfs itself: the whole runtime differs from the kubelet',
    kubeletCgroupfs: 'the kubelet is on cgroupfs: then runc is the one that differs',
  },
  slots: (place, { odd, stops, runtimeClass, isDefault }) => ({
    node: place.name,
    handler: odd?.handler ?? 'one runtime handler',
    daemon: odd?.handler !== undefined && odd.handler === isDefault?.value ? 'containerd' : '',
    left: odd && !odd.explicit ? ', since the key is missing' : '',
    stops: stops ? `Killing x${stops.kills}, SandboxChanged x${stops.sandboxChanges}` : 'Killing and SandboxChanged',
    class: runtimeClass?.name ?? 'of that handler',
    default: isDefault?.value ?? 'runc',
  }),

  fixes: [
    {
      say: 'See which handlers differ',
      risk: 'reads-only',
      steps: [
        {
          say: 'the driver of each handler, as containerd works with it',
          run: "containerd config dump | grep -nE 'runtimes\\.|SystemdCgroup|default_runtime_name'",
          on: 'node',
        },
      ],
    },
    {
      say: 'Set SystemdCgroup = true for the handler {handler} as well',
      risk: 'touches-node',
      steps: [
        {
          say: 'move the pods away first, or accept that those of {handler} restart once',
          run: 'kubectl drain {{node}} --ignore-daemonsets --delete-emptydir-data',
          on: 'cluster',
        },
        {
          say: 'in /etc/containerd/config.toml (or the drop-in that holds the handler) put SystemdCgroup = true under its options table; a vendor tool such as nvidia-ctk writes it anew when it is run after the change',
          run: "grep -rnE 'runtimes\\.|SystemdCgroup' /etc/containerd/config.toml /etc/containerd/conf.d 2>/dev/null",
          on: 'node',
        },
        { say: 'restart containerd; containers of other handlers stay', run: 'systemctl restart containerd', on: 'node' },
        { say: 'let pods come back', run: 'kubectl uncordon {{node}}', on: 'cluster' },
      ],
      changes: [
        { do: 'containerd-set', setting: 'SystemdCgroup', value: true },
        { do: 'units', action: 'restart', units: ['{{daemon}}'] },
      ],
      verified:
        'containers of each RuntimeClass sit in …/cri-containerd-<id>.scope below kubepods.slice, and nothing restarts for 10 minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['containerd docs/cri/config.md', 'containerd internal/cri/server/runtime_config_linux.go'],
});
