import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeNodeCgroups, mountedHierarchies, nodeCgroup } from '../cgroups.ts';
import type { Authority } from '../cluster/certificates.ts';
import { isAlive, type Known, knownProcess, rememberProcess, startProcess } from '../processes.ts';
import { holdsWithin, must } from '../run-command.ts';
import { type NodeSettings, networkNamespace, nodeFolder, type Paths, pidFolder } from '../settings.ts';
import { bootScript, launchScript } from './boot-script.ts';
import { writeSkeleton, writeUsrLayer } from './skeleton.ts';

const DISK_SIZE = '6G';

async function makeDisk(folder: string, authority: Authority, node: NodeSettings): Promise<string> {
  const disk = join(folder, 'disk.img');
  if (existsSync(disk)) return disk;
  const skeleton = join(folder, 'skeleton');
  rmSync(skeleton, { recursive: true, force: true });
  await writeSkeleton(skeleton, authority, node);
  await must('mke2fs', ['-q', '-F', '-t', 'ext4', '-m', '0', '-d', skeleton, `${disk}.new`, DISK_SIZE]);
  await must('mv', [`${disk}.new`, disk]);
  rmSync(skeleton, { recursive: true, force: true });
  return disk;
}

function childOf(pid: number): number | undefined {
  try {
    const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return child === undefined || child === '' ? undefined : Number(child);
  } catch {
    return undefined;
  }
}

function isSystemd(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'systemd';
  } catch {
    return false;
  }
}

export function nodeProcess(paths: Paths, node: string): Known | undefined {
  const known = knownProcess(pidFolder(paths), node);
  return known !== undefined && isAlive(known) ? known : undefined;
}

/** Boots the node unless it is up; its first process is remembered under the node's name. */
export async function startNode(paths: Paths, authority: Authority, node: NodeSettings): Promise<void> {
  if (nodeProcess(paths, node.name) !== undefined) return;
  const folder = nodeFolder(paths, node.name);
  const mountPoint = join(folder, 'root');
  mkdirSync(mountPoint, { recursive: true });
  const disk = await makeDisk(folder, authority, node);
  makeNodeCgroups(node.name);
  const hierarchies = mountedHierarchies();
  const boot = join(folder, 'boot.sh');
  const launch = join(folder, 'launch.sh');
  writeFileSync(boot, bootScript({ node: node.name, disk, mountPoint, layer: writeUsrLayer(paths), hierarchies }));
  const cgroups = hierarchies.map((hierarchy) => nodeCgroup(hierarchy, node.name));
  writeFileSync(launch, launchScript(cgroups, networkNamespace(node.name), boot));
  for (const script of [boot, launch]) chmodSync(script, 0o755);
  const log = join(folder, 'boot.log');
  const launched = startProcess(pidFolder(paths), { name: `${node.name}-launch`, command: '/bin/sh', args: [launch], log });
  const booted = await holdsWithin(20, async () => isSystemd(childOf(launched.pid) ?? 0) || !isAlive(launched), 100);
  const child = childOf(launched.pid);
  if (!booted || child === undefined) throw new Error(`${node.name} did not boot: ${readFileSync(log, 'utf8').trim()}`);
  rememberProcess(pidFolder(paths), node.name, child);
}
