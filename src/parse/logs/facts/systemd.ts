import type { FactKinds } from '../../../model/facts.ts';
import type { UnitMemory } from './memory.ts';
import type { Told } from './told.ts';

type UnitState = FactKinds['unit.state'];

const UNIT_FIRST = /^(?<unit>[\w@.:-]{1,100}\.service)(?:: | (?=holdoff|failed\.))(?<rest>[\s\S]{0,400})/;
const VERB_FIRST = /^(?<verb>Started|Stopped|Failed to start|Starting|Stopping) (?<what>[\s\S]{1,200}?)\.{0,3}$/;
const OLD_FAILED = /^Unit (?<unit>[\w@.:-]{1,100}\.service) entered failed state/;

/** systemd before 249 names units by their description only. */
const DESCRIPTIONS: readonly (readonly [start: string, unit: string])[] = [
  ['kubelet', 'kubelet.service'],
  ['Kubernetes Kubelet', 'kubelet.service'],
  ['containerd', 'containerd.service'],
  ['Docker Application Container Engine', 'docker.service'],
  ['CRI Interface for Docker', 'cri-docker.service'],
  ['Container Runtime Interface for OCI', 'crio.service'],
  ['Lightweight Kubernetes', 'k3s.service'],
];

/** What systemd says about a unit; the state the log ends with counts, so it is kept till then where possible. */
export function systemdFacts(told: Told): void {
  const state = stateIn(told.line.message);
  if (!state) return;
  const { node } = told.attribution;
  if (!told.memory) {
    told.sink.fact('unit.state', node, state, told.cited, told.more);
    return;
  }
  const key = `${node}|${state.unit}`;
  const before = told.memory.units.get(key);
  told.memory.units.set(key, { about: node, cited: told.cited, ...told.more, payload: follow(before, state) });
}

/** Starting anew does not end a restart loop: its count and last failure stay. */
function follow(before: UnitMemory | undefined, state: UnitState): UnitState {
  const { restarts, result, exitStatus } = before?.payload ?? {};
  const ended = state.active === 'inactive' && restarts === undefined;
  return {
    ...(result !== undefined && !ended ? { result } : {}),
    ...(exitStatus !== undefined && !ended ? { exitStatus } : {}),
    ...(restarts !== undefined ? { restarts } : {}),
    ...state,
  };
}

function stateIn(message: string): UnitState | undefined {
  const first = UNIT_FIRST.exec(message)?.groups;
  if (first) return stateOf(first['unit'] ?? '', first['rest'] ?? '');
  const old = OLD_FAILED.exec(message)?.groups?.['unit'];
  if (old) return { unit: old, active: 'failed' };
  const verb = VERB_FIRST.exec(message)?.groups;
  return verb ? stateByVerb(verb['verb'] ?? '', verb['what'] ?? '') : undefined;
}

function stateOf(unit: string, rest: string): UnitState | undefined {
  const exit = /^[Mm]ain process exited, code=(?<code>\w+), status=(?<status>\S+)/.exec(rest)?.groups;
  if (exit) {
    const status = (exit['status'] ?? '').replace(/[.,]$/, '');
    return { unit, active: /^0(?:\/|$)/.test(status) ? 'inactive' : 'failed', sub: exit['code'] ?? 'exited', exitStatus: status };
  }
  const result = /^Failed with result '(?<result>[\w-]+)'/.exec(rest)?.groups?.['result'];
  if (result) return { unit, active: 'failed', result };
  const counter = /^Scheduled restart job, restart counter is at (?<count>\d{1,9})/.exec(rest)?.groups?.['count'];
  if (counter) return { unit, active: 'activating', sub: 'auto-restart', restarts: Number(counter) };
  if (/^Start request repeated too quickly/i.test(rest)) return { unit, active: 'failed', result: 'start-limit-hit' };
  if (/^A process of this unit has been killed by the OOM killer/.test(rest)) return { unit, active: 'failed', result: 'oom-kill' };
  if (/^holdoff time over, scheduling restart/.test(rest)) return { unit, active: 'activating', sub: 'auto-restart' };
  if (/^failed\./.test(rest)) return { unit, active: 'failed' };
  return /^(?:Succeeded|Deactivated successfully)/.test(rest) ? { unit, active: 'inactive', sub: 'dead' } : undefined;
}

function stateByVerb(verb: string, what: string): UnitState | undefined {
  const unit =
    /^(?<unit>[\w@.:-]{1,100}\.service)(?: - |$)/.exec(what)?.groups?.['unit'] ??
    DESCRIPTIONS.find(([start]) => what.startsWith(start))?.[1];
  if (unit === undefined) return undefined;
  if (verb === 'Started') return { unit, active: 'active', sub: 'running' };
  if (verb === 'Stopped') return { unit, active: 'inactive', sub: 'dead' };
  return verb === 'Failed to start' ? { unit, active: 'failed' } : undefined;
}
