import type { BlockReader } from '../../model/reading.ts';
import { dockerName, linkSandbox, listContainer } from './container-names.ts';
import { cover, type Scope, scopeOf } from './scope.ts';
import { commandIs, isBlank, isFiltered } from './text.ts';

const HEADER = /^\s{0,40}CONTAINER ID\s+IMAGE\s+COMMAND\s+CREATED\s+STATUS\s/;
const ROW = /^\s{0,40}(?<id>[0-9a-f]{12}|[0-9a-f]{64})\s+\S/;
const STATUS =
  /(?:^|\s)(?:(?<up>Up (?:Less than a second|About an? \w{4,6}|\d{1,5} \w{3,8}))(?: \((?<detail>[a-zA-Z: ]{4,20})\))?|(?<ended>Exited|Restarting) \((?<code>\d{1,3})\) (?<ago>(?:Less than a second|About an? \w{4,6}|\d{1,5} \w{3,8}) ago)|(?<other>Created|Dead|Removal In Progress)(?=\s|$))/;

interface Row {
  readonly id: string;
  readonly state: string;
  readonly sinceText?: string;
  readonly exitCode?: number;
  readonly name: string;
}

function rowOf(line: string): Row | undefined {
  if (line.length > 3000) return undefined;
  const id = ROW.exec(line)?.groups?.['id'];
  if (!id) return undefined;
  const name = line.trimEnd().split(/\s+/).at(-1) ?? '';
  // The command is quoted and may hold anything; the status stands behind it.
  const groups = STATUS.exec(line.slice(line.lastIndexOf('"') + 1))?.groups;
  if (!groups) return undefined;
  if (groups['up']) return { id, name, state: groups['detail'] === 'Paused' ? 'paused' : 'running', sinceText: groups['up'] };
  const state = (groups['ended'] ?? groups['other'] ?? 'unknown').toLowerCase();
  const code = groups['ended'] === 'Exited' ? Number(groups['code']) : undefined;
  return { id, name, state, ...(groups['ago'] ? { sinceText: groups['ago'] } : {}), ...(code !== undefined ? { exitCode: code } : {}) };
}

function emit(scope: Scope, row: Row, line: number): void {
  const named = dockerName(row.name);
  if (!named) return;
  if (named.name === 'POD') {
    linkSandbox(scope, row.id, named.namespace, named.pod, named.uid, row.state === 'running');
    return;
  }
  const { name, ...known } = row;
  const { name: container, pod, namespace, uid, attempt } = named;
  listContainer(scope, { ...known, by: 'docker', name: container, pod, namespace, podUid: uid, attempt }, line);
}

export const dockerPsReader: BlockReader = {
  what: 'docker ps',
  read(lines, from, context, sink) {
    const headed = HEADER.test(`${(lines[from] ?? '').slice(0, 300)} `);
    const first = headed ? undefined : rowOf(lines[from] ?? '');
    if (!headed && (!first || (!dockerName(first.name) && !commandIs(context, /\bdocker\s+(?:container\s+)?(?:ps|ls)\b/)))) return from;
    const scope = scopeOf(lines, context, sink);
    let end = headed ? from + 1 : from;
    for (; end < lines.length; end++) {
      const row = isBlank(lines[end] ?? '') ? undefined : rowOf(lines[end] ?? '');
      if (!row) break;
      emit(scope, row, end);
    }
    cover(
      scope,
      'runtime-state',
      headed && commandIs(context, /\bps\s+(?:-\w+\s+)*-\w*a/) && !isFiltered(context) ? 'whole' : 'excerpt',
      from,
      end,
    );
    return end;
  },
};
