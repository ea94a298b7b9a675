import type { Channel } from '../../model/channel.ts';
import { nodeId } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';
import { contextOfPrompt } from '../context.ts';

const HOST = /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/;

/** The node a folder or archive is named after. */
export function nodeOf(name: string | undefined): Partial<Context> {
  const host = name?.replace(/\.(?:zip|tar|tgz|tar\.gz)$/, '');
  return host !== undefined && HOST.test(host) && !/^localhost(?:\.|$)/.test(host) ? { node: nodeId(host) } : {};
}

/** A file that holds what a command printed on a node. */
export function output(command: string, at: Partial<Context> = {}): Partial<Context> {
  const { doc: _doc, ...context } = contextOfPrompt({ command }, { doc: '', ...at });
  return context;
}

/** A log of a daemon or of the system. */
export function log(channel: Channel, at: Partial<Context> = {}): Partial<Context> {
  return { ...at, channel };
}

const BY_UNIT: Readonly<Record<string, Channel>> = {
  kubelet: 'kubelet-log',
  k3s: 'kubelet-log',
  'k3s-agent': 'kubelet-log',
  'k3s-service': 'kubelet-log',
  'k3s-agent-service': 'kubelet-log',
  containerd: 'containerd-log',
  docker: 'docker-log',
  'cri-docker': 'docker-log',
  'cri-dockerd': 'docker-log',
  crio: 'crio-log',
  kernel: 'kernel-log',
  dmesg: 'kernel-log',
};

/** The journal of one unit. */
export function journal(unit: string, at: Partial<Context> = {}): Partial<Context> {
  const channel: Channel = (Object.hasOwn(BY_UNIT, unit) ? BY_UNIT[unit] : undefined) ?? 'system-log';
  return { ...at, unit, channel };
}
