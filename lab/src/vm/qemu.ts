import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must, runCommand, sleep } from '../run-command.ts';
import type { VmImage } from './image.ts';

export interface VmNetwork {
  /** Path of the network namespace that holds the bridge; the machine's own when left out. */
  readonly namespace?: string;
  readonly bridge: string;
  readonly address: string;
  readonly prefix: number;
  readonly gateway?: string;
}

export interface Machine {
  readonly name: string;
  /** Holds everything of one boot: overlay, seed, console, pid file, key. */
  readonly folder: string;
  readonly image: VmImage;
  readonly network: VmNetwork;
  readonly memoryMegabytes: number;
}

export const filesOf = (folder: string) => ({
  overlay: join(folder, 'overlay.qcow2'),
  seed: join(folder, 'seed.tar'),
  console: join(folder, 'console.log'),
  pid: join(folder, 'qemu.pid'),
  key: join(folder, 'key'),
  control: join(folder, 'ssh'),
});

/** Linux cuts interface names at 15 characters. */
export function tapName(name: string): string {
  return `tap-${name}`.slice(0, 15);
}

/** A locally administered address that stays the same for the same name. */
export function macAddress(name: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 0x1000000;
  const pairs = hash.toString(16).padStart(6, '0').match(/../g) ?? [];
  return ['52', '54', '00', ...pairs].join(':');
}

export function qemuArguments(machine: Machine): readonly string[] {
  const files = filesOf(machine.folder);
  return [
    ...['-name', machine.name, '-display', 'none', '-monitor', 'none', '-no-reboot'],
    ...['-machine', 'q35', '-accel', 'tcg,thread=multi,tb-size=512'],
    ...['-cpu', 'max,la57=off'], // five-level page tables only make emulated memory slower
    ...['-smp', '2', '-m', String(machine.memoryMegabytes)],
    ...['-kernel', machine.image.kernel, '-initrd', machine.image.initrd],
    ...['-append', 'root=/dev/vda rw console=ttyS0 net.ifnames=0 apparmor=1 security=apparmor mitigations=off systemd.show_status=true'],
    ...['-drive', `file=${files.overlay},format=qcow2,if=virtio,cache=unsafe`],
    ...['-drive', `file=${files.seed},format=raw,if=virtio,readonly=on`],
    ...['-netdev', `tap,id=lab,ifname=${tapName(machine.name)},script=no,downscript=no`],
    ...['-device', `virtio-net-pci,netdev=lab,mac=${macAddress(machine.name)}`],
    ...['-device', 'virtio-rng-pci'],
    ...['-serial', `file:${files.console}`, '-pidfile', files.pid, '-daemonize'],
  ];
}

/** Arguments in front of a program that has to run beside the bridge. */
export function beside(network: { readonly namespace?: string }): readonly string[] {
  return network.namespace === undefined ? [] : ['nsenter', `--net=${network.namespace}`];
}

export async function startQemu(machine: Machine): Promise<void> {
  const files = filesOf(machine.folder);
  const { network } = machine;
  const tap = tapName(machine.name);
  await must('qemu-img', ['create', '-q', '-f', 'qcow2', '-F', 'raw', '-b', machine.image.disk, files.overlay]);
  await mustBeside(network, ['ip', 'tuntap', 'add', 'dev', tap, 'mode', 'tap']);
  await mustBeside(network, ['ip', 'link', 'set', tap, 'master', network.bridge, 'up']);
  await mustBeside(network, ['qemu-system-x86_64', ...qemuArguments(machine)]);
}

/** Ends the machine of a folder, also one left by a run that crashed; says what is left over, nothing when all is gone. */
export async function stopQemu(name: string, folder: string, namespace?: string): Promise<string | undefined> {
  const files = filesOf(folder);
  const pid = runningPid(folder);
  if (pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    for (let tenths = 0; tenths < 100 && runningPid(folder) !== undefined; tenths += 1) {
      if (tenths === 50) process.kill(pid, 'SIGKILL');
      await sleep(100);
    }
  }
  const side = namespace === undefined || !existsSync(namespace) ? {} : { namespace };
  const tap = [...beside(side), 'ip', 'link', 'delete', tapName(name)];
  if (namespace === undefined || existsSync(namespace)) await runCommand(tap[0] ?? 'ip', tap.slice(1));
  if (runningPid(folder) !== undefined) return `qemu of ${name} (pid ${pid}) did not end`;
  for (const path of [files.overlay, files.seed, files.pid, files.key, `${files.key}.pub`, files.control]) rmSync(path, { force: true });
  return undefined;
}

/** The pid in the folder's pid file, only while it still is the qemu that wrote it. */
export function runningPid(folder: string): number | undefined {
  const { pid: path } = filesOf(folder);
  if (!existsSync(path)) return undefined;
  const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
  if (!Number.isInteger(pid) || pid < 2) return undefined;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(path) ? pid : undefined;
  } catch {
    return undefined;
  }
}

async function mustBeside(network: VmNetwork, words: readonly string[]): Promise<string> {
  const [program = '', ...args] = [...beside(network), ...words];
  return must(program, args);
}
