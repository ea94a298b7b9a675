import type { HostChange } from '../../model/change.ts';
import type { Edited } from './edit.ts';
import { refuse } from './edit.ts';
import { setJson } from './json-set.ts';

export type DockerChange = Extract<HostChange, { do: 'docker-set' }>;

/** Options of daemon.json that hold options themselves, written `log-opts.max-size` in a change. */
const MAPS = ['log-opts', 'features', 'builder', 'default-ulimits', 'default-network-opts', 'runtimes', 'proxies', 'containerd'];

export function editDocker(text: string | undefined, change: DockerChange): Edited {
  const path = pathOf(change.option);
  if (change.prefix === undefined) return setJson(text, path, { value: change.value });
  const member = String(change.value);
  if (!member.startsWith(change.prefix)) return refuse(`The new member of ${change.option} does not begin with ${change.prefix}.`);
  return setJson(text, path, { member, prefix: change.prefix });
}

function pathOf(option: string): readonly string[] {
  const map = MAPS.find((name) => option.startsWith(`${name}.`));
  return map === undefined ? [option] : [map, option.slice(map.length + 1)];
}
