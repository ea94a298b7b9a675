import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const SAID = ['container-log', 'host-tools', 'system-log', 'kernel-log'] as const;
const gpl = line(
  ['GPL-incompatible module nvidia'],
  SAID,
  /GPL-incompatible module (?<module>nvidia[\w.-]{0,20}) uses GPL-only symbol '(?<symbol>\w{2,60})'/,
);
const noKernel = line(
  ['Could not resolve Linux kernel version', 'Unable to find the kernel source tree', 'Unable to find a match: kernel-'],
  SAID,
  /Could not resolve Linux kernel version|Unable to find the kernel source tree for the currently running kernel|Unable to find a match: kernel-(?:headers|devel|core)-(?<kernel>[\w.+-]{3,80})/,
);
const key = line(
  ['Required key not available', 'Key was rejected by service'],
  SAID,
  /could not insert [\\"']{1,4}nvidia[\w-]{0,20}[\\"']{1,4}: (?<error>Required key not available|Key was rejected by service)/,
);
const nouveau = line(['Nouveau kernel driver is currently in use'], SAID, /The Nouveau kernel driver is currently in use by your system/);
const busy = line(
  ['Could not unload NVIDIA driver kernel modules'],
  SAID,
  /Could not unload NVIDIA driver kernel modules, driver is in use/,
);
const notLoaded = line(
  ["Unable to load the kernel module 'nvidia", 'Unable to build the NVIDIA kernel module', 'nvidia kernel module was successfully built'],
  SAID,
  /Unable to load the kernel module 'nvidia[\w.-]{0,20}'|Unable to build the NVIDIA kernel module|An error occurred while performing the step: [^\n]{0,60}nvidia kernel module was successfully built/,
);
const made = line(
  ['/usr/src/nvidia-'],
  SAID,
  /make(?:\[\d\])?: \*\*\* \[[^\n]{0,200}\/usr\/src\/nvidia-(?<driver>\d[\d.]{2,20})[^\n]{0,200}\] Error \d/,
);
const version = line(
  ['Starting installation of NVIDIA driver version'],
  'container-log',
  /Starting installation of NVIDIA driver version (?<driver>\d[\d.]{2,20}) for Linux kernel version (?<kernel>[\w.+-]{3,80})/,
);
const done = line(['Done, now waiting for signal'], [], /Done, now waiting for signal/);

export const cause = defineCause({
  id: 'nvidia-driver-not-built',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['crash-loop', 'init-crash', 'init-stuck', 'restarts', 'failed', 'not-ready', 'pending', 'creating', 'other-trouble'],
  effectOf: ['image-registry-unreachable', 'immutable-or-minimal-os-missing-tools'],

  text: {
    name: 'NVIDIA driver cannot be installed',
    title: 'The NVIDIA driver{driver} cannot be installed on {node}{kernel}: {what}',
    why: 'The driver container of the GPU operator (or the installer) builds the kernel module of the NVIDIA driver for the running kernel and loads it. On {node} that fails: {what}. Everything that needs a GPU waits for it: toolkit, device plugin, validator, and all pods that ask for nvidia.com/gpu.',
  },

  clues: {
    gpl: proves(gpl),
    noKernel: proves(noKernel),
    key: proves(key),
    nouveau: proves(nouveau),
    busy: proves(busy),
    notLoaded: supports(notLoaded),
    made: supports(made),
    version: supports(version),
    done: excludes(done),
  },
  says: {
    gpl: 'the module does not link: {symbol} is for GPL modules only in this kernel',
    noKernel: 'no headers of the running kernel are found in the package repositories',
    key: 'the kernel refuses the module: {error} (Secure Boot)',
    nouveau: 'the driver nouveau holds the GPU',
    busy: 'the old driver is in use and cannot be unloaded',
    notLoaded: 'the kernel module cannot be built or loaded',
    made: 'the build of the driver ends with an error',
    version: 'driver {version} is to be built',
    done: 'the driver container has finished its work',
  },
  slots: (place, { gpl: symbol, noKernel, key: signed, nouveau: other, busy: used, made: build, version: told }) => {
    const driver = told?.fields['driver'] ?? build?.fields['driver'];
    const kernel = told?.fields['kernel'] ?? noKernel?.fields['kernel'];
    const error = signed?.fields['error'] ?? 'key not available';
    return {
      node: place.name,
      version: driver ?? 'NVIDIA',
      driver: driver ? ` ${driver}` : '',
      kernel: kernel ? ` (kernel ${kernel})` : '',
      symbol: symbol?.fields['symbol'] ?? 'a symbol',
      error,
      what: symbol
        ? `this driver version is too old for the kernel and does not compile (GPL-only symbol ${symbol.fields['symbol'] ?? ''})`
        : signed
          ? `Secure Boot refuses the unsigned kernel module (${error})`
          : other
            ? 'the open driver nouveau is loaded and holds the GPU'
            : used
              ? 'the driver that is loaded is in use, so the new one cannot take its place'
              : noKernel
                ? 'the headers of the running kernel are not in the package repositories it reaches'
                : 'its kernel module cannot be built or loaded (see the lines above in its log)',
    };
  },

  fixes: [
    {
      say: 'See kernel, driver version and what holds the GPU',
      risk: 'reads-only',
      steps: [
        {
          say: 'on the node',
          run: "uname -r; lsmod | grep -E 'nvidia|nouveau'; mokutil --sb-state; cat /proc/driver/nvidia/version 2>/dev/null",
          on: 'node',
        },
        {
          say: 'the log of the driver container',
          run: 'kubectl -n gpu-operator logs -l app=nvidia-driver-daemonset -c nvidia-driver-ctr --tail=60',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Use a newer driver version that builds on this kernel, or go back to the kernel that worked',
      risk: 'touches-node',
      for: ['gpl', 'made'],
      steps: [
        {
          say: 'the GPU operator takes it from its ClusterPolicy; the newest of the same branch is the least change',
          run: 'kubectl patch clusterpolicy cluster-policy --type merge -p \'{"spec":{"driver":{"version":"DRIVER_VERSION"}}}\'',
          on: 'cluster',
        },
        {
          say: 'keep the kernel from being upgraded under it',
          run: 'apt-mark hold linux-image-generic linux-headers-generic',
          on: 'node',
          family: 'debian',
        },
      ],
      verified: 'nvidia-smi answers in the driver pod, and the validator completes',
    },
    {
      say: 'Kernel headers: let the driver container reach the repositories (proxy, mirror, subscription), or install the driver on the host and set driver.enabled=false',
      risk: 'touches-node',
      for: ['noKernel'],
      steps: [
        {
          say: 'Debian, Ubuntu: are they offered?',
          run: 'apt-get update && apt-cache policy linux-headers-$(uname -r)',
          on: 'node',
          family: 'debian',
        },
        { say: 'RHEL, CentOS', run: 'dnf list --showduplicates kernel-devel-$(uname -r)', on: 'node', family: 'rhel' },
      ],
    },
    {
      say: 'Free the GPU: blacklist nouveau and reboot; switch Secure Boot off or enrol a key; stop what uses the old driver',
      risk: 'touches-node',
      for: ['nouveau', 'busy', 'key'],
      steps: [
        {
          say: 'nouveau',
          run: "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' > /etc/modprobe.d/blacklist-nouveau.conf && update-initramfs -u 2>/dev/null || dracut -f",
          on: 'node',
        },
        {
          say: 'who uses it',
          run: 'fuser -v /dev/nvidia* 2>/dev/null; systemctl stop nvidia-persistenced nvidia-fabricmanager 2>/dev/null',
          on: 'node',
        },
        { say: 'a reboot clears what is left', run: 'systemctl reboot', on: 'node' },
      ],
    },
  ],

  verify: { quietForMinutes: minutes(20) },
  sources: [
    'NVIDIA gpu-driver-container ubuntu22.04/nvidia-driver, rhel8/nvidia-driver',
    'NVIDIA gpu-operator issues 85, 718, 729, 751',
    'Linux scripts/mod/modpost.c, kernel/module/signing.c',
  ],
});
