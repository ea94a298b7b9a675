import { defineCause, excludes, line, minutes, on, proves, supports } from '../../define-cause.ts';

const refuses = line(
  'running with swap on is not supported',
  ['kubelet-log', 'kubeadm-output'],
  /running with swap on is not supported(?:[\s\S]{0,200}?\/proc\/swaps contained: \[(?<swaps>[^\]]{1,300}))?/i,
);
const warned = line(
  ['[WARNING Swap]', 'swap is enabled; production'],
  'kubeadm-output',
  /\[WARNING Swap\]|swap is enabled; production deployments/,
);
const area = line(
  ['/swapfile', '/swap.img', 'partition\t', '/dev/zram'],
  'host-tools',
  /(?:^|\s)(?<device>\/(?:swapfile|swap\.img|dev\/[\w/-]{2,60}))\s+(?:file|partition)\s+[\d.]{1,12}[KMGi]{0,3}\s/,
);
const cameUp = line(
  ['Started kubelet', 'Successfully registered node'],
  'kubelet-log',
  /Started kubelet(?![.:]| -)|Successfully registered node/,
);
const tolerated = line('--fail-swap-on="false"', 'kubelet-log');

export const cause = defineCause({
  id: 'kubelet-swap-on',
  area: 'kubelet',
  at: 'Node',
  maturity: 'stable',
  explains: ['kubelet-down', 'node-not-ready', 'control-plane-down', 'other-trouble'],

  text: {
    name: 'Swap is on',
    title: 'Swap is on at {node}, and the kubelet refuses to start with it',
    why: 'The kubelet of {node} looks at /proc/swaps when it starts and exits if swap is active ({swaps}), unless failSwapOn is false. systemd starts it again and again; the node is NotReady. Usually swap came back with a reboot, because /etc/fstab or a systemd swap unit still has it.',
  },

  clues: {
    refuses: proves(refuses),
    warned: supports(warned),
    area: supports(area),
    setting: supports('kubelet.setting', ({ key, value }) => /^(?:failSwapOn|fail-swap-on)$/.test(key) && value === 'true'),
    tolerated: excludes(tolerated),
    cameUp: excludes(cameUp, ({ channel }) => channel === 'kubelet-log'),
  },
  says: {
    refuses: 'the kubelet says so itself: running with swap on is not supported',
    warned: 'kubeadm warned that swap is on',
    area: 'swap is in use: {device}',
    setting: 'failSwapOn is true',
    cameUp: 'the kubelet has started since',
    tolerated: 'this kubelet is told to tolerate swap (--fail-swap-on=false)',
  },
  slots: (place, { refuses: said, area: found }) => ({
    node: place.name,
    swaps:
      said?.fields['swaps']
        ?.replace(/Filename\s+Type\s+Size\s+Used\s+Priority\s*/, '')
        .replace(/\s+/g, ' ')
        .trim() ||
      found?.fields['device'] ||
      'a swap file or partition',
    device: found?.fields['device'] ?? 'a swap file or partition',
  }),
  wakesOn: [on('kubelet.setting', { key: 'failSwapOn', value: 'true' })],

  fixes: [
    {
      say: 'Switch swap off on {node}, now and at every boot',
      risk: 'touches-node',
      steps: [
        { say: 'what is in use', run: 'swapon --show; grep -n swap /etc/fstab; systemctl list-units --type=swap', on: 'node' },
        { say: 'off, now (needs enough free memory)', run: 'swapoff -a', on: 'node' },
        {
          say: 'off at boot: comment out the swap lines of fstab',
          run: "sed -i.before -E '/\\sswap\\s/ s/^([^#])/#\\1/' /etc/fstab",
          on: 'node',
        },
        {
          say: 'swap that no fstab line names comes from a unit or from zram: mask it',
          run: 'systemctl mask UNIT.swap; systemctl disable --now zramswap 2>/dev/null',
          on: 'node',
        },
        { say: 'start the kubelet', run: 'systemctl restart kubelet', on: 'node' },
      ],
      verified: 'swapon --show prints nothing, the kubelet stays active and {node} becomes Ready',
    },
    {
      say: 'Or let the kubelet run with swap',
      risk: 'touches-node',
      steps: [
        {
          say: 'failSwapOn: false in the kubelet configuration (containers use swap only with memorySwap.swapBehavior set, on cgroup v2)',
          run: "grep -q '^failSwapOn:' /var/lib/kubelet/config.yaml && sed -i 's/^failSwapOn:.*/failSwapOn: false/' /var/lib/kubelet/config.yaml || echo 'failSwapOn: false' >> /var/lib/kubelet/config.yaml; systemctl restart kubelet",
          on: 'node',
        },
      ],
      changes: [
        { do: 'kubelet-set', key: 'failSwapOn', value: false },
        { do: 'units', action: 'restart', units: ['kubelet'] },
      ],
      verified: 'the kubelet stays active and {node} is Ready',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: ['kubernetes pkg/kubelet/cm/container_manager_linux.go', 'kubernetes cmd/kubeadm/app/preflight/checks.go (SwapCheck)'],
});
