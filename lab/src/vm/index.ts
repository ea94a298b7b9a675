import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LabNode } from '../lab.ts';
import { must, sleep } from '../run-command.ts';
import type { Paths } from '../settings.ts';
import { type Channel, openChannel } from './channel.ts';
import { vmImage } from './image.ts';
import { type ClusterAccess, seedFiles } from './kubernetes.ts';
import { filesOf, runningPid, startQemu, stopQemu, type VmNetwork } from './qemu.ts';
import { missingForVm } from './requirements.ts';
import { importImages, writeKubeletFlags } from './setup.ts';
import { tar } from './tar.ts';

export interface VmOptions {
  readonly paths: Paths;
  readonly name: string;
  /** Of this node alone; made if missing. Its path must be short: a unix socket lies in it. */
  readonly folder: string;
  readonly network: VmNetwork;
  readonly cluster: ClusterAccess;
  /** Docker archives to import into the node's containerd. */
  readonly imageArchives: readonly string[];
  readonly memoryMegabytes?: number;
  readonly bootWithinSeconds?: number;
  readonly say?: (line: string) => void;
}

export interface VmNode extends LabNode {
  readonly kind: 'vm';
  readonly folder: string;
  readonly address: string;
}

/** Boots a fresh overlay of the prepared image; its kubelet does not run yet. Throws with the last words of its console. */
export async function startVm(options: VmOptions): Promise<VmNode> {
  const missing = missingForVm();
  if (missing.length > 0) throw new Error(`VM nodes cannot run here; missing: ${missing.join('; ')}`);
  const say = options.say ?? (() => undefined);
  const image = await vmImage(options.paths, say);
  const left = await stopQemu(options.name, options.folder, options.network.namespace);
  if (left !== undefined) throw new Error(left);
  const { folder, network } = options;
  const files = filesOf(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(files.console, { force: true });
  await must('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'lab', '-f', files.key]);
  const seed = seedFiles({ name: options.name, ...network, publicKey: readFileSync(`${files.key}.pub`, 'utf8'), cluster: options.cluster });
  writeFileSync(files.seed, tar(seed), { mode: 0o600 });
  say(`booting ${options.name}`);
  try {
    await startQemu({ name: options.name, folder, image, network, memoryMegabytes: options.memoryMegabytes ?? 2048 });
    const channel = openChannel(folder, network);
    await waitForBoot(options, channel);
    const node = nodeOver(options, channel);
    await importImages(node, options.imageArchives);
    await writeKubeletFlags(node, network.address);
    return node;
  } catch (error) {
    keepConsole(folder);
    await stopQemu(options.name, folder, network.namespace);
    throw error;
  }
}

export interface VmPlace {
  readonly name: string;
  readonly folder: string;
  readonly network: VmNetwork;
}

/** The VM of a folder while it runs, whoever started it. */
export function attachVm(place: VmPlace): VmNode | undefined {
  return runningPid(place.folder) === undefined ? undefined : nodeOver(place, openChannel(place.folder, place.network));
}

/** Ends the VM of a folder, whoever started it; says what is left over, nothing when all is gone. */
export async function stopVm({ name, folder, network }: VmPlace): Promise<string | undefined> {
  await openChannel(folder, network).close();
  return stopQemu(name, folder, network.namespace);
}

function nodeOver(place: VmPlace, channel: Channel): VmNode {
  const { name, folder, network } = place;
  return {
    name,
    kind: 'vm',
    folder,
    address: network.address,
    exec: channel.exec,
    writeFile: channel.writeFile,
    readFile: channel.readFile,
  };
}

async function waitForBoot(options: VmOptions, channel: Channel): Promise<void> {
  const within = options.bootWithinSeconds ?? 300;
  const until = Date.now() + within * 1000;
  while (Date.now() < until) {
    if (runningPid(options.folder) === undefined)
      throw new Error(`qemu of ${options.name} ended while it booted: ${lastWords(options.folder)}`);
    const ran = await channel.exec('systemctl is-system-running --wait', { timeoutSeconds: 120 });
    if (/running|degraded/.test(ran.stdout)) return;
    await sleep(1000);
  }
  throw new Error(`${options.name} did not boot within ${within} seconds: ${lastWords(options.folder)}`);
}

function lastWords(folder: string): string {
  const { console } = filesOf(folder);
  if (!existsSync(console)) return 'its console is empty';
  return readFileSync(console, 'utf8').split('\n').slice(-15).join('\n');
}

function keepConsole(folder: string): void {
  const { console } = filesOf(folder);
  if (existsSync(console)) copyFileSync(console, `${console}.failed`);
}
