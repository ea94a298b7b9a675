import { ClusterError, type ClusterPort, type RefusalKind } from '../../collect/cluster/port.ts';
import type { ClusterChange } from '../../model/change.ts';
import { budgetLines, podsOf, replacesPods, restartsOf } from './affected.ts';
import { findObject } from './api.ts';
import { whyNot } from './changeable.ts';
import type { ClusterIncident, ClusterPlan, ClusterStep, LiveObject, ObjectRef } from './cluster-plan.ts';
import type { Editing } from './edit.ts';
import { planRemoval } from './finalizer-removal.ts';
import { containerOf, resolveIncident } from './incident.ts';
import { objectEdit, uncordonEdit } from './plan-object.ts';
import { planPatch, type Target } from './plan-patch.ts';
import { planIncidentRestarts } from './plan-restarts.ts';
import { type WorkloadChange, workloadEdit } from './plan-workload.ts';
import { nameOfRef, parseObject } from './refs.ts';
import type { Resolved, Workload } from './resolve.ts';
import { planRollout } from './rollout.ts';
import { Surroundings } from './surroundings.ts';
import { unsound } from './validate.ts';
import { shown } from './values.ts';

/** Works out what changes mean for the live objects, and asks the server about each write without doing it. */
export async function planCluster(
  port: ClusterPort,
  changes: readonly ClusterChange[],
  incident: ClusterIncident,
  answers: ReadonlyMap<string, string>,
): Promise<ClusterPlan> {
  const planning = new Planning(port, incident, answers);
  for (const change of changes) await planning.take(change);
  return planning.finish();
}

/** With these the server did answer, so the rest of the plan can still be made. */
const ANSWERED: ReadonlySet<RefusalKind> = new Set<RefusalKind>(['forbidden', 'not-found', 'throttled', 'server-error', 'invalid']);

class Planning {
  private readonly port: ClusterPort;
  private readonly incident: ClusterIncident;
  private readonly answers: ReadonlyMap<string, string>;
  private readonly around: Surroundings;
  private readonly targets = new Map<string, Target>();
  private readonly later: (() => Promise<void>)[] = [];
  private readonly steps: ClusterStep[] = [];
  private readonly refused = new Set<string>();
  private readonly affected = new Set<string>();
  private readonly notes = new Set<string>();
  private resolving: Promise<Resolved> | undefined;
  private readonly rolling: Workload[] = [];
  private restarts = false;

  constructor(port: ClusterPort, incident: ClusterIncident, answers: ReadonlyMap<string, string>) {
    this.port = port;
    this.incident = incident;
    this.answers = answers;
    this.around = new Surroundings(port);
  }

  async take(change: ClusterChange): Promise<void> {
    const wrong = unsound(change);
    if (wrong !== undefined) this.refused.add(wrong);
    else await this.attempt(() => this.sort(change));
  }

  /** Objects first, each with one patch; pods are restarted last, when they find everything as it should be. */
  async finish(): Promise<ClusterPlan> {
    for (const target of this.targets.values()) await this.attempt(() => this.patch(target));
    for (const plan of this.later) await this.attempt(plan);
    if (this.restarts) await this.attempt(() => this.restart());
    return {
      cause: this.incident.cause,
      steps: this.steps,
      refused: [...this.refused],
      affected: [...this.affected],
      notes: [...this.notes, ...this.around.notes],
    };
  }

