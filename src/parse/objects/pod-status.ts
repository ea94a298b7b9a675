import { flagOf, type JsonRecord, listOf, numberOf, recordOf, textOf, timeOf } from './json-value.ts';

export interface PodStatus {
  /** What `kubectl get pods` prints under STATUS; undefined where a fragment leaves it open. */
  readonly status: string | undefined;
  readonly phase: string | undefined;
  readonly ready: number;
  readonly containers: number;
  readonly restarts: number;
  /** Epoch milliseconds at which the last run before the current one ended. */
  readonly lastRestart: number | undefined;
}

interface Tally {
  reason: string | undefined;
  ready: number;
  restarts: number;
  lastRestart: number | undefined;
}

interface InitResult {
  readonly initializing: boolean;
  readonly sidecars: Tally;
}

/**
 * Follows the printer of the API server step by step, since users compare our word with theirs:
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/printers/internalversion/printers.go (printPod)
 */
export function podStatusOf(pod: JsonRecord): PodStatus {
  const spec = recordOf(pod['spec']);
  const status = recordOf(pod['status']);
  const phase = textOf(status['phase']);
  const conditions = listOf(status['conditions']);
  const sidecars = sidecarNames(spec);
  const tally: Tally = { reason: firstReason(status, phase, conditions), ready: 0, restarts: 0, lastRestart: undefined };
  const init = countInit(status, listOf(spec['initContainers']).length, sidecars, tally);
  if (!init.initializing || isInitialized(conditions)) {
    tally.restarts = init.sidecars.restarts;
    tally.lastRestart = init.sidecars.lastRestart;
    countContainers(status, conditions, tally);
  }
  return {
    status: afterDeletion(pod, status, phase, tally.reason),
    phase,
    ready: tally.ready,
    containers: containerCount(spec, status) + sidecars.size,
    restarts: tally.restarts,
    lastRestart: tally.restarts === 0 ? undefined : tally.lastRestart,
  };
}

/** A fragment may bring the status without the spec. */
function containerCount(spec: JsonRecord, status: JsonRecord): number {
  return Array.isArray(spec['containers']) ? spec['containers'].length : listOf(status['containerStatuses']).length;
}

function sidecarNames(spec: JsonRecord): ReadonlySet<string> {
  const names = new Set<string>();
  for (const item of listOf(spec['initContainers'])) {
    const container = recordOf(item);
    const name = textOf(container['name']);
    if (name !== undefined && container['restartPolicy'] === 'Always') names.add(name);
  }
  return names;
}

function firstReason(status: JsonRecord, phase: string | undefined, conditions: readonly unknown[]): string | undefined {
  for (const item of conditions) {
    const condition = recordOf(item);
    if (condition['type'] === 'PodScheduled' && condition['reason'] === 'SchedulingGated') return 'SchedulingGated';
  }
  return textOf(status['reason']) ?? phase;
}

function countInit(status: JsonRecord, total: number, sidecars: ReadonlySet<string>, tally: Tally): InitResult {
  const own: Tally = { reason: '', ready: 0, restarts: 0, lastRestart: undefined };
  const statuses = listOf(status['initContainerStatuses']);
  for (let index = 0; index < statuses.length; index++) {
    const container = recordOf(statuses[index]);
    const sidecar = sidecars.has(textOf(container['name']) ?? '');
    addRestarts(tally, container);
    if (sidecar) addRestarts(own, container);
    const state = recordOf(container['state']);
    const terminated = state['terminated'] ? recordOf(state['terminated']) : undefined;
    if (terminated && (numberOf(terminated['exitCode']) ?? 0) === 0) continue;
    if (sidecar && flagOf(container['started'])) {
      if (container['ready'] === true) tally.ready++;
      continue;
    }
    tally.reason = initReason(state, terminated, index, total || statuses.length);
    return { initializing: true, sidecars: own };
  }
  return { initializing: false, sidecars: own };
}

function initReason(state: JsonRecord, terminated: JsonRecord | undefined, index: number, total: number): string {
  if (terminated) return `Init:${endOf(terminated)}`;
  const waiting = textOf(recordOf(state['waiting'])['reason']);
  if (waiting !== undefined && waiting !== 'PodInitializing') return `Init:${waiting}`;
  return `Init:${index}/${total}`;
}

function endOf(terminated: JsonRecord): string {
  const reason = textOf(terminated['reason']);
  if (reason !== undefined) return reason;
  const signal = numberOf(terminated['signal']) ?? 0;
  return signal === 0 ? `ExitCode:${numberOf(terminated['exitCode']) ?? 0}` : `Signal:${signal}`;
}

function countContainers(status: JsonRecord, conditions: readonly unknown[], tally: Tally): void {
  const statuses = listOf(status['containerStatuses']);
  let running = false;
  let failure: string | undefined;
  for (let index = statuses.length - 1; index >= 0; index--) {
    const container = recordOf(statuses[index]);
    addRestarts(tally, container);
    const state = recordOf(container['state']);
    const waiting = textOf(recordOf(state['waiting'])['reason']);
    if (waiting !== undefined) {
      tally.reason = waiting;
    } else if (state['terminated']) {
      const terminated = recordOf(state['terminated']);
      tally.reason = endOf(terminated);
      if ((numberOf(terminated['exitCode']) ?? 0) !== 0) failure = tally.reason;
    } else if (container['ready'] === true && state['running']) {
      running = true;
      tally.ready++;
    }
  }
  if (tally.reason !== 'Completed') return;
  if (running && conditionStatus(conditions, 'Ready') === 'True') tally.reason = 'Running';
  else if (failure !== undefined) tally.reason = failure;
  else if (running) tally.reason = 'NotReady';
}

function addRestarts(tally: Tally, container: JsonRecord): void {
  tally.restarts += numberOf(container['restartCount']) ?? 0;
  const last = recordOf(container['lastState'])['terminated'];
  const finished = last ? timeOf(recordOf(last)['finishedAt']) : undefined;
  if (finished !== undefined && finished > (tally.lastRestart ?? 0)) tally.lastRestart = finished;
}

function afterDeletion(pod: JsonRecord, status: JsonRecord, phase: string | undefined, reason: string | undefined): string | undefined {
  if (!recordOf(pod['metadata'])['deletionTimestamp']) return reason;
  if (status['reason'] === 'NodeLost') return 'Unknown';
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

function isInitialized(conditions: readonly unknown[]): boolean {
  return conditionStatus(conditions, 'Initialized') === 'True';
}

export function conditionStatus(conditions: readonly unknown[], type: string): string | undefined {
  for (const item of conditions) {
    const condition = recordOf(item);
    if (condition['type'] === type) return textOf(condition['status']);
  }
  return undefined;
}
