import type { HostChange } from '../../model/change.ts';
import type { HostState } from './host-state.ts';
import type { HostStep, UnitAction } from './host-step.ts';
import { unitName } from './valid.ts';

type UnitsChange = Extract<HostChange, { do: 'units' }>;

export interface UnitsPlanned {
  readonly steps: readonly HostStep[];
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
}

export interface UnitsInput {
  readonly changes: readonly UnitsChange[];
  readonly state: HostState;
  /** A package of this plan may bring a unit that is not there yet. */
  readonly bringsUnits: boolean;
  /** Whether a daemon must be started anew for what else is changed, or was changed before it began. */
  readonly mustRestart: (unit: string) => boolean;
}

/** What others rely on comes first, and the kubelet, which relies on all of them, last. */
const ORDER: readonly RegExp[] = [/^containerd$/, /^docker\.socket$/, /^docker$/, /^(?:cri-docker.*|crio)$/, /^(?!kubelet$)/, /^kubelet$/];

/** All units after everything else: each is enabled, then started, then restarted once. */
export function planUnits({ changes, state, bringsUnits, mustRestart }: UnitsInput): UnitsPlanned {
  const wanted = (action: UnitAction) => [
    ...new Set(changes.filter((one) => one.action === action).flatMap(({ units }) => units.map(unitName))),
  ];
  const restarted = wanted('restart').filter(mustRestart);
  const enabled = wanted('enable').filter((unit) => !state.enabled.has(unit));
  const started = wanted('start').filter((unit) => state.units.get(unit) !== 'active' && !restarted.includes(unit));
  const refused = [...new Set([...enabled, ...started, ...restarted])]
    .filter((unit) => state.hasSystemd && !bringsUnits && !state.units.has(unit))
    .map((unit) => `this host has no unit ${unit}`);
  const docker = dockerToo(started, restarted, state);
  const inOrder = byOrder([...new Set([...restarted, ...docker.units])]);
  return {
    steps: [...step('enable', enabled), ...step('start', byOrder(started)), ...step('restart', inOrder)],
    refused,
    warnings: docker.warnings,
  };
}

function step(action: UnitAction, units: readonly string[]): readonly HostStep[] {
  return units.length > 0 ? [{ kind: 'units', action, units }] : [];
}

function byOrder(units: readonly string[]): readonly string[] {
  const rank = (unit: string) => ORDER.findIndex((pattern) => pattern.test(unit));
  return [...units].sort((one, other) => rank(one) - rank(other));
}

const ALONE =
  'restarting containerd alone would leave containers that docker calls Up although their process is gone, so docker is restarted after it; ' +
  'without live-restore in daemon.json that stops every container of docker, and only those with a restart policy start again';

/** Docker keeps its own list of what containerd runs, and does not look again by itself. */
function dockerToo(
  started: readonly string[],
  restarted: readonly string[],
  state: HostState,
): { readonly units: readonly string[]; readonly warnings: readonly string[] } {
  const ghosts = state.ghosts.map((name) => name.replace(/\p{Cc}/gu, '?'));
  const active = state.units.get('docker') === 'active';
  const needed = restarted.includes('containerd') || (started.includes('containerd') && ghosts.length > 0);
  if (!active || !needed) return { units: [], warnings: [] };
  const named = ghosts.length === 0 ? [] : [`docker calls these containers Up although their process is gone: ${ghosts.join(', ')}`];
  const unseen = state.dockerSilent ? ['docker did not answer, so which of its containers are gone could not be seen'] : [];
  return { units: ['docker'], warnings: [ALONE, ...named, ...unseen] };
}
