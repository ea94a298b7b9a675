import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cgroupLeftovers, removeNodeCgroups } from './cgroups.ts';
import { otherNotes, restoreKernelSettings, settingsNote } from './kernel-settings.ts';
import { networkLeftovers, removeNetwork } from './network.ts';
import { endProcess, forgetProcess, isAlive, type Known, knownProcesses, signal } from './processes.ts';
import { holdsWithin } from './run-command.ts';
import { NAMESPACE_NODES, nodeFolder, type Paths, pidFolder } from './settings.ts';
import { leaveLab } from './vm/join.ts';

/** The first process of a pid namespace takes every other of it along; systemd does not end on SIGTERM. */
export async function endNode(known: Known): Promise<boolean> {
  signal(known, 'SIGKILL');
  return holdsWithin(20, async () => !isAlive(known), 100);
}

const STOP_ORDER = ['kube-scheduler', 'kube-controller-manager', 'kube-apiserver', 'etcd'];

/** Nodes first, and each before the process that launched it. */
function inStopOrder(known: readonly Known[]): readonly Known[] {
  const order = [...NAMESPACE_NODES.flatMap(({ name }) => [name, `${name}-launch`]), ...STOP_ORDER];
  const rank = ({ name }: Known): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...known].sort((left, right) => rank(left) - rank(right));
}

/** Removes all traces, also those of a lab that was cut short. Returns what is still there. */
export async function down(paths: Paths, say: (line: string) => void): Promise<readonly string[]> {
  const left = [...(await leaveLab(paths))];
  const folder = pidFolder(paths);
  for (const known of inStopOrder(knownProcesses(folder))) {
    const isNode = NAMESPACE_NODES.some(({ name }) => known.name === name);
    if (isAlive(known)) say(`ending ${known.name} (pid ${known.pid})`);
    const gone = isNode ? await endNode(known) : await endProcess(known);
    if (gone) forgetProcess(folder, known.name);
    else left.push(`process ${known.name} (pid ${known.pid})`);
  }
  for (const { name } of NAMESPACE_NODES) await removeNodeCgroups(name);
  await removeNetwork();
  left.push(...restoreKernelSettings(settingsNote(paths.state), otherNotes(paths.state)));
  if (left.length === 0) rmSync(paths.state, { recursive: true, force: true });
  return [...left, ...(await leftovers(paths))];
}

export async function leftovers(paths: Paths): Promise<readonly string[]> {
  const alive = knownProcesses(pidFolder(paths))
    .filter(isAlive)
    .map((known) => `process ${known.name} (pid ${known.pid})`);
  return [...alive, ...cgroupLeftovers(), ...(await networkLeftovers()), ...mountLeftovers(paths), ...loopLeftovers(paths)];
}

function mountLeftovers(paths: Paths): readonly string[] {
  return mountsBelow(readFileSync('/proc/self/mounts', 'utf8'), paths.state).map((target) => `mount ${target}`);
}

export function mountsBelow(mounts: string, folder: string): readonly string[] {
  return mounts
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((target) => target === folder || target.startsWith(`${folder}/`));
}

function loopLeftovers(paths: Paths): readonly string[] {
  const disks = NAMESPACE_NODES.map(({ name }) => join(nodeFolder(paths, name), 'disk.img'));
  const backing = Array.from({ length: 64 }, (_, index) => [`/dev/loop${index}`, `/sys/block/loop${index}/loop/backing_file`] as const);
  return backing.flatMap(([device, file]) => {
    if (!existsSync(file)) return [];
    const image = readFileSync(file, 'utf8')
      .trim()
      .replace(/ \(deleted\)$/, '');
    return disks.includes(image) ? [`loop device ${device} (${image})`] : [];
  });
}
