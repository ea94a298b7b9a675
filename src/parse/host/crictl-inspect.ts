import type { EntityId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { type Listed, linkSandbox, listContainer } from './container-names.ts';
import { child, type JsonNode, jsonOpening, numberAt, readJson, textAt } from './json.ts';
import { cite, cover, type Scope, say, scopeOf } from './scope.ts';

const OPENS = /"(?:sandboxID|io\.kubernetes\.pod\.(?:name|uid)|runtimeSpec|snapshotKey)"|"state":\s*"(?:CONTAINER|SANDBOX)_[A-Z]+"/;
const LABEL = 'io.kubernetes';

function timeAt(node: JsonNode | undefined, key: string): number | undefined {
  const text = textAt(node, key);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return time > 0 ? time : undefined;
}

function containerOf(status: JsonNode, info: JsonNode | undefined): Listed | undefined {
  const id = textAt(status, 'id') ?? textAt(info, 'config', 'id');
  const state = textAt(status, 'state')
    ?.replace(/^CONTAINER_/, '')
    .toLowerCase();
  if (!id || !/^[0-9a-f]{12,64}$/.test(id) || !state) return undefined;
  const labels = child(status, 'labels') ?? child(info, 'config', 'labels');
  const optional = {
    name: textAt(labels, `${LABEL}.container.name`) ?? textAt(status, 'metadata', 'name'),
    pod: textAt(labels, `${LABEL}.pod.name`),
    namespace: textAt(labels, `${LABEL}.pod.namespace`),
    podUid: textAt(labels, `${LABEL}.pod.uid`),
    sandbox: textAt(info, 'sandboxID'),
    attempt: numberAt(status, 'metadata', 'attempt'),
  };
  const known = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<Listed>;
  return { id, state, by: 'crictl', ...known };
}

function emitEnd(scope: Scope, about: EntityId, status: JsonNode): void {
  const startedAt = timeAt(status, 'startedAt');
  const finishedAt = timeAt(status, 'finishedAt');
  const [reason, message, exitCode] = [textAt(status, 'reason'), textAt(status, 'message'), numberAt(status, 'exitCode')];
  const payload: FactKinds['container.terminated'] = {
    which: 'last',
    ...(reason !== undefined ? { reason } : {}),
    ...(message !== undefined ? { message } : {}),
    ...(exitCode !== undefined ? { exitCode } : {}),
    ...(startedAt !== undefined ? { startedAt } : {}),
    ...(finishedAt !== undefined ? { finishedAt } : {}),
    ...(startedAt !== undefined && finishedAt !== undefined && finishedAt >= startedAt
      ? { ranSeconds: (finishedAt - startedAt) / 1000 }
      : {}),
  };
  const line = child(status, 'exitCode')?.line ?? status.line;
  scope.sink.fact('container.terminated', about, payload, cite(scope, line));
  if (message !== undefined) say(scope, 'runtime-state', message, child(status, 'message')?.line ?? line, { about, component: 'runtime' });
}

/** The path as the runtime was asked for it; with systemd drivers it holds colons on healthy hosts too, so it is no `colon` shape. */
function emitCgroup(scope: Scope, about: EntityId, info: JsonNode | undefined): void {
  const node = child(info, 'runtimeSpec', 'linux', 'cgroupsPath');
  const path = textAt(node);
  if (!node || path === undefined || !path.includes('kubepods')) return;
  const shape = /^\/?kubepods\/(?:[a-z]+\/)?pod[^/:]+\/[^/:]+$/.test(path) ? 'cgroupfs' : 'other';
  scope.sink.fact('container.cgroup-path', about, { path, shape }, cite(scope, node.line));
}

function emitDriver(scope: Scope, info: JsonNode | undefined): void {
  const node = child(info, 'runtimeOptions', 'systemd_cgroup');
  if (typeof node?.value !== 'boolean') return;
  scope.sink.fact(
    'runtime.cgroup-driver',
    scope.node,
    { runtime: 'containerd', driver: node.value ? 'systemd' : 'cgroupfs', explicit: true, source: 'effective' },
    cite(scope, node.line),
  );
}

function emit(scope: Scope, root: JsonNode): boolean {
  const status = child(root, 'status') ?? root;
  const info = child(root, 'info');
  const state = textAt(status, 'state') ?? '';
  if (state.startsWith('SANDBOX_')) {
    const [id, pod] = [textAt(status, 'id'), textAt(status, 'metadata', 'name')];
    if (!id || !pod) return false;
    linkSandbox(scope, id, textAt(status, 'metadata', 'namespace'), pod, textAt(status, 'metadata', 'uid'), state === 'SANDBOX_READY');
    emitDriver(scope, info);
    return true;
  }
  const listed = containerOf(status, info);
  if (!listed) return false;
  const about = listContainer(scope, listed, child(status, 'state')?.line ?? status.line);
  if (listed.state === 'exited') emitEnd(scope, about, status);
  emitCgroup(scope, about, info);
  emitDriver(scope, info);
  return true;
}

export const crictlInspectReader: BlockReader = {
  what: 'crictl inspect',
  read(lines, from, context, sink) {
    const opening = jsonOpening(lines, from);
    if (opening === '' || !OPENS.test(opening)) return from;
    const block = readJson(lines, from);
    if (!block) return from;
    const scope = scopeOf(lines, context, sink);
    const objects = block.root.items ?? [block.root];
    const taken = objects.filter((object) => emit(scope, object));
    if (taken.length === 0) return from;
    cover(scope, 'runtime-state', 'excerpt', from, block.end);
    return block.end;
  },
};
