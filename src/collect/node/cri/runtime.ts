import { type Answer, CODES, callRuntime } from './call.ts';
import { mapAt, messageAt, messagesAt, numberAt, textAt } from './protobuf.ts';

/** A failed call, in the words of a client of the runtime. */
export interface Refusal {
  readonly method: string;
  readonly code: number;
  readonly words: string;
}

export interface RuntimeVersion {
  readonly version: string;
  readonly name: string;
  readonly runtimeVersion: string;
  readonly apiVersion: string;
}

export interface Condition {
  readonly type: string;
  readonly status: boolean;
  readonly reason: string;
  readonly message: string;
}

export interface Status {
  readonly conditions: readonly Condition[];
  readonly info: ReadonlyMap<string, string>;
}

export interface Sandbox {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly attempt: number;
  readonly ready: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

export interface Container {
  readonly id: string;
  readonly sandbox: string;
  readonly name: string;
  readonly attempt: number;
  readonly image: string;
  readonly state: 'Created' | 'Running' | 'Exited' | 'Unknown';
  readonly createdAt: number;
}

const STATES = ['Created', 'Running', 'Exited', 'Unknown'] as const;
const VERBOSE = Uint8Array.of(0x08, 0x01);

type Result<T> = { readonly value: T } | { readonly refusal: Refusal };

/** The runtime behind a socket, spoken to by the version of the interface it knows. */
export interface Runtime {
  readonly version: RuntimeVersion;
  status(): Promise<Result<Status>>;
  /** Which cgroup driver it uses; older runtimes do not know the question. */
  cgroupDriver(): Promise<Result<'SYSTEMD' | 'CGROUPFS' | undefined>>;
  sandboxes(): Promise<Result<readonly Sandbox[]>>;
  containers(): Promise<Result<readonly Container[]>>;
}

/** Asks for the version first: who does not answer that answers nothing. */
export async function openRuntime(socket: string, milliseconds: number): Promise<Result<Runtime>> {
  let first: Refusal | undefined;
  for (const service of ['runtime.v1.RuntimeService', 'runtime.v1alpha2.RuntimeService']) {
    const ask = (method: string, request?: Uint8Array) =>
      callRuntime({ socket, method: `${service}/${method}`, milliseconds, ...(request ? { request } : {}) });
    const answer = await ask('Version');
    if (answer.ok) return { value: runtimeBy(ask, versionOf(answer.body)) };
    first ??= refusalOf('Version', answer);
    if (answer.code !== 12) break;
  }
  return { refusal: first ?? { method: 'Version', code: 2, words: 'rpc error: code = Unknown desc = no answer' } };
}

function runtimeBy(ask: (method: string, request?: Uint8Array) => Promise<Answer>, version: RuntimeVersion): Runtime {
  async function asked<T>(method: string, read: (body: Uint8Array) => T, request?: Uint8Array): Promise<Result<T>> {
    const answer = await ask(method, request);
    return answer.ok ? { value: read(answer.body) } : { refusal: refusalOf(method, answer) };
  }
  return {
    version,
    status: () => asked('Status', statusOf, VERBOSE),
    cgroupDriver: () => asked('RuntimeConfig', driverOf),
    sandboxes: () => asked('ListPodSandbox', (body) => messagesAt(body, 1).map(sandboxOf)),
    containers: () => asked('ListContainers', (body) => messagesAt(body, 1).map(containerOf)),
  };
}

function refusalOf(method: string, { code, message }: Answer & { ok: false }): Refusal {
  return { method, code, words: `rpc error: code = ${CODES[code] ?? `Code(${code})`} desc = ${message}` };
}

function versionOf(body: Uint8Array): RuntimeVersion {
  return { version: textAt(body, 1), name: textAt(body, 2), runtimeVersion: textAt(body, 3), apiVersion: textAt(body, 4) };
}

function statusOf(body: Uint8Array): Status {
  const conditions = messagesAt(messageAt(body, 1) ?? new Uint8Array(), 1).map((condition) => ({
    type: textAt(condition, 1),
    status: numberAt(condition, 2) === 1,
    reason: textAt(condition, 3),
    message: textAt(condition, 4),
  }));
  return { conditions, info: mapAt(body, 2) };
}

function driverOf(body: Uint8Array): 'SYSTEMD' | 'CGROUPFS' | undefined {
  const linux = messageAt(body, 1);
  // The first value of an enumeration is not written: an empty message says systemd.
  return linux === undefined ? undefined : numberAt(linux, 1) === 1 ? 'CGROUPFS' : 'SYSTEMD';
}

function sandboxOf(bytes: Uint8Array): Sandbox {
  const metadata = messageAt(bytes, 2) ?? new Uint8Array();
  return {
    id: textAt(bytes, 1),
    name: textAt(metadata, 1),
    namespace: textAt(metadata, 3),
    attempt: numberAt(metadata, 4),
    ready: numberAt(bytes, 3) === 0,
    createdAt: numberAt(bytes, 4) / 1e6,
  };
}

function containerOf(bytes: Uint8Array): Container {
  const metadata = messageAt(bytes, 3) ?? new Uint8Array();
  return {
    id: textAt(bytes, 1),
    sandbox: textAt(bytes, 2),
    name: textAt(metadata, 1),
    attempt: numberAt(metadata, 2),
    image: textAt(messageAt(bytes, 4) ?? new Uint8Array(), 1),
    state: STATES[numberAt(bytes, 6)] ?? 'Unknown',
    createdAt: numberAt(bytes, 7) / 1e6,
  };
}
