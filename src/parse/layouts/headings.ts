import type { Context } from '../../model/reading.ts';
import { contextOfFile } from '../context.ts';
import { journal, output } from './commands.ts';

/** A line that names what follows: `==> kubelet <==` of `minikube logs`, `==> /var/log/messages <==` of `tail`. */
export interface Heading {
  readonly context: Context;
  /** Every line below begins with `* `, as some versions of minikube print. */
  readonly starred: boolean;
}

const HEADING = /^(?<star>\* )?==> (?<name>[\w./ @:-]{1,300}?)(?: \["?(?<id>[0-9a-f]{12,64})"?\])? <==\s*$/;
const COMPONENT = /^(?:kube-apiserver|kube-controller-manager|kube-scheduler|etcd)$/;

const NAMED: Readonly<Record<string, Partial<Context>>> = {
  kubelet: journal('kubelet'),
  docker: journal('docker'),
  containerd: journal('containerd'),
  'cri-o': journal('crio'),
  dmesg: { channel: 'kernel-log' },
  kernel: output('uptime'),
  'container status': output('crictl ps -a'),
  'describe nodes': output('kubectl describe nodes'),
  'last start': { channel: 'system-log' },
  audit: {},
};

export function headingOf(line: string, base: Context): Heading | undefined {
  if (line.length > 400) return undefined;
  const groups = HEADING.exec(line)?.groups;
  if (!groups) return undefined;
  const { star, name = '', id } = groups;
  const lower = name.toLowerCase();
  const starred = star !== undefined;
  if (name.startsWith('/')) return { context: { ...base, command: `cat ${name}`, ...contextOfFile(name) }, starred };
  if (id !== undefined) return { context: { ...base, ...ofContainer(name, id) }, starred };
  return Object.hasOwn(NAMED, lower) ? { context: { ...base, ...NAMED[lower] }, starred } : undefined;
}

/** Containers are named there by what they run and the beginning of their id. */
function ofContainer(name: string, id: string): Partial<Context> {
  if (COMPONENT.test(name)) return { channel: 'control-plane-log' };
  return { channel: 'container-log', pod: `cid:${id}` };
}
