import { CONTAINER_KEYS, type Field, STATE_KEYS } from './describe-lines.ts';
import type { ContainerDraft, PodDraft, StateDraft } from './describe-pod-draft.ts';
import { dedent, isBoundary, type View } from './lines.ts';

/** Which list of lines below a container's field is being read. */
type Block = 'none' | 'state' | 'command' | 'args' | 'limits' | 'free';

export interface ContainerCursor {
  container?: ContainerDraft;
  state?: StateDraft;
  block: Block;
  init: boolean;
  /** Indent of the container's own fields, once a line has shown it. */
  fieldIndent?: number;
  /** No exit code stands before this line: long runs of messages are searched once. */
  searched: number;
}

const LONGEST_MESSAGE = 200;

const BLOCKS: Readonly<Record<string, Block>> = {
  Command: 'command',
  Args: 'args',
  Limits: 'limits',
  Requests: 'free',
  Environment: 'free',
  'Environment Variables': 'free',
  'Environment Variables from': 'free',
  Mounts: 'free',
  Devices: 'free',
  SeccompProfile: 'free',
};

export function openContainer(draft: PodDraft, cursor: ContainerCursor, name: string | undefined, line: number): ContainerDraft {
  const before = draft.containers.at(-1);
  const index = before !== undefined && before.init === cursor.init ? before.index + 1 : 0;
  const container: ContainerDraft = {
    ...(name !== undefined ? { name } : {}),
    init: cursor.init,
    index,
    line,
    last: line,
    fields: new Map(),
    command: [],
    args: [],
  };
  draft.containers.push(container);
  cursor.container = container;
  cursor.block = 'none';
  delete cursor.state;
  delete cursor.fieldIndent;
  return container;
}

function openState(container: ContainerDraft, cursor: ContainerCursor, key: string, value: string, line: number): void {
  const state: StateDraft = { value, line, last: line, fields: new Map() };
  if (key === 'Last State') container.lastState = state;
  else container.state = state;
  cursor.state = state;
  cursor.block = 'state';
}

/** A container's message may span lines; what follows it is always its exit code. */
function endOfMessage(view: View, from: number, cursor: ContainerCursor): number {
  let index = Math.max(from + 1, cursor.searched);
  for (; index < Math.min(view.count, from + LONGEST_MESSAGE); index++) {
    const line = view.at(index);
    if (/^\s*Exit Code:\s/.test(line)) return index;
    if (isBoundary(line)) break;
  }
  cursor.searched = index;
  return from + 1;
}

function takeStateField(view: View, state: StateDraft, cursor: ContainerCursor, field: Field, index: number): number {
  const next = field.key === 'Message' ? endOfMessage(view, index, cursor) : index + 1;
  const more: string[] = [];
  for (let line = index + 1; line < next; line++) more.push(view.at(line));
  if (!state.fields.has(field.key)) state.fields.set(field.key, [field.value, ...dedent(more)].join('\n').trim());
  state.last = next - 1;
  return next;
}

/** Takes a field of a container or of its state; returns the index after it, or `index` when it is neither. */
export function takeContainerField(view: View, draft: PodDraft, cursor: ContainerCursor, field: Field, index: number): number {
  if (STATE_KEYS.has(field.key)) {
    const container = cursor.container ?? openContainer(draft, cursor, undefined, index);
    if (!cursor.state || (cursor.state.fields.has(field.key) && container.name === undefined))
      openState(container, cursor, 'State', '', index);
    if (!cursor.state) return index;
    const next = takeStateField(view, cursor.state, cursor, field, index);
    container.last = Math.max(container.last, next - 1);
    return next;
  }
  if (!CONTAINER_KEYS.has(field.key)) return index;
  const known = cursor.container;
  const repeated = known !== undefined && known.name === undefined && known.fields.has(field.key);
  const container = known === undefined || repeated ? openContainer(draft, cursor, undefined, index) : known;
  if (index > draft.first || field.indent > 0) cursor.fieldIndent = field.indent;
  if (!container.fields.has(field.key)) container.fields.set(field.key, { value: field.value, line: index });
  container.last = index;
  cursor.block = BLOCKS[field.key] ?? 'none';
  delete cursor.state;
  if (field.key === 'State' || field.key === 'Last State') openState(container, cursor, field.key, field.value, index);
  return index + 1;
}

/** Takes a line below Command, Args, Limits and the like. */
export function takeBlockLine(cursor: ContainerCursor, line: string, index: number): void {
  const { container, block } = cursor;
  if (!container) return;
  container.last = index;
  if (block === 'command') container.command.push(line.trim());
  if (block === 'args') container.args.push(line.trim());
  const memory = block === 'limits' ? /^\s*memory:\s+(?<amount>\S+)/.exec(line)?.groups?.['amount'] : undefined;
  if (memory !== undefined) container.memoryLimit = { value: memory, line: index };
}
