import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { nodeId } from '../../model/entity.ts';
import { type DeepPod, deepNamespace, deepPod, deepPodName } from './deep-pod.ts';
import { type Had, inParallel, together } from './had.ts';
import { ClusterError, type ClusterPort } from './port.ts';

export interface DeepSettings {
  readonly image: string;
  readonly script: string;
  /** For the pod to start; then it may run for `runSeconds`. */
  readonly startSeconds: number;
  readonly runSeconds: number;
  readonly mayWrite?: boolean;
  readonly onStep?: (says: string) => void;
  /** Ends the reading early; everything created is removed all the same. */
  readonly signal?: AbortSignal;
}

export function newDeepNamespace(): string {
  return `podcause-${randomBytes(4).toString('hex')}`;
}

/** Reads hosts through one privileged pod each, in a namespace of their own that is always removed. */
export async function readHosts(port: ClusterPort, nodes: readonly string[], settings: DeepSettings): Promise<Had> {
  return inNamespace(port, nodes, settings, async (namespace) =>
    together(await inParallel(nodes, 4, (node) => readHost(port, namespace, node, settings))),
  );
}

/** One pod on one node, and what it printed; the namespace is removed whatever happens. */
export async function runOnHost(port: ClusterPort, node: string, settings: DeepSettings): Promise<Printed> {
  return inNamespace(port, [node], settings, (namespace) => runPod(port, namespace, node, settings));
}

async function inNamespace<T>(
  port: ClusterPort,
  nodes: readonly string[],
  settings: DeepSettings,
  body: (namespace: string) => Promise<T>,
): Promise<T> {
  const namespace = newDeepNamespace();
  await port.request({ method: 'POST', path: '/api/v1/namespaces', body: deepNamespace(namespace), accept: 'application/json' });
  try {
    return await body(namespace);
  } finally {
    await remove(port, namespace, nodes, settings);
  }
}

interface Printed {
  readonly body: Uint8Array;
  readonly date?: number;
  /** Why it did not end by itself. */
  readonly problem?: string;
}

async function runPod(port: ClusterPort, namespace: string, node: string, settings: DeepSettings): Promise<Printed> {
  const { image, script, startSeconds, runSeconds, mayWrite = false } = settings;
  const pod: DeepPod = { namespace, node, image, script, secondsAtMost: startSeconds + runSeconds, mayWrite };
  await port.request({ method: 'POST', path: `/api/v1/namespaces/${namespace}/pods`, body: deepPod(pod), accept: 'application/json' });
  const problem = await untilDone(port, namespace, node, settings);
  const path = `/api/v1/namespaces/${namespace}/pods/${deepPodName(node)}/log?container=read`;
  const { body, date } = await port.request({ path, limitBytes: 64 << 20 });
  return { body, ...(date !== undefined ? { date } : {}), ...(problem !== undefined ? { problem } : {}) };
}

async function readHost(port: ClusterPort, namespace: string, node: string, settings: DeepSettings): Promise<Had> {
  const name = `nodes/${node}/host.txt`;
  try {
    settings.onStep?.(`reading the host of ${node}`);
    const { body, date, problem } = await runPod(port, namespace, node, settings);
    if (body.length === 0) throw new ClusterError('invalid', problem ?? 'the pod said nothing');
    const unread = problem === undefined ? [] : [{ doc: name, why: `read only in part: ${problem}` }];
    return { documents: [{ name, size: body.length, bytes: body, ...(date !== undefined ? { takenAt: date } : {}) }], unread };
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return { documents: [], unread: [cannotRead(name, node, error)] };
  }
}

/** A node on which no pod starts is just the one that matters: then somebody must go there. */
function cannotRead(doc: string, node: string, error: ClusterError) {
  const denied = error.kind === 'forbidden' ? ('denied' as const) : ('failed' as const);
  return {
    doc,
    why: `the host of ${node} could not be read through a pod: ${error.message}`,
    command: `podcause node --script | ssh ${node} sudo sh -s | podcause --stdin`,
    missed: [{ channel: 'unit-state' as const, about: nodeId(node), extent: denied }],
  };
}

const POLL_MILLISECONDS_AT_MOST = 3000;

interface PodState {
  readonly phase: string;
  readonly problem?: string;
  readonly started: boolean;
}

/** Waits for the end; returns what went wrong where it ended otherwise than by itself. */
async function untilDone(port: ClusterPort, namespace: string, node: string, settings: DeepSettings): Promise<string | undefined> {
  const path = `/api/v1/namespaces/${namespace}/pods/${deepPodName(node)}`;
  const until = Date.now() + settings.startSeconds * 1000;
  let state: PodState = { phase: 'Pending', started: false };
  let deadline = until;
  let pause = 200;
  while (Date.now() < deadline && !settings.signal?.aborted) {
    state = stateOf(JSON.parse(Buffer.from((await port.request({ path, accept: 'application/json' })).body).toString('utf8')));
    if (state.phase === 'Succeeded') return undefined;
    if (state.phase === 'Failed') return state.problem ?? 'the pod failed';
    if (state.started) deadline = until + settings.runSeconds * 1000;
    pause = Math.min(pause * 1.5, POLL_MILLISECONDS_AT_MOST);
    await wait(pause);
  }
  if (settings.signal?.aborted) throw new ClusterError('interrupted', 'stopped by the user');
  if (!state.started) {
    const why = state.problem === undefined ? '' : ` (${state.problem})`;
    throw new ClusterError('slow', `its pod did not start within ${settings.startSeconds} s${why}`);
  }
  return `it did not end within ${settings.runSeconds} s`;
}

interface PodObject {
  readonly status?: {
    readonly phase?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly containerStatuses?: readonly {
      readonly state?: {
        readonly running?: unknown;
        readonly waiting?: { readonly reason?: string; readonly message?: string };
        readonly terminated?: { readonly reason?: string; readonly message?: string; readonly exitCode?: number };
      };
    }[];
  };
}

function stateOf({ status }: PodObject): PodState {
  const state = status?.containerStatuses?.[0]?.state;
  const waiting = state?.waiting;
  const ended = state?.terminated;
  const problem =
    status?.message ??
    (waiting ? [waiting.reason, waiting.message].filter(Boolean).join(': ') : undefined) ??
    (ended && ended.exitCode !== 0 ? [ended.reason, ended.message, `exit code ${ended.exitCode}`].filter(Boolean).join(', ') : undefined);
  return {
    phase: status?.phase ?? 'Pending',
    started: state?.running !== undefined || ended !== undefined,
    ...(problem ? { problem } : {}),
  };
}

/** Pods first and without grace, so that the namespace does not wait for a kubelet that is down. */
async function remove(port: ClusterPort, namespace: string, nodes: readonly string[], { onStep }: DeepSettings): Promise<void> {
  onStep?.(`removing namespace ${namespace}`);
  const gone = async (path: string, body?: unknown) => {
    try {
      await port.request({ method: 'DELETE', path, accept: 'application/json', ...(body ? { body } : {}) });
    } catch (error) {
      if (!(error instanceof ClusterError) || error.kind !== 'not-found') throw error;
    }
  };
  const now = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 };
  for (const node of nodes) {
    // Whatever stays is in the namespace, which goes next.
    await gone(`/api/v1/namespaces/${namespace}/pods/${deepPodName(node)}`, now).catch(() => {});
  }
  try {
    await gone(`/api/v1/namespaces/${namespace}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ClusterError(
      'server-error',
      `the namespace ${namespace} could not be removed (${why}); remove it with: kubectl delete namespace ${namespace}`,
    );
  }
}
