import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from './run-command.ts';
import { LAB_NAME } from './settings.ts';

const MOUNT = '/sys/fs/cgroup';
const PARENT = LAB_NAME;

export interface Hierarchy {
  /** Folder name under /sys/fs/cgroup; empty for version 2. */
  readonly folder: string;
  /** Options of `mount -t cgroup`; absent for version 2. */
  readonly options?: string;
}

/** What is mounted under /sys/fs/cgroup, from /proc/self/mounts. */
export function hierarchies(mounts: string): readonly Hierarchy[] {
  const found: Hierarchy[] = [];
  for (const line of mounts.split('\n')) {
    const [, target = '', type, options = ''] = line.split(' ');
    if (target !== MOUNT && !target.startsWith(`${MOUNT}/`)) continue;
    const folder = target.slice(MOUNT.length + 1);
    if (found.some((one) => one.folder === folder)) continue;
    if (type === 'cgroup2') found.push({ folder });
    if (type === 'cgroup') found.push({ folder, options: controllerOptions(options) });
  }
  return found;
}

const MOUNT_FLAGS: ReadonlySet<string> = new Set(['rw', 'ro', 'relatime', 'noatime', 'nosuid', 'nodev', 'noexec', 'seclabel', 'xattr']);

function controllerOptions(options: string): string {
  const kept = options.split(',').filter((option) => !MOUNT_FLAGS.has(option) && !option.includes('='));
  const name = options.split(',').find((option) => option.startsWith('name='));
  return name !== undefined ? `none,${name}` : kept.join(',');
}

export function mountedHierarchies(): readonly Hierarchy[] {
  return hierarchies(readFileSync('/proc/self/mounts', 'utf8'));
}

export function nodeCgroup(hierarchy: Hierarchy, node: string): string {
  return join(MOUNT, hierarchy.folder, PARENT, node);
}

/** One cgroup per node in every hierarchy; it becomes the root of the node's cgroup namespace. */
export function makeNodeCgroups(node: string): void {
  for (const hierarchy of mountedHierarchies()) {
    const own = nodeCgroup(hierarchy, node);
    for (const folder of [join(own, '..'), own]) {
      mkdirSync(folder, { recursive: true });
      inheritCpus(folder);
      if (hierarchy.options === undefined) enableControllers(join(folder, '..'));
    }
    if (hierarchy.options === undefined) enableControllers(join(own, '..'));
  }
}

/** A cpuset of version 1 begins empty, and nothing can run in it. */
function inheritCpus(folder: string): void {
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    const own = join(folder, file);
    const parent = join(folder, '..', file);
    if (existsSync(own) && existsSync(parent) && readFileSync(own, 'utf8').trim() === '') writeFileSync(own, readFileSync(parent, 'utf8'));
  }
}

function enableControllers(folder: string): void {
  const controllers = readFileSync(join(folder, 'cgroup.controllers'), 'utf8').trim().split(' ').filter(Boolean);
  for (const controller of controllers) {
    try {
      writeFileSync(join(folder, 'cgroup.subtree_control'), `+${controller}`);
    } catch {
      // A controller that cannot be handed down is one the node has to do without.
    }
  }
}

function processesBelow(folder: string): readonly number[] {
  const own = existsSync(join(folder, 'cgroup.procs'))
    ? readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number)
    : [];
  return [...own, ...childFolders(folder).flatMap(processesBelow)].filter((pid) => pid > 1);
}

function childFolders(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name));
  } catch {
    return [];
  }
}

/** Containers outlive a runtime that was killed: whatever still sits in the node's cgroups is ended. */
export async function removeNodeCgroups(node: string): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    const folders = mountedHierarchies()
      .map((hierarchy) => nodeCgroup(hierarchy, node))
      .filter((folder) => existsSync(folder));
    if (folders.length === 0) break;
    for (const folder of folders) {
      thaw(folder);
      for (const pid of processesBelow(folder)) endPid(pid);
      removeTree(folder);
    }
    await sleep(100);
  }
  for (const hierarchy of mountedHierarchies()) removeFolder(join(MOUNT, hierarchy.folder, PARENT));
}

function thaw(folder: string): void {
  const state = join(folder, 'freezer.state');
  for (const child of childFolders(folder)) thaw(child);
  if (existsSync(state)) tryWrite(state, 'THAWED');
}

function tryWrite(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    // The group went away meanwhile.
  }
}

function endPid(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function removeTree(folder: string): void {
  for (const child of childFolders(folder)) removeTree(child);
  removeFolder(folder);
}

function removeFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Not empty yet: the next round tries again, and leftovers are told.
  }
}

export function cgroupLeftovers(): readonly string[] {
  return mountedHierarchies()
    .map((hierarchy) => join(MOUNT, hierarchy.folder, PARENT))
    .filter((folder) => existsSync(folder))
    .map((folder) => `control group ${folder}`);
}
