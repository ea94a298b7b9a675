import { existsSync } from 'node:fs';
import { onPath } from '../packages.ts';

/** Programs a VM node needs, each with the Debian package that brings it. */
const programs: Readonly<Record<string, string>> = {
  'qemu-system-x86_64': 'qemu-system-x86',
  'qemu-img': 'qemu-utils',
  debootstrap: 'debootstrap',
  mke2fs: 'e2fsprogs',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  ip: 'iproute2',
  nsenter: 'util-linux',
};

export interface Machine {
  readonly root: boolean;
  has(program: string): boolean;
  readonly tun: boolean;
}

export function thisMachine(): Machine {
  return {
    root: process.getuid?.() === 0,
    has: (program) => onPath(program),
    tun: existsSync('/dev/net/tun'),
  };
}

/** Debian packages a VM node needs and this machine lacks. */
export function missingVmPackages(machine: Machine = thisMachine()): readonly string[] {
  const lacking = Object.entries(programs).filter(([program]) => !machine.has(program));
  return [...new Set(lacking.map(([, from]) => from))];
}

/** What keeps VM nodes from running here, worded for people; empty when nothing does. */
export function missingForVm(machine: Machine = thisMachine()): readonly string[] {
  const missing: string[] = [];
  if (!machine.root) missing.push('root rights (the disk image and the tap device are made as root)');
  const packages = missingVmPackages(machine);
  if (packages.length > 0) missing.push(`Debian packages: apt-get install ${packages.join(' ')}`);
  if (!machine.tun) missing.push('/dev/net/tun (the tun kernel module)');
  return missing;
}
