import type { Family, HostChange } from '../../model/change.ts';
import type { HostState } from './host-state.ts';
import type { HostStep } from './host-step.ts';
import { moduleName, valid } from './valid.ts';

export interface Planned {
  readonly steps: readonly HostStep[];
  readonly refused: readonly string[];
}

const NOTHING: Planned = { steps: [], refused: [] };

function refuse(why: string): Planned {
  return { steps: [], refused: [why] };
}

function one(step: HostStep): Planned {
  return { steps: [step], refused: [] };
}

/** What a change does besides the edit of a text file, given the steps before it. What is in place already gives none. */
export function planThing(change: HostChange, state: HostState, earlier: readonly HostStep[]): Planned {
  switch (change.do) {
    case 'package':
      return planPackage(change, state);
    case 'module':
      return state.modules.has(moduleName(change.name)) ? NOTHING : one({ kind: 'module', name: change.name, wasLoaded: false });
    case 'sysctl':
      return planSysctl(change, state, earlier);
    case 'remove-file':
      return planRemoval(change.path, state);
    case 'apparmor-unload':
      return planProfile(change.profile, state);
    case 'kubeadm-renew':
      if (!state.commands.has('kubeadm')) return refuse('kubeadm is not on this host, so its certificates are renewed in another way');
      return one({ kind: 'kubeadm-renew', names: [...new Set(change.names)] });
    default:
      return NOTHING;
  }
}

const FAMILY_NAMES: Readonly<Record<Family, string>> = { debian: 'Debian', rhel: 'Red Hat', suse: 'SUSE', alpine: 'Alpine', arch: 'Arch' };

function planPackage({ names, command }: Extract<HostChange, { do: 'package' }>, state: HostState): Planned {
  const { family, manager } = state;
  if (command !== undefined && state.commands.has(command)) return NOTHING;
  const os = state.os.replace(/\p{Cc}/gu, '?').slice(0, 80) || 'this system';
  if (family === undefined || manager === undefined)
    return refuse(`podcause installs no packages on ${os}: do it as the words of the fix say`);
  const name = names[family];
  if (name === undefined) return refuse(`podcause knows no package for systems of the ${FAMILY_NAMES[family]} family (${os})`);
  if (state.packages.has(name)) return NOTHING;
  return one({ kind: 'package', name, manager, ...(command !== undefined ? { command } : {}) });
}

function planSysctl(
  { key, value, atLeast }: Extract<HostChange, { do: 'sysctl' }>,
  state: HostState,
  earlier: readonly HostStep[],
): Planned {
  const before = state.sysctls.get(key);
  const wanted = value.trim().replace(/\s+/g, ' ');
  // Settings of a module are there once it is loaded.
  if (before === undefined && !earlier.some(({ kind }) => kind === 'module' || kind === 'package')) {
    return refuse(`the kernel of this host has no setting ${key}`);
  }
  if (before === wanted || (atLeast && isAtLeast(before, wanted))) return NOTHING;
  return one({ kind: 'sysctl', key, value: wanted, before: before ?? '', ...(atLeast ? { atLeast } : {}) });
}

function isAtLeast(before: string | undefined, wanted: string): boolean {
  return before !== undefined && /^\d+$/.test(before) && /^\d+$/.test(wanted) && BigInt(before) >= BigInt(wanted);
}

function planRemoval(path: string, state: HostState): Planned {
  const unread = state.unread.get(path);
  if (unread !== undefined) return refuse(`${path} could not be read: ${unread}`);
  const file = state.files.get(path);
  if (file === undefined) return NOTHING;
  const isLink = file.real.slice(file.real.lastIndexOf('/')) !== path.slice(path.lastIndexOf('/'));
  if (isLink || !valid.removable(file.real))
    return refuse(`${path} is a link to ${file.real.replace(/\p{Cc}/gu, '?')}, which podcause does not remove`);
  return one({ kind: 'remove', path: file.real, shaBefore: file.sha256 });
}

function planProfile(profile: string, state: HostState): Planned {
  const source = state.profiles.get(profile);
  if (source === undefined) return NOTHING;
  return one({ kind: 'apparmor-unload', profile, ...(valid.path(source) ? { source } : {}) });
}
