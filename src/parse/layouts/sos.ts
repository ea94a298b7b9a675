import type { Context } from '../../model/reading.ts';
import { journal, log, nodeOf, output } from './commands.ts';

/** `sosreport-<host>-<case>-<date>-<random>/…` */
const ROOT =
  /(?:^|\/)sosreport-(?<host>[A-Za-z0-9][\w.-]{0,200}?)(?:-\d{5,12})?-(?:\d{4}-\d\d-\d\d|\d{8,14})-[a-z0-9]{5,8}(?:-obfuscated)?\/(?<file>[^\n]{1,1000})$/;
const COMMANDS = /(?:^|\/)sos_commands\/(?<plugin>[\w-]{2,40})\/(?<name>[^\n]{1,500})$/;
const JOURNAL = /^journalctl .{0,60}(?:--unit|-u) (?<unit>[\w@.-]{1,80})$/;

/** Commands are file names there: blanks became underscores, and slashes dots. */
function commandOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.replaceAll('_', ' ').replace(/^apparmor status$/, 'aa-status');
}

function ofCommand(name: string, at: Partial<Context>): Partial<Context> {
  const command = commandOf(name);
  const unit = JOURNAL.exec(command)?.groups?.['unit'];
  if (unit !== undefined) return journal(unit.replace(/\.service$/, ''), at);
  if (command.startsWith('journalctl ')) return log(/ (?:-k|--dmesg)\b/.test(command) ? 'kernel-log' : 'system-log', at);
  if (command.startsWith('dmesg')) return log('kernel-log', at);
  const context = output(command, at);
  const { channel: _channel, ...plain } = context;
  // Names of devices and folders in a command are not the names of logs.
  return /^(?:kubectl|oc|crictl|docker) .{0,80}\blogs?\b/.test(command) ? context : plain;
}

const FILES: readonly (readonly [RegExp, string])[] = [
  [/^proc\/mounts$/, 'cat /proc/mounts'],
  [/^proc\/meminfo$/, 'cat /proc/meminfo'],
  [/^proc\/swaps$/, 'cat /proc/swaps'],
  [/^proc\/cgroups$/, 'cat /proc/cgroups'],
  [/^proc\/loadavg$/, 'cat /proc/loadavg'],
  [/^proc\/sys\/(?:net|fs|kernel|vm|user)\/[\w/.-]{2,100}$/, 'cat'],
  [/^etc\/(?:os-release|resolv\.conf|hosts|fstab|docker\/daemon\.json|containerd\/config\.toml)$/, 'cat'],
  [/^etc\/(?:kubernetes|crio|cni|rancher|systemd)\/[\w/.@-]{2,200}$/, 'cat'],
  [/^var\/lib\/kubelet\/(?:config\.yaml|kubeadm-flags\.env)$/, 'cat'],
];

/** Files at the root that link to the output of a command. */
const SHORT: Readonly<Record<string, string>> = {
  df: 'df -al',
  free: 'free',
  mount: 'mount',
  lsmod: 'lsmod',
  ps: 'ps aux',
  uname: 'uname -a',
  uptime: 'uptime',
  date: 'date',
  hostname: 'hostname',
  netstat: 'netstat -neopa',
  ip_addr: 'ip -o addr',
  ip_route: 'ip route',
  route: 'route -n',
  lsof: 'lsof',
};

function ofFile(file: string, at: Partial<Context>): Partial<Context> {
  if (Object.hasOwn(SHORT, file)) return output(SHORT[file] ?? '', at);
  for (const [pattern, command] of FILES) {
    if (pattern.test(file)) return { ...at, command: command === 'cat' ? `cat /${file}` : command };
  }
  return at;
}

/** sosreport of one host. */
export function contextOfSos(path: string): Partial<Context> | undefined {
  const root = ROOT.exec(path)?.groups;
  const at = nodeOf(root?.['host']);
  const name = COMMANDS.exec(path)?.groups?.['name'];
  if (name !== undefined) return ofCommand(name, at);
  return root === undefined ? undefined : ofFile(root['file'] ?? '', at);
}
