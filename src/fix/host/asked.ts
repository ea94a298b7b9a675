import type { HostChange } from '../../model/change.ts';
import type { Daemon } from './host-state.ts';
import { unitName, valid } from './valid.ts';

/** What a survey is to look at. */
export interface Asked {
  readonly files: readonly string[];
  readonly sysctls: readonly string[];
  readonly units: readonly string[];
  readonly commands: readonly string[];
  readonly packages?: readonly string[];
  readonly profiles?: readonly string[];
  /** Daemons whose configuration file is wanted, wherever it is. */
  readonly daemons?: readonly Daemon[];
}

export const SYSCTL_FILE = '/etc/sysctl.d/zz-podcause.conf';
export const MODULES_FILE = '/etc/modules-load.d/podcause.conf';

export function dropInPath(unit: string): string {
  const name = /\.[a-z]+$/.test(unit) ? unit : `${unit}.service`;
  return `/etc/systemd/system/${name}.d/50-podcause.conf`;
}

/** Units and commands that decide the order and the health of every plan. */
const ALWAYS_UNITS = ['containerd', 'docker', 'kubelet', 'crio'];
const ALWAYS_COMMANDS = [
  'containerd',
  'ctr',
  'crictl',
  'docker',
  'dockerd',
  'kubelet',
  'kubeadm',
  'systemd-analyze',
  'python3',
  'modprobe',
];

class Wants {
  readonly files = new Set<string>();
  readonly sysctls = new Set<string>();
  readonly units = new Set(ALWAYS_UNITS);
  readonly commands = new Set(ALWAYS_COMMANDS);
  readonly packages = new Set<string>();
  readonly profiles = new Set<string>();
  readonly daemons = new Set<Daemon>();
}

/** What must be known of a host to plan these changes. Names that are not sound are left out here, and refused by the planner. */
export function askedBy(changes: readonly HostChange[]): Required<Asked> {
  const wants = new Wants();
  for (const change of changes) want(change, wants);
  return {
    files: [...wants.files].filter(valid.path),
    sysctls: [...wants.sysctls].filter(valid.sysctl),
    units: [...wants.units].filter(valid.unit),
    commands: [...wants.commands].filter(valid.name),
    packages: [...wants.packages].filter(valid.name),
    profiles: [...wants.profiles].filter(valid.profile),
    daemons: [...wants.daemons],
  };
}

function want(change: HostChange, wants: Wants): void {
  switch (change.do) {
    case 'containerd-set':
      if (change.asKubelet) wants.daemons.add('kubelet');
      wants.daemons.add('containerd');
      return;
    case 'containerd-enable':
      wants.daemons.add('containerd');
      return;
    case 'docker-set':
      wants.daemons.add('docker');
      return;
    case 'kubelet-set':
      wants.daemons.add('kubelet');
      return;
    case 'drop-in':
      wants.units.add(unitName(change.unit));
      wants.files.add(dropInPath(unitName(change.unit)));
      return;
    case 'sysctl':
      wants.sysctls.add(change.key);
      wants.files.add(SYSCTL_FILE);
      return;
    case 'module':
      wants.files.add(MODULES_FILE);
      return;
    case 'package':
      for (const name of Object.values(change.names)) if (name !== undefined) wants.packages.add(name);
      if (change.command !== undefined) wants.commands.add(change.command);
      return;
    case 'units':
      for (const unit of change.units) wants.units.add(unitName(unit));
      return;
    case 'remove-file':
      wants.files.add(change.path);
      return;
    case 'apparmor-unload':
      wants.profiles.add(change.profile);
      return;
    case 'kubeadm-renew':
      wants.commands.add('kubeadm');
  }
}
