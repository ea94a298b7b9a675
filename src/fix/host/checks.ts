import type { HostChange } from '../../model/change.ts';
import type { HostState } from './host-state.ts';
import type { Check } from './host-step.ts';
import { quote } from './shell.ts';
import { unitName } from './valid.ts';

/** First of that release which has `dockerd --validate`. */
const DOCKER_VALIDATES = 23;
/** What a dump prints as it stands; other values are written in ways that no comparison of texts can follow. */
const PLAIN_VALUE = /^[\w./:@-]+$/;

const CRI_NAMES: readonly string[] = ['cri', 'io.containerd.grpc.v1.cri', 'io.containerd.cri.v1.runtime', 'io.containerd.cri.v1.images'];

/** Shell commands that must all succeed on the new file, each a function of the script. */
export function checksOf(change: HostChange, state: HostState): readonly Check[] {
  switch (change.do) {
    case 'containerd-set':
    case 'containerd-enable':
      return state.commands.has('containerd') ? ['dump=$(containerd_dump)', ...effectOf(change)] : [];
    case 'docker-set':
      return dockerCheck(state);
    case 'drop-in':
      return state.commands.has('systemd-analyze') ? [`drop_in_takes ${quote(fullName(change.unit))}`] : [];
    default:
      return [];
  }
}

function effectOf(change: Extract<HostChange, { do: 'containerd-set' | 'containerd-enable' }>): readonly Check[] {
  if (change.do === 'containerd-enable') return [`dump_enables ${quote(CRI_NAMES.includes(change.plugin) ? 'cri' : change.plugin)}`];
  const value = String(change.value);
  if (change.setting === 'SystemdCgroup') return [`dump_cgroup ${quote(value)}`];
  if (!PLAIN_VALUE.test(value)) return [];
  return [`${change.setting === 'sandbox_image' ? 'dump_sandbox' : 'dump_registry'} ${quote(value)}`];
}

function dockerCheck({ commands, versions }: HostState): readonly Check[] {
  const release = Number.parseInt(versions.get('docker') ?? '', 10);
  if (commands.has('dockerd') && release >= DOCKER_VALIDATES) return ['docker_takes'];
  return commands.has('python3') ? ['is_json'] : [];
}

function fullName(unit: string): string {
  const name = unitName(unit);
  return /\.[a-z]+$/.test(name) ? name : `${name}.service`;
}
