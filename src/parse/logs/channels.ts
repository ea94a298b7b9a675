import type { Channel } from '../../model/channel.ts';
import type { LogLine } from './log-line.ts';
import { programByWords, programOf } from './programs.ts';

/** Channels that are logs: text that follows is a log even where its lines have no format. */
export const LOG_CHANNELS: ReadonlySet<Channel> = new Set<Channel>([
  'container-log',
  'kubelet-log',
  'containerd-log',
  'docker-log',
  'crio-log',
  'kernel-log',
  'system-log',
  'control-plane-log',
]);

const CONTROL_PLANE = new Set(['kube-apiserver', 'etcd', 'kube-scheduler', 'kube-controller-manager', 'cloud-controller-manager']);

const CHANNEL_OF_UNIT: Readonly<Record<string, Channel>> = {
  kubelet: 'kubelet-log',
  containerd: 'containerd-log',
  docker: 'docker-log',
  dockerd: 'docker-log',
  'dockerd-current': 'docker-log',
  'cri-dockerd': 'docker-log',
  'cri-docker': 'docker-log',
  crio: 'crio-log',
  'cri-o': 'crio-log',
  kubeadm: 'kubeadm-output',
  kernel: 'kernel-log',
  audit: 'kernel-log',
};

/** Distributions that run the kubelet, the runtime and more in one process. */
const BUNDLED = /^(?:k3s|k3s-agent|rke2|rke2-agent|rke2-server|k0s|k0sworker|k0scontroller|kubelite|microk8s\.daemon-kubelite)$/;

export function channelOfUnit(unit: string, line: LogLine): Channel {
  const name = unit
    .replace(/\.service$/, '')
    .replace(/^snap\./, '')
    .replace(/^microk8s\.daemon-(?=containerd|kubelet$)/, '');
  if (Object.hasOwn(CHANNEL_OF_UNIT, name)) return CHANNEL_OF_UNIT[name] ?? 'system-log';
  if (CONTROL_PLANE.has(name)) return 'control-plane-log';
  // What such a process hands on tells in its words whose it is; the rest is its own, unless it is in the format of the kubelet.
  if (BUNDLED.test(name))
    return channelOfProgram(programOf(line) ?? programByWords(line.message)) ?? (line.format === 'klog' ? 'kubelet-log' : 'system-log');
  return 'system-log';
}

/** Undefined for programs that run in pods and speak in their container's log. */
export function channelOfProgram(program: string | undefined): Channel | undefined {
  if (program === undefined) return undefined;
  if (Object.hasOwn(CHANNEL_OF_UNIT, program)) return CHANNEL_OF_UNIT[program];
  if (BUNDLED.test(program)) return 'system-log';
  return CONTROL_PLANE.has(program) ? 'control-plane-log' : undefined;
}

/** Static pods of the control plane are named after their program. */
export function controlPlaneProgram(podName: string): string | undefined {
  for (const program of CONTROL_PLANE) {
    if (podName === program || podName.startsWith(`${program}-`)) return program;
  }
  return undefined;
}

export function programOfChannel(channel: Channel): string | undefined {
  switch (channel) {
    case 'kubelet-log':
      return 'kubelet';
    case 'containerd-log':
      return 'containerd';
    case 'docker-log':
      return 'dockerd';
    case 'crio-log':
      return 'crio';
    case 'kernel-log':
      return 'kernel';
    default:
      return undefined;
  }
}