  private async sort(change: ClusterChange): Promise<void> {
    switch (change.do) {
      case 'workload-set':
      case 'workload-add':
      case 'workload-unset':
        return this.changeWorkloads(change);
      case 'object-set':
        return this.changeObject(change.object, (ref) => objectEdit(ref, change, this.answers));
      case 'uncordon':
        return this.changeObject(`Node/${change.node}`, () => uncordonEdit);
      case 'remove-finalizer':
        this.later.push(() => this.removeFinalizer(change));
        return;
      case 'rollout-undo':
        this.later.push(() => this.undoRollouts());
        return;
      case 'restart-pods':
        this.restarts = true;
    }
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ClusterError) || !ANSWERED.has(error.kind)) throw error;
      this.refused.add(error.message);
    }
  }

  private resolved(): Promise<Resolved> {
    this.resolving ??= resolveIncident(this.port, this.incident);
    return this.resolving;
  }

  /** Those that the victims lead to; what is lost on the way is said. */
  private async workloads(): Promise<readonly Workload[]> {
    const { workloads, lost, notes } = await this.resolved();
    for (const line of notes) this.notes.add(line);
    if (workloads.length === 0) this.refused.add(`No workload was found to change: ${lost.join('; ') || 'the incident names none'}`);
    else for (const line of lost) this.notes.add(`${line}.`);
    return workloads;
  }

  private async changeWorkloads(change: WorkloadChange): Promise<void> {
    const container = containerOf(this.incident);
    for (const workload of await this.workloads()) {
      const why = whyNot(workload, change);
      const target = this.target(workload.ref, workload.object);
      target.workload = workload;
      const context = { podSpec: workload.podSpec, answers: this.answers, ...(container !== undefined ? { container } : {}) };
      target.edits.push(why === undefined ? workloadEdit(change, context) : () => ({ why }));
    }
  }

  private async changeObject(text: string, edit: (ref: ObjectRef) => Editing): Promise<void> {
    const ref = parseObject(text);
    if (!ref) {
      this.refused.add(`${shown(text)} is of a kind that podcause does not change`);
      return;
    }
    const object = this.targets.get(nameOfRef(ref))?.object ?? (await findObject(this.port, ref));
    if (object) this.target(ref, object).edits.push(edit(ref));
    else this.refused.add(`${nameOfRef(ref)} is not there any more`);
  }

  private target(ref: ObjectRef, object: LiveObject): Target {
    const key = nameOfRef(ref);
    const target = this.targets.get(key) ?? { ref, object, edits: [] };
    this.targets.set(key, target);
    return target;
  }

  private async patch(target: Target): Promise<void> {
    const { step, ...told } = await planPatch(this.port, target);
    this.tell(told);
    if (!step) return;
    this.steps.push(step);
    if (target.workload) await this.replaced(target.workload);
  }

  private async replaced(workload: Workload): Promise<void> {
    this.tell({ affected: [await restartsOf(workload, this.around)] });
    if (!replacesPods(workload)) return;
    // A StatefulSet waits for a broken pod to become Ready before it replaces it, so that one is still deleted.
    if (workload.ref.kind !== 'StatefulSet') this.rolling.push(workload);
    const pods = (await podsOf(workload, this.around)) ?? [];
    this.tell({ affected: await budgetLines(workload.ref.namespace ?? '', pods, 'rollout', this.around) });
  }

  private async removeFinalizer(change: Extract<ClusterChange, { readonly do: 'remove-finalizer' }>): Promise<void> {
    const planned = await planRemoval(this.port, change, this.around);
    if ('why' in planned) this.refused.add(planned.why);
    else if ('already' in planned) this.notes.add(`${planned.already}.`);
    else this.steps.push(planned);
  }

  private async undoRollouts(): Promise<void> {
    for (const workload of await this.workloads()) {
      await this.attempt(async () => {
        const planned = await planRollout(this.port, workload);
        if ('why' in planned) {
          this.refused.add(planned.why);
          return;
        }
        this.steps.push(planned);
        await this.replaced(workload);
      });
    }
  }

  private async restart(): Promise<void> {
    if (this.refused.size > 0) {
      this.notes.add('Pods are not restarted, since what should come before cannot be done.');
      return;
    }
    const { steps, ...told } = await planIncidentRestarts(this.port, await this.resolved(), this.rolling, this.around);
    this.steps.push(...steps);
    this.tell(told);
  }

  private tell({ refused = [], affected = [], notes = [] }: Partial<Pick<ClusterPlan, 'refused' | 'affected' | 'notes'>>): void {
    for (const line of refused) this.refused.add(line);
    for (const line of affected) this.affected.add(line);
    for (const line of notes) this.notes.add(line);
  }
}
