import { ClusterError, type ClusterPort } from '../../collect/cluster/port.ts';
import { type EntityId, entityOf, UNKNOWN } from '../../model/entity.ts';
import { findObject } from './api.ts';
import type { LiveObject, ObjectRef } from './cluster-plan.ts';
import type { Token } from './json-pointer.ts';
import { controllerOf, uidOf } from './meta.ts';
import { nameOfRef, refOf } from './refs.ts';
import { shown } from './values.ts';

/** What owns some victims, as high up as the API's own kinds go. */
export interface Workload {
  readonly ref: ObjectRef;
  readonly object: LiveObject;
  /** Where its pod spec is. */
  readonly podSpec: readonly Token[];
  /** Why what owns it in turn was not found; then it is not the place for a change. */
  readonly cutOff?: string;
}

export interface LivePod {
  readonly ref: ObjectRef;
  readonly object: LiveObject;
}

export interface Resolved {
  readonly workloads: readonly Workload[];
  readonly pods: readonly LivePod[];
  /** Victims that lead nowhere, in words. */
  readonly lost: readonly string[];
  readonly notes: readonly string[];
}

const POD_SPEC: Readonly<Record<string, readonly Token[]>> = {
  Pod: ['spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};
const TEMPLATE: readonly Token[] = ['spec', 'template', 'spec'];

const WORKLOADS: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
]);

const MOST_VICTIMS = 200;
const HIGHEST = 5;

interface Top {
  readonly ref: ObjectRef;
  readonly object: LiveObject;
  readonly cutOff?: string;
}

/** Follows victims to their workloads by live objects; the same owner is read once. */
export async function resolveVictims(port: ClusterPort, victims: readonly EntityId[]): Promise<Resolved> {
  const search = new Search(port);
  const starts = new Map<string, ObjectRef>();
  for (const victim of victims.slice(0, MOST_VICTIMS)) {
    const start = startOf(victim);
    if (start) starts.set(nameOfRef(start), start);
    else search.lost.push(`${shown(victim)}: it is not known which pod or workload this is`);
  }
  await search.readAll([...starts.values()]);
  for (const start of starts.values()) await search.from(start);
  if (victims.length > MOST_VICTIMS) search.notes.push(`Only the first ${MOST_VICTIMS} of ${victims.length} victims were looked at.`);
  return search.result();
}

function startOf(victim: EntityId): ObjectRef | undefined {
  const entity = entityOf(victim);
  switch (entity.kind) {
    case 'Pod':
      return entity.namespace === UNKNOWN ? undefined : refOf('Pod', entity.namespace, entity.name);
    case 'Container':
    case 'WorkloadContainer':
      return entity.parent === undefined || entity.parent === victim ? undefined : startOf(entity.parent);
    case 'Workload':
      return WORKLOADS.has(entity.type ?? '') ? refOf(entity.type ?? '', entity.namespace, entity.name) : undefined;
    default:
      return undefined;
  }
}

class Search {
  readonly lost: string[] = [];
  readonly notes: string[] = [];
  private readonly port: ClusterPort;
  private readonly read = new Map<string, Promise<LiveObject | undefined>>();
  private readonly unreadable = new Map<string, string>();
  private readonly found = new Map<string, Top>();
  private readonly pods: LivePod[] = [];

  constructor(port: ClusterPort) {
    this.port = port;
  }

  /** At once, as far as the port lets them; afterwards each is at hand. */
  async readAll(refs: readonly ObjectRef[]): Promise<void> {
    await Promise.all(refs.map((ref) => this.get(ref)));
  }

  async from(start: ObjectRef): Promise<void> {
    const object = await this.get(start);
    if (object) {
      if (start.kind === 'Pod') this.pods.push({ ref: start, object });
      this.keep(await this.climb({ ref: start, object }));
      return;
    }
    const unreadable = this.unreadable.get(nameOfRef(start));
    if (unreadable !== undefined) {
      this.lost.push(unreadable);
      return;
    }
    const guessed = start.kind === 'Pod' ? await this.byName(start) : undefined;
    if (guessed) {
      this.notes.push(`${nameOfRef(start)} is gone; its owner ${nameOfRef(guessed.ref)} was found by its name.`);
      this.keep(await this.climb(guessed));
    } else this.lost.push(`${nameOfRef(start)} is not there any more`);
  }

  result(): Resolved {
    const workloads = [...this.found.values()].map((top) => ({ ...top, podSpec: POD_SPEC[top.ref.kind] ?? TEMPLATE }));
    return { workloads, pods: this.pods, lost: this.lost, notes: this.notes };
  }

  private keep(top: Top): void {
    this.found.set(nameOfRef(top.ref), top);
  }

  private async climb(from: Top): Promise<Top> {
    let top = from;
    for (let step = 0; step < HIGHEST; step++) {
      const owner = controllerOf(top.object);
      const ref = owner && WORKLOADS.has(owner.kind) ? refOf(owner.kind, top.ref.namespace, owner.name) : undefined;
      // Another group may have a kind of the same name: that one is an operator's.
      if (!owner || !ref || owner.apiVersion.split('/')[0] !== ref.apiVersion.split('/')[0]) return top;
      const object = await this.get(ref);
      if (!object) return { ...top, cutOff: this.unreadable.get(nameOfRef(ref)) ?? `its owner ${nameOfRef(ref)} is not there any more` };
      if (uidOf(object) !== owner.uid) return { ...top, cutOff: `its owner is gone, and another ${nameOfRef(ref)} is in its place` };
      top = { ref, object };
    }
    return top;
  }

  /** A pod that was replaced since the report was made still carries the name of what made it. */
  private async byName({ namespace, name }: ObjectRef): Promise<Top | undefined> {
    const match = /^(?<owner>.{1,250})-(?<last>[a-z0-9]{1,10})$/.exec(name)?.groups;
    const kinds = /^\d+$/.test(match?.['last'] ?? '') ? ['StatefulSet'] : ['ReplicaSet', 'DaemonSet', 'Job'];
    for (const kind of kinds) {
      const ref = refOf(kind, namespace, match?.['owner'] ?? '');
      const object = ref && (await this.get(ref));
      if (ref && object) return { ref, object };
    }
    return undefined;
  }

  private get(ref: ObjectRef): Promise<LiveObject | undefined> {
    const key = nameOfRef(ref);
    const known = this.read.get(key);
    if (known) return known;
    const reading = findObject(this.port, ref).catch((error: unknown) => {
      if (!(error instanceof ClusterError) || error.kind !== 'forbidden') throw error;
      this.unreadable.set(key, `${key} may not be read: ${error.message}`);
      return undefined;
    });
    this.read.set(key, reading);
    return reading;
  }
}
