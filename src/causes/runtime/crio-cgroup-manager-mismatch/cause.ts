import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const refused = line(
  ['cri-o configured with systemd cgroup manager', 'cri-o configured with cgroupfs cgroup manager'],
  ['pod-events', 'kubelet-log', 'crio-log'],
  /cri-o configured with (?<manager>systemd|cgroupfs) cgroup manager, but (?:did not receive slice|received systemd slice) as parent:? ?(?<parent>[^\s"\\,]{0,300})/i,
);

export const cause = defineCause({
  id: 'crio-cgroup-manager-mismatch',
  area: 'runtime',
  at: 'Node',
  maturity: 'stable',
  explains: ['creating', 'init-stuck', 'create-error', 'runtime-down', 'node-not-ready', 'control-plane-down'],
  effectOf: ['os-upgrade-replaced-runtime-config'],

  text: {
    name: 'CRI-O and kubelet differ',
    title: 'CRI-O on {node} is on the {crio} cgroup manager, the kubelet on {kubelet}',
    why: 'The kubelet names the cgroup of each pod in the form of its own driver ({kubelet}). CRI-O, with cgroup_manager = {crio}, checks that name and refuses the other form, so no new sandbox is made and pods stay in ContainerCreating.',
  },

  clues: {
    // A sandbox that somebody makes by hand with crictl says nothing about the kubelet.
    refused: proves(refused, ({ fields }) => (fields['parent'] ?? '').includes('kubepods')),
    manager: supports('runtime.cgroup-driver', ({ runtime }) => runtime === 'crio'),
    kubelet: supports('kubelet.cgroup-driver'),
    followsRuntime: excludes('node.driver-follows-runtime'),
  },
  says: {
    refused: 'CRI-O on {crio} refuses the parent cgroup {parent}',
    manager: 'CRI-O is set to cgroup_manager = {manager}',
    kubelet: 'the kubelet is set to {set}',
    followsRuntime: 'this kubelet takes the driver from CRI-O, so they cannot differ',
  },
  slots: (place, { refused: said, manager, kubelet }) => {
    const crio = said?.fields['manager']?.toLowerCase() ?? manager?.driver ?? 'systemd';
    return {
      node: place.name,
      crio,
      kubelet: crio === 'systemd' ? 'cgroupfs' : 'systemd',
      driver: (said?.fields['manager']?.toLowerCase() ?? manager?.driver) === 'systemd' ? 'systemd' : '',
      parent: said?.fields['parent'] || 'it was given',
      manager: manager?.driver ?? crio,
      set: kubelet?.driver ?? 'the other driver',
    };
  },

  fixes: [
    {
      say: 'Compare both settings first',
      risk: 'reads-only',
      steps: [
        { say: 'what CRI-O works with', run: "crio config 2>/dev/null | grep -E 'cgroup_manager|conmon_cgroup'", on: 'node' },
        { say: 'what the kubelet works with', run: 'grep -n cgroupDriver /var/lib/kubelet/config.yaml', on: 'node' },
      ],
    },
    {
      say: 'Set CRI-O on {node} to cgroup_manager = {kubelet}, as the kubelet is',
      risk: 'touches-node',
      steps: [
        {
          say: 'a drop-in with the driver of the kubelet; conmon_cgroup = "pod" fits both drivers',
          run: `printf '[crio.runtime]\\ncgroup_manager = "%s"\\nconmon_cgroup = "pod"\\n' {{kubelet}} > /etc/crio/crio.conf.d/99-cgroup-manager.conf`,
          on: 'node',
        },
        { say: 'restart CRI-O; running containers stay', run: 'systemctl restart crio', on: 'node' },
      ],
      verified: 'crio config shows the manager, and a new pod gets its sandbox',
    },
    {
      say: 'Or set the kubelet to cgroupDriver: systemd, the default of CRI-O',
      risk: 'touches-node',
      steps: [
        {
          say: 'write it and restart; pods made under the other driver restart',
          run: "sed -i '/^cgroupDriver:/d' /var/lib/kubelet/config.yaml && echo 'cgroupDriver: systemd' >> /var/lib/kubelet/config.yaml && systemctl restart kubelet",
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: 'cgroupDriver', value: '{{driver}}' },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'crio config shows the manager, and a new pod gets its sandbox',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['cri-o internal/config/cgmgr/systemd_linux.go, cgroupfs_linux.go'],
});
