import { defineCause, excludes, line, minutes, notByContainers, proves, supports } from '../../define-cause.ts';

const ASKED = ['pod-events', 'pod-status', 'kubelet-log', 'containerd-log', 'crio-log', 'system-log'] as const;
const device = line(
  ['/dev/vhost-vsock', 'Could not setup vhost fds'],
  ASKED,
  /(?:open (?=\/dev\/vhost-vsock)|Could not setup vhost fds \w{1,20} ?: open )(?<device>\/dev\/vhost-(?:vsock|net)): (?<error>no such device|no such file or directory|permission denied|operation not permitted)/,
);
const noKvm = line(
  ['Could not access KVM kernel module', 'failed to initialize kvm'],
  ASKED,
  /(?:Could not access KVM kernel module|failed to initialize kvm): (?<error>[A-Z][\w ]{3,60})/i,
);
const noConfig = line(
  ['Cannot find usable config file'],
  ASKED,
  /Cannot find usable config file \(config file [\\"]{0,4}(?<file>\/[^\s"\\]{3,200})/,
);
const silent = line(
  ['Failed to check if grpc server is working'],
  ASKED,
  /Failed to check if grpc server is working: [^\n]{0,80}?(?<said>timed out connecting to (?:hybrid )?vsock|connection refused|deadline exceeded)/,
);
const busy = line(
  ["could not insert 'vhost_vsock'"],
  ['host-tools', 'system-log', 'kernel-log'],
  /could not insert 'vhost_vsock': Device or resource busy/,
);
const binary = line(
  ['binary not installed', 'executable file not found in'],
  [],
  /runtime \\*"io\.containerd\.kata[^"\\]{0,60}\\*" binary not installed|containerd-shim-kata[\w-]{0,20}[^\n]{0,60}?executable file not found/,
);

export const cause = defineCause({
  id: 'kata-sandbox-cannot-start',
  area: 'runtime',
  at: 'Node',
  maturity: 'sandbox',
  explains: ['creating', 'create-error', 'init-stuck', 'failed', 'other-trouble'],
  effectOf: ['kernel-too-old-or-module-missing'],

  text: {
    name: 'Kata cannot start its VM',
    title: 'Kata Containers cannot start its virtual machine on {node}: {what}',
    why: 'Kata Containers runs every pod in a small virtual machine. For that the node needs KVM (/dev/kvm, on a virtual machine nested virtualisation), the kernel modules vhost, vhost_vsock and vhost_net, and a configuration of Kata. On {node} {what}, so no pod of this RuntimeClass starts there; pods of runc are not touched.',
  },

  clues: {
    device: proves(device, notByContainers),
    noKvm: proves(noKvm, notByContainers),
    noConfig: proves(noConfig, notByContainers),
    silent: proves(silent, notByContainers),
    busy: supports(busy),
    binary: excludes(binary),
  },
  says: {
    device: 'the device {device} cannot be opened: {error}',
    noKvm: 'the hypervisor finds no KVM: {error}',
    noConfig: 'Kata finds no configuration file',
    silent: 'the agent inside the virtual machine does not answer',
    busy: 'the module vhost_vsock cannot be loaded: another vsock driver (VMware, VirtualBox) holds its place',
    binary: 'the program of the handler is not installed at all',
  },
  slots: (place, { device: node, noKvm: kvm, noConfig: file }) => {
    const path = node?.fields['device'] ?? '/dev/kvm';
    const error = (node?.fields['error'] ?? kvm?.fields['error'] ?? 'not there').trim();
    return {
      node: place.name,
      device: path,
      error,
      what: node
        ? /denied|permitted/.test(error)
          ? `it may not open ${path} (${error})`
          : `the kernel module behind ${path} is not loaded (${error})`
        : kvm
          ? `there is no KVM (${error}): no virtualisation in the CPU, the BIOS or the virtual machine around it`
          : file
            ? 'Kata has no configuration file'
            : 'the agent inside the virtual machine does not answer (vsock, or a virtual machine that does not boot)',
    };
  },

  fixes: [
    {
      say: 'See whether the node can run virtual machines',
      risk: 'reads-only',
      steps: [
        {
          say: 'devices, modules and CPU flags',
          run: "ls -l /dev/kvm /dev/vhost-vsock /dev/vhost-net; lsmod | grep -E 'kvm|vhost|vsock'; grep -cE 'vmx|svm' /proc/cpuinfo",
          on: 'node',
        },
        { say: "Kata's own check", run: 'kata-runtime check --verbose', on: 'node' },
      ],
    },
    {
      say: 'Load the kernel modules, now and at every boot',
      risk: 'touches-node',
      for: ['device'],
      steps: [
        { say: 'now', run: 'modprobe kvm; modprobe -a vhost vhost_vsock vhost_net', on: 'node' },
        {
          say: 'at boot',
          run: "printf 'vhost\\nvhost_vsock\\nvhost_net\\n' > /etc/modules-load.d/kata.conf",
          on: 'node',
        },
        {
          say: 'vhost_vsock says "Device or resource busy" on VMware: its own vsock driver must go first',
          run: 'modprobe -r vmw_vsock_virtio_transport_common vmw_vsock_vmci_transport; modprobe vhost_vsock',
          on: 'node',
        },
      ],
      verified: 'a pod of the RuntimeClass becomes Running',
    },
    {
      say: 'Without KVM: switch virtualisation on in the BIOS, or nested virtualisation in the hypervisor or the instance type; else keep such pods off this node by a nodeSelector of the RuntimeClass',
      risk: 'touches-node',
      for: ['noKvm'],
      steps: [{ say: 'RuntimeClass.scheduling names the nodes that can', run: 'kubectl get runtimeclass -o yaml', on: 'cluster' }],
    },
  ],

  verify: { quietForMinutes: minutes(15) },
  sources: [
    'kata-containers src/runtime/virtcontainers (qemu.go, kata_agent.go), pkg/katautils/config.go',
    'kata-containers issues 1327, 3459, 6451',
    'qemu accel/kvm/kvm-all.c',
  ],
});
