import type { HostChange } from '../../model/change.ts';
import type { HostState } from './host-state.ts';
import type { HostStep } from './host-step.ts';
import { neededKilobytes } from './script.ts';
import { plain } from './shell.ts';
import { valid } from './valid.ts';

/** Why nothing at all is planned for a host. */
export function refusedHost({ complete, journal }: HostState): readonly string[] {
  if (!complete) return ['the host did not tell all that must be known of it, so nothing is planned'];
  return journal
    .filter(({ state }) => state === 'begun')
    .map(
      ({ id, title }) => `fix ${id} (${plain(title, 80)}) was cut off here: podcause fix --resume ${id} or podcause undo ${id} comes first`,
    );
}

/** Why a change is not one that a host hears of, whatever the host is: its words come from a report, and that may be anybody's. */
export function refusedChange(change: HostChange): string | undefined {
  const wrong = wrongWord(change);
  return wrong === undefined ? undefined : `${change.do}: "${plain(wrong, 80)}" is not something podcause sets`;
}

/** The first word of a change that is not sound. */
function wrongWord(change: HostChange): string | undefined {
  switch (change.do) {
    case 'containerd-set':
      return failing([String(change.value)], () => valid.scalar(change.value));
    case 'containerd-enable':
      return failing([change.plugin], valid.name);
    case 'docker-set':
      return failing([change.option], valid.dockerOption) ?? failing([String(change.value), change.prefix ?? ''], valid.scalar);
    case 'kubelet-set':
      return failing([change.key], valid.kubeletKey) ?? failing([String(change.value)], () => valid.scalar(change.value));
    case 'drop-in':
      return failing([change.unit], valid.unit) ?? failing(change.lines, valid.dropInLine);
    case 'sysctl':
      return failing([change.key], valid.sysctl) ?? failing([change.value], valid.sysctlValue);
    case 'module':
      return failing([change.name], valid.name);
    case 'package':
      return failing([...Object.values(change.names), ...(change.command === undefined ? [] : [change.command])], valid.name);
    case 'units':
      return failing(change.units, valid.unit);
    case 'remove-file':
      return failing([change.path], valid.removable);
    case 'apparmor-unload':
      return failing([change.profile], valid.profile);
    case 'kubeadm-renew':
      return failing(change.names, valid.certificate);
  }
}

function failing(words: readonly string[], isValid: (word: string) => boolean): string | undefined {
  return words.find((word) => !isValid(word));
}

/** Why steps that are worked out cannot be made on this host. */
export function refusedSteps(steps: readonly HostStep[], state: HostState): readonly string[] {
  const refused: string[] = [];
  if (!state.etcWritable && steps.some(writesEtc)) {
    refused.push('/etc cannot be written: this system is changed by its image or its settings, not by hand');
  }
  if (!state.hasSystemd && steps.some(({ kind }) => kind === 'units')) {
    refused.push('this host has no systemd, and podcause starts units in no other way');
  }
  const needed = neededKilobytes({ steps });
  if (steps.length > 0 && state.freeBytes < needed * 1024) {
    refused.push(`only ${Math.floor(state.freeBytes / 1024)} kB are free below /var/lib or /etc, and ${needed} kB are needed`);
  }
  return refused;
}

function writesEtc(step: HostStep): boolean {
  return step.kind === 'package' || ('path' in step && step.path.startsWith('/etc/'));
}
