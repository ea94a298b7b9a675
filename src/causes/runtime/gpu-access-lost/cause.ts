import { defineCause, excludes, line, minutes, proves, supports } from '../../define-cause.ts';

const ASKED = ['container-log', 'host-tools', 'pod-events'] as const;
const unknown = line(
  ['Failed to initialize NVML', 'CUDA_ERROR_NO_DEVICE', 'CUDA unknown error'],
  ASKED,
  /Failed to initialize NVML: (?:Unknown Error|ERROR_UNKNOWN)|CUDA unknown error - this may be due to/,
);
/** The rules of a container as cgroup v1 shows them: make node only, no read, no write. */
const rule = line(['devices.list', 'c 195:* m'], ['host-tools', 'container-log'], /^\s*c 195:\S{1,6} m\s*$/m);
const faulty = line(['fallen off the bus', 'GPU is lost', 'RmInitAdapter failed', 'Driver/library version mismatch'], []);

export const cause = defineCause({
  id: 'gpu-access-lost',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['crash-loop', 'restarts', 'not-ready', 'failed', 'other-trouble'],

  text: {
    name: 'Running container lost its GPU',
    title: 'Containers on {node} have lost the access to their GPU: NVML answers "Unknown Error"',
    why: 'The device nodes are in the container, but the kernel no longer lets it use them. The NVIDIA hook opens the devices behind the back of the runtime, so that systemd and the kubelet do not know of it: with the systemd cgroup driver a systemctl daemon-reload (any package update does one), and with the static CPU manager every update of the container, writes the device rules anew without the GPU. On the host nvidia-smi works, and a new pod works too until the next time.',
  },

  clues: {
    unknown: supports(unknown),
    rule: proves(rule),
    faulty: excludes(faulty),
  },
  says: {
    unknown: 'NVML in the container cannot be initialized: Unknown Error',
    rule: 'the device rules of the container allow neither reading nor writing the GPU (c 195:* m)',
    faulty: 'GPU or driver themselves are at fault',
  },
  slots: (place) => ({ node: place.name }),

  fixes: [
    {
      say: 'See whether it is so: the host sees the GPU, the container may not',
      risk: 'reads-only',
      steps: [
        { say: 'on the host', run: 'nvidia-smi; journalctl -b --no-pager | grep -E "systemd\\[1\\]: Reloading" | tail -3', on: 'node' },
        {
          say: 'in the pod; cgroup v1 only',
          run: 'kubectl -n NAMESPACE exec POD -- sh -c "nvidia-smi; cat /sys/fs/cgroup/devices/devices.list; ls -l /dev/nvidia*"',
          on: 'cluster',
        },
      ],
    },
    {
      say: 'Make the pod anew: that gives the GPU back until the next reload',
      risk: 'restarts-pods',
      steps: [{ say: 'its controller makes another', run: 'kubectl -n NAMESPACE delete pod POD', on: 'cluster' }],
      changes: [{ do: 'restart-pods' }],
      verified: 'nvidia-smi answers in the new pod',
    },
    {
      say: 'For good: let the runtime know of the devices (CDI, or the device plugin with PASS_DEVICE_SPECS), and give systemd the links it looks for',
      risk: 'touches-node',
      steps: [
        {
          say: 'links below /dev/char, once and at every boot',
          run: 'nvidia-ctk system create-dev-char-symlinks --create-all',
          on: 'node',
        },
        {
          say: 'GPU operator: CDI as the default',
          run: 'kubectl patch clusterpolicies.nvidia.com cluster-policy --type merge -p \'{"spec":{"cdi":{"enabled":true,"default":true}}}\'',
          on: 'cluster',
        },
        {
          say: 'device plugin with the static CPU manager: privileged, with this variable',
          run: 'kubectl -n kube-system set env daemonset/nvidia-device-plugin-daemonset PASS_DEVICE_SPECS=true',
          on: 'cluster',
        },
      ],
      verified: 'after systemctl daemon-reload nvidia-smi still answers in the pod',
    },
  ],

  verify: { quietForMinutes: minutes(10) },
  sources: [
    'NVIDIA/nvidia-container-toolkit notice: containers lose access to GPUs (issue 48)',
    'NVIDIA/k8s-device-plugin README (PASS_DEVICE_SPECS)',
    'opencontainers/runc libcontainer/cgroups/devices/systemd.go',
  ],
});
