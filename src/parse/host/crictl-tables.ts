import type { BlockReader } from '../../model/reading.ts';
import { linkSandbox, listContainer } from './container-names.ts';
import { cover, type Scope, scopeOf } from './scope.ts';
import { commandIs, isFiltered } from './text.ts';

const PS_HEADER = /^\s{0,40}CONTAINER(?: ID)?\s+IMAGE\s+CREATED\s+STATE\s+NAME\s+ATTEMPT\s+POD ID/;
const PS_ROW =
  /^\s{0,40}(?<id>[0-9a-f]{12,64})\s+(?<image>\S{1,400})\s+(?<created>\S.{0,40}? ago)\s+(?<state>Running|Exited|Created|Unknown)\s+(?<name>\S{1,253})\s+(?<attempt>\d{1,9})\s+(?<sandbox>[0-9a-f]{12,64})(?:\s+(?<pod>\S{1,253}))?(?:\s+(?<namespace>\S{1,63}))?\s{0,200}$/;
const PODS_HEADER = /^\s{0,40}POD ID\s+CREATED\s+STATE\s+NAME\s+NAMESPACE\s+ATTEMPT/;
const PODS_ROW =
  /^\s{0,40}(?<id>[0-9a-f]{12,64})\s+(?<created>\S.{0,40}? ago)\s+(?<state>Ready|NotReady)\s+(?<name>\S{1,253})\s+(?<namespace>\S{1,63})\s+(?<attempt>\d{1,9})(?:\s+(?<runtime>\S{1,80}))?\s{0,200}$/;
const TASKS_HEADER = /^\s{0,40}TASK\s+PID\s+STATUS\s*$/;
const TASKS_ROW = /^\s{0,40}(?<id>[0-9a-f]{64})\s+(?<pid>\d{1,9})\s+(?<state>RUNNING|STOPPED|CREATED|PAUSED|PAUSING|UNKNOWN)\s*$/;

type Groups = Readonly<Record<string, string | undefined>>;

function groupsOf(pattern: RegExp, line: string | undefined): Groups | undefined {
  return line !== undefined && line.length < 2000 ? pattern.exec(line)?.groups : undefined;
}

/** A table whose rows are known by their own shape, so that its header may be missing. */
function tableReader(
  what: string,
  header: RegExp,
  row: RegExp,
  everything: RegExp,
  emit: (scope: Scope, groups: Groups, line: number) => void,
): BlockReader {
  return {
    what,
    read(lines, from, context, sink) {
      const headed = header.test((lines[from] ?? '').slice(0, 400));
      if (!headed && !groupsOf(row, lines[from])) return from;
      const scope = scopeOf(lines, context, sink);
      let end = headed ? from + 1 : from;
      for (let groups = groupsOf(row, lines[end]); groups; groups = groupsOf(row, lines[end])) {
        emit(scope, groups, end);
        end++;
      }
      cover(scope, 'runtime-state', headed && commandIs(context, everything) && !isFiltered(context) ? 'whole' : 'excerpt', from, end);
      return end;
    },
  };
}

function emitContainer(scope: Scope, groups: Groups, line: number): void {
  const { pod, namespace, name, sandbox, created } = groups;
  listContainer(
    scope,
    {
      id: groups['id'] ?? '',
      state: (groups['state'] ?? '').toLowerCase(),
      by: 'crictl',
      attempt: Number(groups['attempt']),
      ...(name !== undefined ? { name } : {}),
      ...(sandbox !== undefined ? { sandbox } : {}),
      ...(created !== undefined ? { sinceText: created } : {}),
      ...(pod !== undefined && pod !== 'unknown' ? { pod } : {}),
      ...(namespace !== undefined && namespace !== 'unknown' ? { namespace } : {}),
    },
    line,
  );
}

export const crictlPsReader = tableReader('crictl ps', PS_HEADER, PS_ROW, /\bps\s+(?:-\w+\s+)*-\w*a/, emitContainer);

export const crictlPodsReader = tableReader(
  'crictl pods',
  PODS_HEADER,
  PODS_ROW,
  /\bcrictl\b.{0,120}\bpods(?:\s+--no-trunc)?\s*$/,
  (scope, groups) => {
    linkSandbox(scope, groups['id'] ?? '', groups['namespace'], groups['name'] ?? '', undefined, groups['state'] === 'Ready');
  },
);

export const ctrTasksReader = tableReader('ctr tasks ls', TASKS_HEADER, TASKS_ROW, /\btasks?\s+(?:ls|list)\s*$/, (scope, groups, line) => {
  listContainer(scope, { id: groups['id'] ?? '', state: (groups['state'] ?? '').toLowerCase(), by: 'ctr' }, line);
});
