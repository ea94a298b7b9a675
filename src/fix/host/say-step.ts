import type { HostStep } from './host-step.ts';

/** One line for people: what a step does. */
export function sayStep(step: HostStep): string {
  switch (step.kind) {
    case 'edit':
      return `edit ${step.path}`;
    case 'create':
      return `write ${step.path}`;
    case 'remove':
      return `remove ${step.path} (kept in the journal)`;
    case 'package':
      return `install ${step.name} with ${step.manager}`;
    case 'module':
      return `load the kernel module ${step.name}`;
    case 'sysctl':
      return step.before === '' ? `set ${step.key} to ${step.value}` : `set ${step.key} from ${step.before} to ${step.value}`;
    case 'units':
      return `${step.action} ${step.units.join(', ')}`;
    case 'apparmor-unload':
      return `unload the AppArmor profile ${step.profile}`;
    case 'kubeadm-renew':
      return `renew with kubeadm: ${step.names.join(', ')}`;
  }
}

/** One line for people: what undo does about it. */
export function sayUndo(step: HostStep): string {
  switch (step.kind) {
    case 'edit':
    case 'remove':
      return `put back ${step.path} from the backup, byte for byte`;
    case 'create':
      return `remove ${step.path} again`;
    case 'package':
      return `remove ${step.name} again; packages that came with it stay`;
    case 'module':
      return `unload ${step.name} where nothing uses it by then`;
    case 'sysctl':
      return step.before === '' ? `set ${step.key} to what it was` : `set ${step.key} to ${step.before} again`;
    case 'units':
      return step.action === 'enable'
        ? `disable ${step.units.join(', ')} again where it was so`
        : `restart ${step.units.join(', ')} with what was put back; stop what did not run before`;
    case 'apparmor-unload':
      return step.source === undefined
        ? `nothing: ${step.profile} has no file here, and is loaded by whoever made it`
        : `load ${step.profile} again from ${step.source}`;
    case 'kubeadm-renew':
      return 'put back the certificates and kubeconfigs from before, and restart the static pods';
  }
}
