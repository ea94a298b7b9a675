import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { must } from './run-command.ts';

/** A file each Debian package is known by; a bare name is looked up on the path. */
const NEEDED: Readonly<Record<string, string>> = {
  'etcd-server': 'etcd',
  containerd: 'containerd',
  runc: 'runc',
  'containernetworking-plugins': '/usr/lib/cni/bridge',
  'busybox-static': 'busybox',
  iproute2: 'ip',
  iptables: 'iptables',
  systemd: '/lib/systemd/systemd',
  dbus: 'dbus-daemon',
  'util-linux': 'nsenter',
  openssl: 'openssl',
  e2fsprogs: 'mke2fs',
  kmod: 'modprobe',
  procps: 'sysctl',
};

const SYSTEM_FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

export function onPath(name: string, path = process.env['PATH'] ?? ''): boolean {
  if (name.startsWith('/')) return existsSync(name);
  return [...path.split(delimiter), ...SYSTEM_FOLDERS].some((folder) => folder !== '' && existsSync(join(folder, name)));
}

export function missingPackages(isThere: (file: string) => boolean = onPath): readonly string[] {
  return Object.entries(NEEDED)
    .filter(([, file]) => !isThere(file))
    .map(([name]) => name);
}

export async function installPackages(names: readonly string[], say: (line: string) => void): Promise<void> {
  say(`installing ${names.join(' ')}`);
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await must('apt-get', ['update', '-q'], { env, timeoutSeconds: 600 });
  // No package may start its daemon on this machine.
  const noDaemons = ['-o', 'DPkg::Pre-Invoke::=printf "#!/bin/sh\\nexit 101\\n" > /usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d'];
  const tidy = ['-o', 'DPkg::Post-Invoke::=rm -f /usr/sbin/policy-rc.d'];
  await must('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...noDaemons, ...tidy, ...names], { env, timeoutSeconds: 1200 });
}

export interface Readiness {
  readonly root: boolean;
  readonly go: boolean;
  readonly built: boolean;
  readonly packages: readonly string[];
}

/** What keeps the lab from running here, in words; empty when nothing does. */
export function lacks(readiness: Readiness): readonly string[] {
  const lines: string[] = [];
  if (!readiness.root) lines.push('root is needed: namespaces, mounts and control groups are made');
  if (readiness.packages.length > 0)
    lines.push(`packages are missing: apt-get install ${readiness.packages.join(' ')} (or: npm run lab -- up --install)`);
  if (!readiness.built && !readiness.go) lines.push('Go is needed once, to build the Kubernetes commands (package golang, 1.22 or later)');
  return lines;
}
