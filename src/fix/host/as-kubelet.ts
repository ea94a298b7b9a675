import { parseDocument } from 'yaml';
import type { HostChange } from '../../model/change.ts';
import type { HostState } from './host-state.ts';

/**
 * A cgroup driver that is to be the kubelet's: where its file says nothing, kubelet and containerd both have cgroupfs, and
 * the setting is left out. Only a host without such a file gets the value of the cause.
 */
export function asKubelet(change: HostChange, { files, configs }: HostState): readonly HostChange[] {
  if (change.do !== 'containerd-set' || change.asKubelet !== true) return [change];
  const file = files.get(configs.kubelet);
  if (file === undefined) return [change];
  const driver = driverIn(file.text);
  return driver === undefined ? [] : [{ ...change, value: driver === 'systemd' }];
}

function driverIn(text: string): string | undefined {
  const document = parseDocument(text, { uniqueKeys: false });
  const driver: unknown = document.errors.length > 0 ? undefined : document.get('cgroupDriver');
  return driver === 'systemd' || driver === 'cgroupfs' ? driver : undefined;
}
