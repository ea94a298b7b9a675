import type { HostChange } from '../../model/change.ts';
import { asKubelet } from './as-kubelet.ts';
import { fileEditOf } from './file-edits.ts';
import type { HostFile, HostState } from './host-state.ts';
import type { HostPlan, HostStep } from './host-step.ts';
import { type FileEdit, planFile } from './plan-files.ts';
import { type Planned, planThing } from './plan-things.ts';
import { planUnits } from './plan-units.ts';
import { refusedChange, refusedHost, refusedSteps } from './refusals.ts';

/**
 * The exact steps for a host, from what it said of itself. All or nothing: where one change cannot be made, a host gets no steps,
 * since half of a fix helps nobody and a restart for nothing harms.
 */
export function planHost(asked: readonly HostChange[], state: HostState): HostPlan {
  const changes = asked.flatMap((change) => asKubelet(change, state));
  const refused = [...refusedHost(state), ...changes.flatMap((change) => refusedChange(change) ?? [])];
  if (refused.length > 0) return planOf(state, { steps: [], refused, warnings: [] });
  const planned = planSteps(changes, state);
  const all = [...planned.refused, ...refusedSteps(planned.steps, state)];
  return planOf(state, all.length > 0 ? { steps: [], refused: all, warnings: [] } : planned);
}

interface Outcome {
  readonly steps: readonly HostStep[];
  readonly refused: readonly string[];
  readonly warnings: readonly string[];
}

function planOf(state: HostState, { steps, refused, warnings }: Outcome): HostPlan {
  const health = { containerdSocket: state.containerdSocket, kubeletConfig: state.configs.kubelet };
  return { node: state.node, steps, refused: [...new Set(refused)], warnings: [...new Set(warnings)], health };
}

function planSteps(changes: readonly HostChange[], state: HostState): Outcome {
  const done = new Made();
  const edits = editsByPath(changes, state);
  for (const change of changes) {
    if (change.do === 'units') continue;
    done.add(planThing(change, state, done.steps));
    const edit = fileEditOf(change, state);
    const own = edit === undefined ? undefined : edits.get(edit.path);
    if (edit === undefined || own === undefined) continue;
    edits.delete(edit.path);
    done.addFile(own, state);
  }
  const units = planUnits({
    changes: changes.filter((change) => change.do === 'units'),
    state,
    bringsUnits: done.steps.some(({ kind }) => kind === 'package'),
    mustRestart: (unit) => done.steps.length > 0 || mustRestart(unit, done.files, state),
  });
  return {
    steps: [...done.steps, ...units.steps],
    refused: [...done.refused, ...units.refused],
    warnings: [...done.warnings, ...units.warnings],
  };
}

class Made implements Outcome {
  readonly steps: HostStep[] = [];
  readonly refused: string[] = [];
  readonly warnings: string[] = [];
  /** Files that say already what they should. */
  readonly files: HostFile[] = [];

  add({ steps, refused }: Planned): void {
    this.steps.push(...steps);
    this.refused.push(...refused);
  }

  addFile(edits: readonly [FileEdit, ...FileEdit[]], state: HostState): void {
    const planned = planFile(edits, state);
    if ('why' in planned) {
      this.refused.push(planned.why);
      return;
    }
    if (planned.step !== undefined) this.steps.push(planned.step);
    else if (planned.file !== undefined) this.files.push(planned.file);
    this.warnings.push(...planned.notes);
  }
}

/** Changes that are in place already, by the kernel's own word, need no line in a file either. */
function editsByPath(changes: readonly HostChange[], state: HostState): Map<string, [FileEdit, ...FileEdit[]]> {
  const edits = new Map<string, [FileEdit, ...FileEdit[]]>();
  for (const change of changes) {
    const edit = isInPlace(change, state) ? undefined : fileEditOf(change, state);
    if (edit === undefined) continue;
    const others = edits.get(edit.path);
    if (others) others.push(edit);
    else edits.set(edit.path, [edit]);
  }
  return edits;
}

function isInPlace(change: HostChange, state: HostState): boolean {
  if (change.do !== 'sysctl' && change.do !== 'module') return false;
  const { steps, refused } = planThing(change, state, []);
  return steps.length === 0 && refused.length === 0;
}

/** With every file as it should be, a daemon that began after the last change of them has read it already. Where that is not known it is restarted. */
function mustRestart(unit: string, files: readonly HostFile[], state: HostState): boolean {
  const since = state.since.get(unit);
  if (files.length === 0 || since === undefined || state.units.get(unit) !== 'active') return true;
  return files.some(({ modified }) => modified >= since);
}
