import { defineCause, excludes, minutes, namesOf, needs, on, supports } from '../../define-cause.ts';

const RUNC_LIKE = /^(?:runc|crun|youki|nvidia[\w-]*|default)$/i;
const KNOWN_SHIM = /kata|gvisor|runsc|firecracker|wasm|wasi|spin|quark|sandbox/i;

export const cause = defineCause({
  id: 'sandboxchanged-non-runc-shim-without-scope',
  area: 'runtime',
  at: 'Workload',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready'],
  wakesOn: [on('pod.silent-stops')],

  text: {
    name: 'Shim leaves pod slice empty',
    title: 'The shim of RuntimeClass {class} leaves the pod slice of {workload} empty, so the kubelet stops its pods',
    why: 'The kubelet makes a systemd slice for each pod, but the shim behind {class} (a VM or a sandbox, not runc) puts its processes elsewhere. systemd takes the controllers off the empty slice; the kubelet then thinks the pod has no cgroup, stops it without an error and makes a new sandbox.',
  },

  clues: {
    runtimeClass: needs('pod.runtime-class', ({ name }) => !RUNC_LIKE.test(name)),
    stops: needs('pod.silent-stops'),
    sandboxed: supports('pod.runtime-class', ({ name }) => KNOWN_SHIM.test(name)),
    knownShim: supports(
      'runtime.setting',
      ({ runtime, key, value }) =>
        runtime === 'containerd' && /^runtimes\..+\.runtime_type$/.test(key) && KNOWN_SHIM.test(`${key} ${value}`),
    ),
    runcWrong: excludes(
      'runtime.cgroup-driver',
      ({ runtime, driver, handler, ignored }) =>
        runtime === 'containerd' && driver === 'cgroupfs' && !ignored && (handler ?? 'runc') === 'runc',
    ),
  },
  says: {
    runtimeClass: 'its pods ask for the RuntimeClass {class}',
    stops: 'pods are stopped by the kubelet without an error: {stops}',
    sandboxed: '{class} stands for a VM or a sandbox, not for runc',
    knownShim: 'the handler runs {shim}, which is not runc',
    runcWrong: 'runc is on cgroupfs: the drivers disagree for all pods',
  },
  slots: (place, { runtimeClass, stops, knownShim }) => ({
    ...namesOf(place),
    workload: place.name,
    class: runtimeClass?.name ?? 'another runtime',
    stops: stops ? `Killing x${stops.kills}, SandboxChanged x${stops.sandboxChanges}` : 'Killing and SandboxChanged',
    shim: knownShim?.value ?? 'another shim',
  }),

  fixes: [
    {
      say: 'See where the processes of such a pod sit',
      risk: 'reads-only',
      steps: [
        {
          say: 'a pod slice without any .scope below it, and the cgroup of the shim',
          run: "find /sys/fs/cgroup/kubepods.slice -maxdepth 3 -name '*.scope' | head; for p in $(pgrep -f 'containerd-shim-(kata|runsc)'); do cat /proc/$p/cgroup; done",
          on: 'node',
        },
      ],
    },
    {
      say: 'Upgrade the shim, or make it use the slice it is given',
      risk: 'touches-node',
      steps: [
        {
          say: 'Kata: sandbox_cgroup_only = true in its configuration, in a release that knows systemd cgroups',
          run: 'grep -rn sandbox_cgroup_only /etc/kata-containers /opt/kata/share/defaults /usr/share/defaults/kata-containers 2>/dev/null',
          on: 'node',
        },
        { say: 'gVisor: systemd-cgroup = "true" in runsc.toml', run: 'grep -n systemd-cgroup /etc/containerd/runsc.toml', on: 'node' },
        { say: 'restart containerd, then make the pods anew', run: 'systemctl restart containerd', on: 'node' },
      ],
      verified: 'the pod slice holds a scope with all controllers, and nothing restarts for 10 minutes',
    },
    {
      say: 'Stop-gap: run {workload} without the RuntimeClass {class}, if its isolation can be spared',
      risk: 'restarts-pods',
      steps: [
        {
          say: 'take runtimeClassName out of the pod template',
          run: `kubectl -n {{namespace}} patch {{target}} --type merge -p '{"spec":{"template":{"spec":{"runtimeClassName":null}}}}'`,
          on: 'cluster',
        },
      ],
      changes: [{ do: 'workload-unset', field: 'runtimeClassName' }],
      verified: 'its restart count stays the same for 10 minutes',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/kubelet.go (SyncPod), pkg/kubelet/cm/cgroup_v2_manager_linux.go', 'kata-containers issue 2539'],
});
