import { isRecord, parsed } from '../../collect/cluster/list-meta.ts';
import type { ClusterStep, FixRecord, FixState, HostMark, LiveObject, StepState } from './cluster-plan.ts';
import { recordAt } from './meta.ts';
import { plainLine } from './plain-line.ts';
import { isName } from './refs.ts';
import { decodeStep } from './step-format.ts';

export interface JournalStep {
  readonly step: ClusterStep;
  readonly state: StepState;
  /** Of the object as it was when the step began, so that a later one of the same name is left alone. */
  readonly uid?: string;
  readonly why?: string;
}

export interface JournalEntry {
  readonly record: FixRecord;
  /** Of the steps; hosts have their own. */
  readonly state: FixState;
  readonly at: string;
  /** An undo was begun: there is no going on any more, only back. */
  readonly undoing: boolean;
  readonly steps: readonly JournalStep[];
  readonly hosts: readonly HostMark[];
}

const VERSION = 1;
const ID = /^[a-z0-9](?:[-a-z0-9]{0,60}[a-z0-9])?$/;
const STATES: ReadonlySet<unknown> = new Set<FixState>(['begun', 'done', 'stopped', 'undone']);
const STEP_STATES: ReadonlySet<unknown> = new Set<StepState>(['planned', 'begun', 'done', 'skipped', 'undone', 'kept']);
const HOST_STATES: ReadonlySet<unknown> = new Set<HostMark['state']>(['begun', 'done', 'rolled-back', 'undone']);

export function isFixId(id: string): boolean {
  return ID.test(id);
}

/** Nothing was begun in the cluster yet; hosts may have been. */
export function isOnlyNoted({ state, undoing, steps }: JournalEntry): boolean {
  return state === 'begun' && !undoing && steps.every((step) => step.state === 'planned');
}

/** Words of a record as they are kept: on one line, without secrets. */
export function plainRecord({ id, title, report, who }: FixRecord): FixRecord {
  return { id, title: plainLine(title, 300), report: plainLine(report, 100), who: plainLine(who, 200) };
}

export function encodeEntry({ record, state, at, undoing, steps, hosts }: JournalEntry): Readonly<Record<string, string>> {
  return {
    record: JSON.stringify({ version: VERSION, ...record, state, at, undoing }),
    steps: JSON.stringify(steps.map(stored), null, 1),
    hosts: JSON.stringify(hosts),
  };
}

/** Files for people and what was only true when it was planned are left out. */
function stored({ step, state, uid, why }: JournalStep): LiveObject {
  const { dryRun, notes, owner, ...kept } = step;
  const { fragment, ...rest } = 'fragment' in kept ? kept : { ...kept, fragment: undefined };
  return { ...rest, state, ...(uid === undefined ? {} : { objectUid: uid }), ...(why === undefined ? {} : { why }) };
}

/** Undefined for whatever podcause did not write so: it is changed objects by, and may come from anybody. */
export function decodeEntry(configMap: LiveObject): JournalEntry | undefined {
  const data = recordAt(configMap, ['data']);
  const [record, steps, hosts] = ['record', 'steps', 'hosts'].map((key) => {
    const text = data[key];
    return typeof text === 'string' ? parsed(text) : undefined;
  });
  if (!isRecord(record) || record['version'] !== VERSION || !STATES.has(record['state'])) return undefined;
  const words = ['id', 'title', 'report', 'who', 'at'].map((name) => record[name]);
  if (!words.every((word) => typeof word === 'string') || !isFixId(String(record['id']))) return undefined;
  const decodedSteps = all(steps, decodeJournalStep);
  const decodedHosts = all(hosts, decodeHost);
  if (!decodedSteps || !decodedHosts) return undefined;
  const [id = '', title = '', report = '', who = '', at = ''] = words.map(String);
  return {
    record: plainRecord({ id, title, report, who }),
    state: record['state'] as FixState,
    at: plainLine(at, 40),
    undoing: record['undoing'] === true,
    steps: decodedSteps,
    hosts: decodedHosts,
  };
}

function decodeJournalStep(value: unknown): JournalStep | undefined {
  const step = decodeStep(value);
  if (!step || !isRecord(value) || !STEP_STATES.has(value['state'])) return undefined;
  const { objectUid: uid, why } = value;
  return {
    step,
    state: value['state'] as StepState,
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof why === 'string' ? { why: plainLine(why) } : {}),
  };
}

function decodeHost(value: unknown): HostMark | undefined {
  if (!isRecord(value) || typeof value['node'] !== 'string' || !isName(value['node']) || !HOST_STATES.has(value['state'])) return undefined;
  return { node: value['node'], state: value['state'] as HostMark['state'] };
}

function all<T>(values: unknown, decode: (value: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const decoded = values.map(decode);
  return decoded.every((one): one is Awaited<T> & T => one !== undefined) ? decoded : undefined;
}
