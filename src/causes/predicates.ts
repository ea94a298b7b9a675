import type { Fact, Symptom } from '../model/facts.ts';

export function isOneOf(...symptoms: readonly Symptom[]): (fact: { readonly symptom: Symptom }) => boolean {
  return ({ symptom }) => symptoms.includes(symptom);
}

/** Runs or has run to its end without trouble. */
export function isWell({ status, phase, restarts, readyContainers, containers }: Fact<'pod.status'>): boolean {
  return (status === 'Completed' && phase !== 'Running') || (status === 'Running' && restarts === 0 && readyContainers === containers);
}

/** Said by the cluster or the node, not by a program in a container that may quote anything. */
export function notByContainers({ channel }: Fact<'log.signature'>): boolean {
  return channel !== 'container-log';
}

/** Said by the program in a container about itself. */
export function byContainers({ channel }: Fact<'log.signature'>): boolean {
  return channel === 'container-log' || channel === 'control-plane-log' || channel === 'pod-status' || channel === 'prose';
}

/** The daemons of a node meet the same errors on their own account. */
export function byDaemons({ channel }: Fact<'log.signature'>): boolean {
  return /^(?:kubelet|containerd|docker|crio|system)-log$/.test(channel);
}

/** About some pod, not about a node on which much else goes on. */
export function notAboutNode({ about }: Fact<'log.signature'>): boolean {
  return !about.startsWith('Node/');
}

/** Said by a pod of such a name, or by one whose name nobody told. */
export function ofPodsNamed(name: RegExp): (fact: { readonly about: string }) => boolean {
  return ({ about }) => name.test(about) || /^(?:Pod|Container)\/[^/]*\/\?(?:\/|$)|^Node\//.test(about);
}
