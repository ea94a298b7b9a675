import { nextText, parseField, startsObject } from './describe-lines.ts';
import { type EventBlock, readEventBlock } from './event-rows.ts';
import { indentOf, isBlank, isBoundary, isElision, type View } from './lines.ts';

export interface DescribedLine {
  readonly line: number;
  readonly text: string;
}

export interface DescribedSection {
  readonly key: string;
  readonly value: string;
  readonly line: number;
  readonly children: DescribedLine[];
}

/** An object's description as its keys and the lines below each. */
export interface Description {
  readonly first: number;
  readonly next: number;
  readonly sections: readonly DescribedSection[];
  readonly events?: EventBlock;
  readonly noEvents?: number;
  readonly elided: boolean;
}

const AHEAD = 60;

interface Walk {
  readonly view: View;
  readonly first: number;
  readonly base: number;
  /** Where indents were lost, only these keys start a section. */
  readonly top?: ReadonlySet<string>;
  readonly sections: DescribedSection[];
  elided: boolean;
  known: number;
}

function isTopKey(walk: Walk, key: string, indent: number): boolean {
  return walk.top ? walk.top.has(key) : indent <= walk.base;
}

function knownAhead(walk: Walk, from: number): boolean {
  if (walk.known > from) return true;
  for (let index = from + 1; index < Math.min(walk.view.count, from + AHEAD); index++) {
    const line = walk.view.at(index);
    if (isBlank(line) || isBoundary(line)) return false;
    if (walk.top?.has(parseField(line)?.key ?? '')) {
      walk.known = index;
      return true;
    }
  }
  return false;
}

/** Index to go on at after blank lines; `index` itself when the description ends there. */
function afterBlank(walk: Walk, index: number): number {
  const next = nextText(walk.view, index + 1);
  if (next === undefined || startsObject(walk.view, next)) return index;
  const field = parseField(walk.view.at(next));
  const goesOn =
    field !== undefined &&
    (field.key === 'Events' || (walk.top?.has(field.key) && !walk.sections.some((section) => section.key === field.key)));
  return goesOn ? next : index;
}

function takeLine(walk: Walk, line: string, index: number): number {
  const field = parseField(line);
  if (field && isTopKey(walk, field.key, field.indent)) {
    walk.sections.push({ key: field.key, value: field.value, line: index, children: [] });
    return index + 1;
  }
  const current = walk.sections.at(-1);
  if (!current || !(indentOf(line) > walk.base || knownAhead(walk, index))) return index;
  current.children.push({ line: index, text: line });
  return index + 1;
}

/** Reads a description of any kind; `top` names its keys where they are known. */
export function readDescription(view: View, from: number, top?: ReadonlySet<string>): Description {
  const walk: Walk = { view, first: from, base: indentOf(view.at(from)), ...(top ? { top } : {}), sections: [], elided: false, known: -1 };
  let index = from;
  while (index < view.count) {
    const line = view.at(index);
    if (index > from && (isBoundary(line) || startsObject(view, index))) break;
    const events = /^\s*Events:(?:\s+(?<value>\S.*))?$/.exec(line.trimEnd());
    if (events)
      return { ...withEvents(walk, events.groups?.['value'] ?? '', index), first: from, sections: walk.sections, elided: walk.elided };
    const next = isBlank(line) ? afterBlank(walk, index) : isElision(line) ? index + 1 : takeLine(walk, line, index);
    if (isElision(line)) walk.elided = true;
    if (next <= index) break;
    index = next;
  }
  return { first: from, next: index, sections: walk.sections, elided: walk.elided };
}

function withEvents({ view }: Walk, value: string, index: number): Pick<Description, 'next' | 'events' | 'noEvents'> {
  if (value !== '') return { next: index + 1, noEvents: index };
  const block = readEventBlock(view, nextText(view, index + 1) ?? index + 1);
  return block.rows.length > 0 || block.headed ? { next: block.next, events: block } : { next: index + 1 };
}

export function sectionOf(description: Description, key: string): DescribedSection | undefined {
  return description.sections.find((section) => section.key === key);
}
