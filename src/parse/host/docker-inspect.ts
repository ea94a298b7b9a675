import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { dockerName, type Listed, linkSandbox, listContainer } from './container-names.ts';
import { child, type JsonNode, jsonOpening, numberAt, readJson, textAt } from './json.ts';
import { cite, cover, type Scope, say, scopeOf } from './scope.ts';

const OPENS = /"Id":\s*"[0-9a-f]{12,64}"[\s\S]{0,2000}"State":/;
const STATE_ALONE = /^\s{0,200}"State"\s{0,20}:\s{0,20}\{/;

function idFromCommand(context: Context): string | undefined {
  return /\bdocker\s+(?:container\s+)?inspect\s(?:.{0,200}\s)?(?<id>[0-9a-f]{12,64})(?:\s|$)/.exec((context.command ?? '').slice(0, 600))
    ?.groups?.['id'];
}

function emitEnd(scope: Scope, about: string, state: JsonNode): void {
  const exitCode = numberAt(state, 'ExitCode');
  const startedAt = Date.parse(textAt(state, 'StartedAt') ?? '');
  const finishedAt = Date.parse(textAt(state, 'FinishedAt') ?? '');
  const payload: FactKinds['container.terminated'] = {
    which: 'last',
    ...(exitCode !== undefined ? { exitCode } : {}),
    ...(child(state, 'OOMKilled')?.value === true ? { reason: 'OOMKilled' } : {}),
    ...(startedAt > 0 ? { startedAt } : {}),
    ...(finishedAt > 0 ? { finishedAt } : {}),
    ...(startedAt > 0 && finishedAt >= startedAt ? { ranSeconds: (finishedAt - startedAt) / 1000 } : {}),
  };
  scope.sink.fact('container.terminated', about, payload, cite(scope, child(state, 'ExitCode')?.line ?? state.line));
}

function emit(scope: Scope, object: JsonNode): boolean {
  const state = child(object, 'State');
  const id = textAt(object, 'Id') ?? idFromCommand(scope.context);
  const status = textAt(state, 'Status');
  if (!state || !id || !status) return false;
  const named = dockerName(textAt(object, 'Name') ?? '');
  if (named?.name === 'POD') {
    linkSandbox(scope, id, named.namespace, named.pod, named.uid, status === 'running');
    return true;
  }
  const pod: Partial<Listed> = named
    ? { name: named.name, pod: named.pod, namespace: named.namespace, podUid: named.uid, attempt: named.attempt }
    : {};
  const about = listContainer(scope, { id, state: status, by: 'docker', ...pod }, child(state, 'Status')?.line ?? state.line);
  if (status === 'exited' || status === 'dead') emitEnd(scope, about, state);
  const error = child(state, 'Error');
  if (error && textAt(error)) say(scope, 'runtime-state', textAt(error) ?? '', error.line, { about, level: 'error', component: 'docker' });
  return true;
}

export const dockerInspectReader: BlockReader = {
  what: 'docker inspect',
  read(lines, from, context, sink) {
    const body = STATE_ALONE.test((lines[from] ?? '').slice(0, 400));
    if (body ? idFromCommand(context) === undefined : !OPENS.test(jsonOpening(lines, from))) return from;
    const block = readJson(lines, from, body);
    if (!block) return from;
    const scope = scopeOf(lines, context, sink);
    const taken = (block.root.items ?? [block.root]).filter((object) => emit(scope, object));
    if (taken.length === 0) return from;
    cover(scope, 'runtime-state', 'excerpt', from, block.end);
    return block.end;
  },
};
