import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { must as mustOn } from '../faults.ts';
import type { LabNode } from '../lab.ts';
import { must, runCommand } from '../run-command.ts';

/** Where nodes of the lab, which reach no network, find their packages. */
const PLACE = '/opt/packages';
const LIST = '/etc/apt/sources.list.d/lab.list';

/** Packages as Debian has them, with those they need beyond a small system; kept in the cache. */
export async function downloadPackages(cache: string, names: readonly string[]): Promise<readonly string[]> {
  const folder = join(cache, 'packages');
  mkdirSync(folder, { recursive: true });
  const missing = names.filter((name) => !readdirSync(folder).some((file) => file.startsWith(`${name}_`)));
  // apt lets go of its rights for a download; a folder of root's would only make it say so.
  const download = () =>
    runCommand('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', ...missing], { cwd: folder, timeoutSeconds: 300 });
  if (missing.length > 0 && (await download()).code !== 0) {
    await must('apt-get', ['update', '-q'], { timeoutSeconds: 600 });
    const ran = await download();
    if (ran.code !== 0) throw new Error(`${missing.join(', ')} could not be downloaded: ${ran.stderr.trim()}`);
  }
  return readdirSync(folder)
    .filter((file) => names.some((name) => file.startsWith(`${name}_`)))
    .map((file) => join(folder, file));
}

export interface OwnPackage {
  readonly name: string;
  /** File of this machine to its place on the node. */
  readonly files: Readonly<Record<string, string>>;
}

/** A package that vendors have and Debian has not, made of files of this machine. */
export async function makePackage({ name, files }: OwnPackage, work: string): Promise<string> {
  const root = join(work, name);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  const control = [
    `Package: ${name}`,
    'Version: 1.0',
    'Architecture: all',
    'Maintainer: lab <lab@lab.local>',
    'Description: made by the lab',
    '',
  ];
  writeFileSync(join(root, 'DEBIAN/control'), control.join('\n'));
  for (const [from, to] of Object.entries(files)) await must('install', ['-D', '-m', '755', from, join(root, to)]);
  const file = join(work, `${name}_1.0_all.deb`);
  await must('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', root, file]);
  return file;
}

export async function inWorkFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'podcause-lab-packages-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes these packages the only ones the node's apt knows. */
export async function offerPackages(node: LabNode, archives: readonly string[]): Promise<void> {
  await mustOn(node, `rm -rf ${PLACE}; mkdir -p ${PLACE} ${APT_FOLDERS.join(' ')}; touch /var/lib/dpkg/status`);
  for (const archive of archives) {
    if (!existsSync(archive)) throw new Error(`there is no package ${archive}`);
    const name = archive.slice(archive.lastIndexOf('/') + 1);
    const ran = await node.exec(`base64 -d > ${PLACE}/'${name}'`, { input: readFileSync(archive).toString('base64'), timeoutSeconds: 120 });
    if (ran.code !== 0) throw new Error(`${node.name}: ${name} could not be brought there: ${ran.stderr.trim()}`);
  }
  await mustOn(node, `cd ${PLACE} && ${INDEX}`);
  await mustOn(node, `rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /var/lib/apt/lists/*_Packages*`);
  await node.writeFile(LIST, `deb [trusted=yes] file:${PLACE} ./\n`);
}

export async function withdrawPackages(node: LabNode): Promise<void> {
  await mustOn(node, `rm -rf ${PLACE} ${LIST} /var/lib/apt/lists/*`);
}

const APT_FOLDERS = [
  ...['/etc/apt/apt.conf.d', '/etc/apt/preferences.d', '/etc/apt/sources.list.d', '/etc/apt/trusted.gpg.d', '/etc/dpkg/dpkg.cfg.d'],
  ...['/var/lib/dpkg/info', '/var/lib/dpkg/updates', '/var/lib/dpkg/triggers', '/var/lib/dpkg/alternatives'],
  ...['/var/lib/apt/lists/partial', '/var/cache/apt/archives/partial', '/var/log/apt'],
];

/** What dpkg-scanpackages would write; nodes have only dpkg itself. */
const INDEX = `for deb in *.deb; do
  dpkg-deb -f "$deb" && printf 'Filename: ./%s\\nSize: %s\\nSHA256: %s\\n\\n' "$deb" "$(stat -c %s "$deb")" "$(sha256sum < "$deb" | cut -c 1-64)"
done > Packages`;
