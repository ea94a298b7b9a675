import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { must } from '../run-command.ts';
import type { Paths } from '../settings.ts';
import { debianSuite, guestFiles, guestLinks, guestPackages, guestRemovals } from './guest-files.ts';
import { type KubeletBinary, kubeletBinaries } from './kubelets.ts';

export interface VmImage {
  readonly disk: string;
  readonly kernel: string;
  readonly initrd: string;
}

/** The same inputs give the same name, so a changed package list or unit makes a new image and never touches the old one. */
export function keyOf(inputs: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16);
}

/** The prepared disk with its kernel; made once, which takes a few minutes, and then only looked up. */
export async function vmImage(paths: Paths, say: (line: string) => void): Promise<VmImage> {
  const kubelets = await kubeletBinaries(paths, say);
  const packagesKey = keyOf([debianSuite, guestPackages]);
  const key = keyOf([packagesKey, guestFiles, guestLinks, guestRemovals, kubelets.map(({ version, digest }) => [version, digest])]);
  const folder = join(paths.cache, 'vm', key);
  const image = { disk: join(folder, 'disk.img'), kernel: join(folder, 'vmlinuz'), initrd: join(folder, 'initrd.img') };
  if (existsSync(image.disk)) return image;
  const base = await baseTree(paths, packagesKey, say);
  say('making the disk image of the VM nodes');
  await inNewFolder(folder, async (work) => {
    const root = join(work, 'root');
    await must('cp', ['-a', '--reflink=auto', base, root], { timeoutSeconds: 600 });
    layFiles(root, kubelets);
    await must('sh', ['-c', `cp "$1"/boot/vmlinuz-* "$2/vmlinuz" && cp "$1"/boot/initrd.img-* "$2/initrd.img"`, 'sh', root, work]);
    await must('mke2fs', ['-q', '-t', 'ext4', '-E', 'lazy_itable_init=0', '-d', root, join(work, 'disk.img'), '8G'], {
      timeoutSeconds: 900,
    });
    rmSync(root, { recursive: true });
  });
  return image;
}

async function baseTree(paths: Paths, key: string, say: (line: string) => void): Promise<string> {
  const folder = join(paths.cache, 'vm', `base-${key}`);
  const root = join(folder, 'root');
  if (existsSync(root)) return root;
  say('installing the Debian system of the VM nodes (about two minutes)');
  await inNewFolder(folder, async (work) => {
    const mirror = process.env['PODCAUSE_LAB_MIRROR'];
    const args = ['--variant=minbase', `--include=${guestPackages.join(',')}`, debianSuite, join(work, 'root')];
    await must('debootstrap', mirror === undefined ? args : [...args, mirror], { timeoutSeconds: 1800 });
  });
  return root;
}

/** Builds beside the final place and renames, so that an interrupted build is never taken for a finished one. */
async function inNewFolder(folder: string, build: (work: string) => Promise<void>): Promise<void> {
  const work = `${folder}.${randomBytes(4).toString('hex')}`;
  mkdirSync(work, { recursive: true });
  try {
    await build(work);
    if (!existsSync(folder)) renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function layFiles(root: string, kubelets: readonly KubeletBinary[]): void {
  for (const path of guestRemovals) rmSync(join(root, path), { recursive: true, force: true });
  for (const { path, data, mode } of guestFiles) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), data, { mode: mode ?? 0o644 });
  }
  for (const [path, target] of Object.entries(guestLinks)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    rmSync(join(root, path), { force: true });
    symlinkSync(target, join(root, path));
  }
  for (const { version, path } of kubelets) {
    const target = join(root, 'opt/kubernetes', version, 'kubelet');
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
    chmodSync(target, 0o755);
  }
  mkdirSync(join(root, 'var/cache/apt/archives/partial'), { recursive: true });
}
