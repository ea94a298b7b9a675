import { type ContainerCursor, openContainer, takeBlockLine, takeContainerField } from './describe-container-lines.ts';
import {
  CONTAINER_KEYS,
  CONTAINER_ONLY,
  type Field,
  HEAD_KEYS,
  isPodKey,
  nextText,
  parseField,
  parseItem,
  SECTION_KEYS,
  STATE_KEYS,
  startsObject,
} from './describe-lines.ts';
import { newPodDraft, type PodDraft } from './describe-pod-draft.ts';
import { readEventBlock } from './event-rows.ts';
import { indentOf, isBlank, isBoundary, isElision, type View } from './lines.ts';

type Part = 'head' | 'containers' | 'conditions' | 'volumes' | 'tail';

interface Walk {
  readonly view: View;
  readonly draft: PodDraft;
  readonly cursor: ContainerCursor;
  part: Part;
  /** The last key of the head or tail, whose value may go on below. */
  list?: string;
  listIndent: number;
  done: boolean;
  /** Memory of `knownAhead`: nothing known before this index. */
  known?: number;
}

const PARTS: Readonly<Record<string, Part>> = {
  'Init Containers': 'containers',
  Containers: 'containers',
  'Ephemeral Containers': 'containers',
  Conditions: 'conditions',
  Volumes: 'volumes',
};

const AHEAD = 40;

/** Reads one pod's description from any of its lines on, until something else begins. */
export function readPodLines(view: View, from: number): PodDraft {
  const draft = newPodDraft(from);
  const walk: Walk = { view, draft, cursor: { block: 'none', init: false, searched: 0 }, part: 'head', listIndent: 0, done: false };
  let index = from;
  while (index < view.count && !walk.done) {
    const next = step(walk, index);
    if (next <= index) break;
    index = next;
  }
  draft.next = Math.max(draft.next, index);
  return draft;
}

function step(walk: Walk, index: number): number {
  const { view, draft } = walk;
  const line = view.at(index);
  if (isBlank(line)) return afterBlank(walk, index);
  if (isElision(line)) {
    draft.elided = true;
    return index + 1;
  }
  if (index > draft.first && (startsObject(view, index) || isBoundary(line))) return index;
  if (isBlockLine(walk, line)) {
    takeBlockLine(walk.cursor, line, index);
    return index + 1;
  }
  const field = parseField(line);
  const taken = field ? takeField(walk, field, index) : index;
  if (taken !== index || walk.done) return taken;
  return takeOther(walk, line, index);
}

function afterBlank(walk: Walk, index: number): number {
  const next = nextText(walk.view, index + 1);
  if (next === undefined || startsObject(walk.view, next)) return index;
  const line = walk.view.at(next);
  if (isElision(line) || isBlockLine(walk, line)) return next;
  if (isScript(walk) && knownAhead(walk, next)) return next;
  const key = parseField(line)?.key;
  return key !== undefined && isPodKey(key) && !isRepeated(walk, key) ? next : index;
}

/** Commands may hold blank lines; a state always follows them. */
function isScript({ part, cursor }: Walk): boolean {
  return part === 'containers' && (cursor.block === 'command' || cursor.block === 'args');
}

/** A second `Containers:` belongs to another pod. */
function isRepeated({ draft, part }: Walk, key: string): boolean {
  return SECTION_KEYS.has(key) ? draft.sections.has(key) : part === 'head' && key === 'Status' && draft.fields.has(key);
}

/** Lines below Command, Environment, Mounts: by their indent, or where indents were lost, by what comes after. */
function isBlockLine(walk: Walk, line: string): boolean {
  const { cursor, part } = walk;
  if (part !== 'containers' || !['command', 'args', 'limits', 'free'].includes(cursor.block)) return false;
  return cursor.fieldIndent !== undefined && indentOf(line) > cursor.fieldIndent;
}

function takeField(walk: Walk, field: Field, index: number): number {
  const { draft, cursor, view } = walk;
  if (SECTION_KEYS.has(field.key)) return isRepeated(walk, field.key) ? index : takeSection(walk, field, index);
  if (walk.part === 'volumes') return takeVolumeField(walk, field, index);
  if (walk.part === 'containers') return takeContainerField(view, draft, cursor, field, index);
  const inHead = walk.part === 'head' && HEAD_KEYS.has(field.key) && draft.containers.length === 0;
  if (inHead && !(index === draft.first && STATE_KEYS.has(field.key))) return takeHeadField(walk, field, index);
  if (CONTAINER_ONLY.has(field.key) || CONTAINER_KEYS.has(field.key) || (index === draft.first && STATE_KEYS.has(field.key))) {
    walk.part = 'containers';
    return takeContainerField(view, draft, cursor, field, index);
  }
  return index;
}

function takeHeadField(walk: Walk, field: Field, index: number): number {
  if (isRepeated(walk, field.key)) return index;
  if (!walk.draft.fields.has(field.key)) walk.draft.fields.set(field.key, { value: field.value, line: index });
  walk.list = field.key;
  walk.listIndent = field.indent;
  return index + 1;
}

