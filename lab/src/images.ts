import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_IMAGE } from './node/configuration.ts';
import { must } from './run-command.ts';
import { binaryPath, type Paths } from './settings.ts';

export interface ImageRecipe {
  readonly name: string;
  readonly command: readonly string[];
  /** Fills the root folder of the image. */
  fill(folder: string, paths: Paths): Promise<void>;
}

const PASSWD = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n';

async function fillBusybox(folder: string): Promise<void> {
  for (const name of ['bin', 'etc', 'tmp', 'root', 'var', 'proc', 'sys', 'dev']) mkdirSync(join(folder, name));
  chmodSync(join(folder, 'tmp'), 0o1777);
  const program = (await must('sh', ['-c', 'command -v busybox'])).trim();
  copyFileSync(program, join(folder, 'bin/busybox'));
  chmodSync(join(folder, 'bin/busybox'), 0o755);
  const applets = (await must(program, ['--list'])).split('\n').filter((name) => name !== '' && name !== 'busybox');
  for (const applet of applets) symlinkSync('busybox', join(folder, 'bin', applet));
  writeFileSync(join(folder, 'etc/passwd'), PASSWD);
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnogroup:x:65534:\n');
}

/** A program for 64-bit ARM that consists of its header and one segment: enough for the kernel to refuse it elsewhere. */
export function armProgram(): Buffer {
  const file = Buffer.alloc(128);
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16); // executable
  file.writeUInt16LE(183, 18); // AArch64
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(0x400078n, 24); // entry
  file.writeBigUInt64LE(64n, 32); // program headers
  file.writeUInt16LE(64, 52);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(1, 64); // loadable
  file.writeUInt32LE(5, 68); // read, execute
  file.writeBigUInt64LE(0x400000n, 80);
  file.writeBigUInt64LE(0x400000n, 88);
  file.writeBigUInt64LE(128n, 96);
  file.writeBigUInt64LE(128n, 104);
  file.writeBigUInt64LE(0x1000n, 112);
  return file;
}

async function fillWrongArchitecture(folder: string): Promise<void> {
  writeFileSync(join(folder, 'app'), armProgram(), { mode: 0o755 });
}

/** Busybox with a program that watches files. */
async function fillWatcher(folder: string, paths: Paths): Promise<void> {
  await fillBusybox(folder);
  copyFileSync(binaryPath(paths, 'watcher'), join(folder, 'bin/watcher'));
  chmodSync(join(folder, 'bin/watcher'), 0o755);
}

export const IMAGES: readonly ImageRecipe[] = [
  { name: SANDBOX_IMAGE, command: ['/bin/sleep', '2147483647'], fill: fillBusybox },
  { name: 'lab.local/busybox:1', command: ['/bin/sh'], fill: fillBusybox },
  { name: 'lab.local/wrong-arch:1', command: ['/app'], fill: fillWrongArchitecture },
  { name: 'lab.local/watcher:1', command: ['/bin/watcher'], fill: fillWatcher },
];

export function imageFile(folder: string, image: string): string {
  return join(folder, `${image.replace(/[^a-z0-9.]+/g, '-')}.tar`);
}

/** Writes a docker-archive that `ctr images import` and `docker load` take. */
export async function makeImage(recipe: ImageRecipe, file: string, paths: Paths): Promise<void> {
  if (existsSync(file)) return;
  const work = mkdtempSync(join(tmpdir(), 'podcause-lab-image-'));
  try {
    const root = join(work, 'root');
    mkdirSync(root);
    await recipe.fill(root, paths);
    const layer = join(work, 'layer.tar');
    await must('tar', ['-C', root, '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '-cf', layer, '.']);
    const digest = createHash('sha256').update(readFileSync(layer)).digest('hex');
    writeFileSync(join(work, 'config.json'), imageConfig(recipe, digest));
    writeFileSync(join(work, 'manifest.json'), JSON.stringify([{ Config: 'config.json', RepoTags: [recipe.name], Layers: ['layer.tar'] }]));
    await must('tar', ['-C', work, '-cf', `${file}.new`, 'manifest.json', 'config.json', 'layer.tar']);
    await must('mv', [`${file}.new`, file]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function imageConfig(recipe: ImageRecipe, layerDigest: string): string {
  return JSON.stringify({
    architecture: process.arch === 'arm64' ? 'arm64' : 'amd64',
    os: 'linux',
    created: '2024-01-01T00:00:00Z',
    config: { Cmd: recipe.command, Env: ['PATH=/bin'], WorkingDir: '/' },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layerDigest}`] },
  });
}

export async function makeImages(folder: string, paths: Paths): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const recipe of IMAGES) await makeImage(recipe, imageFile(folder, recipe.name), paths);
}