function takeSection(walk: Walk, field: Field, index: number): number {
  const { draft, cursor } = walk;
  draft.sections.add(field.key);
  walk.part = PARTS[field.key] ?? 'tail';
  walk.list = field.key;
  walk.listIndent = field.indent;
  cursor.init = field.key === 'Init Containers';
  cursor.block = 'none';
  delete cursor.container;
  delete cursor.state;
  delete cursor.fieldIndent;
  if (field.key === 'Events') return takeEvents(walk, field, index);
  if (field.value !== '') takeListValue(walk, field.value, index);
  return index + 1;
}

function takeEvents(walk: Walk, field: Field, index: number): number {
  const { view, draft } = walk;
  walk.done = true;
  if (field.value.startsWith('<none>')) {
    draft.noEvents = index;
    draft.next = index + 1;
    return index + 1;
  }
  const start = nextText(view, index + 1) ?? index + 1;
  const block = readEventBlock(view, start);
  if (block.rows.length > 0 || block.headed) {
    draft.events = block;
    draft.next = block.next;
    return block.next;
  }
  return index + 1;
}

function takeListValue({ draft, list }: Walk, value: string, line: number): void {
  if (value === '<none>') return;
  if (list === 'Node-Selectors') draft.nodeSelectors.push({ value, line });
  if (list === 'Tolerations') draft.tolerations.push({ value, line });
  const message = list === 'Message' ? draft.fields.get('Message') : undefined;
  if (message) draft.fields.set('Message', { ...message, value: `${message.value}\n${value}` });
}

function takeVolumeField({ draft }: Walk, field: Field, index: number): number {
  const volume = draft.volumes.at(-1);
  if (!volume) return index;
  if (!volume.fields.has(field.key)) volume.fields.set(field.key, field.value);
  volume.last = index;
  return index + 1;
}

/** Lines without a key of their own: names of containers and volumes, rows of conditions, further values. */
function takeOther(walk: Walk, line: string, index: number): number {
  const { draft, cursor, part } = walk;
  const item = parseItem(line);
  if (/^\s*No (?:volumes|events)\.\s*$/.test(line)) {
    if (line.includes('events')) draft.noEvents = index;
    return index + 1;
  }
  if (part === 'volumes' && item) {
    draft.volumes.push({ name: item.name, line: index, last: index, fields: new Map() });
    return index + 1;
  }
  if (item && (part === 'containers' || index === draft.first) && followsName(walk, index)) {
    walk.part = 'containers';
    openContainer(draft, cursor, item.name, index);
    return index + 1;
  }
  if (part === 'conditions') return takeCondition(walk, line, index);
  if (part === 'containers' && cursor.block !== 'none' && knownAhead(walk, index)) {
    takeBlockLine(cursor, line, index);
    return index + 1;
  }
  if (part === 'volumes' && (indentOf(line) > walk.listIndent + 2 || /^\s*[\w-]+:\s/.test(line))) return index + 1;
  return (part === 'head' || part === 'tail') && continuesList(walk, line, index) ? takeFurther(walk, line, index) : index;
}

function takeFurther(walk: Walk, line: string, index: number): number {
  takeListValue(walk, line.trim(), index);
  return index + 1;
}

function followsName({ view }: Walk, index: number): boolean {
  const next = nextText(view, index + 1);
  if (next === undefined) return index >= view.count - 1;
  const line = view.at(next);
  return isElision(line) || CONTAINER_KEYS.has(parseField(line)?.key ?? '');
}

function takeCondition({ draft }: Walk, line: string, index: number): number {
  if (/^\s*Type\s+Status\s*$/.test(line) || /^[\s-]+$/.test(line)) return index + 1;
  const groups = /^\s*(?<type>[A-Za-z][\w./-]{1,100})\s+(?<status>True|False|Unknown)\s*$/.exec(line)?.groups;
  if (!groups) return index;
  draft.conditions.push({ type: groups['type'] ?? '', status: groups['status'] ?? '', line: index });
  return index + 1;
}

function continuesList(walk: Walk, line: string, index: number): boolean {
  if (walk.list === undefined) return false;
  if (indentOf(line) > walk.listIndent) return true;
  if (walk.list === 'Tolerations') return /^\S{0,200}:(?:NoSchedule|NoExecute|PreferNoSchedule)\b|\bop=/.test(line);
  if (walk.list === 'Labels' || walk.list === 'Node-Selectors') return /^[\w./-]{1,200}=\S{0,200}$/.test(line.trim());
  return walk.list === 'Annotations' ? /^[\w./-]{1,200}: /.test(line) : walk.list === 'Message' && knownAhead(walk, index);
}

/** Whether a field of a pod comes within reach before the output ends; remembered, so that each line is looked at once. */
function knownAhead(walk: Walk, from: number): boolean {
  const { view } = walk;
  const known = walk.known ?? -1;
  if (known > from) return known - from <= AHEAD;
  for (let index = from + 1; index < Math.min(view.count, from + AHEAD); index++) {
    const line = view.at(index);
    if (isBoundary(line) || (isBlank(line) && !isScript(walk))) return false;
    const key = parseField(line)?.key;
    if (key !== undefined && isPodKey(key)) {
      walk.known = index;
      return true;
    }
  }
  return false;
}
