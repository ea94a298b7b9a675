import type { Cut, Edited } from './edit.ts';
import { refuse, unchanged } from './edit.ts';
import { cutText } from './splices.ts';

interface Line {
  readonly from: number;
  readonly text: string;
}

const SETTING = /^(?<before>[ \t]*(?:-[ \t]*)?)(?<key>[^\s=]+)(?<gap>[ \t]*=[ \t]*)(?<value>.*)$/;

/** A file of sysctl.d: of several lines with the key the last one counts, so that one is changed. */
export function sysctlFile(text: string | undefined, key: string, value: string): Edited {
  if (!/^[^\s=#;-][^\s=]*$/.test(key) || hasControl(key)) return refuse('That is not the key of a sysctl.');
  if (hasControl(value) || value.trim() === '') return refuse('A sysctl has a key and a value on one line.');
  const before = text ?? '';
  let found: { readonly from: number; readonly value: string } | undefined;
  for (const line of linesOf(before)) {
    if (isComment(line.text)) continue;
    const groups = SETTING.exec(line.text)?.groups;
    if (groups === undefined || dotted(groups['key'] ?? '') !== dotted(key)) continue;
    const start = (groups['before'] ?? '').length + (groups['key'] ?? '').length + (groups['gap'] ?? '').length;
    found = { from: line.from + start, value: (groups['value'] ?? '').trimEnd() };
  }
  if (found === undefined) return appendLine(before, `${key} = ${value}`);
  if (words(found.value) === words(value)) return unchanged(before);
  return cutText(before, [{ from: found.from, to: found.from + found.value.length, text: value }]);
}

/** A file of modules-load.d. */
export function modulesFile(text: string | undefined, name: string): Edited {
  if (!/^[A-Za-z0-9_-]+$/.test(name)) return refuse('That is not the name of a kernel module.');
  const before = text ?? '';
  const listed = linesOf(before).some((line) => !isComment(line.text) && sameModule(line.text, name));
  return listed ? unchanged(before) : appendLine(before, name);
}

/** A new drop-in for a unit. Lines that begin with their own section header stand as they are. */
export function dropIn(lines: readonly string[], section = 'Service'): Edited {
  if (lines.length === 0) return refuse('A drop-in needs a line.');
  if (hasControl(section) || lines.some(hasControl)) return refuse('A line of a drop-in holds a control character.');
  const header = lines[0]?.trimStart().startsWith('[') ? [] : [`[${section}]`];
  return cutText('', [{ from: 0, to: 0, text: `${[...header, ...lines].join('\n')}\n` }]);
}

/** Of the first line of the text. */
export function lineEndingOf(text: string): string {
  return lineEndingAt(text, text.indexOf('\n'));
}

export function lineEndingAt(text: string, newline: number): string {
  return newline > 0 && text[newline - 1] === '\r' ? '\r\n' : '\n';
}

function appendLine(before: string, line: string): Edited {
  const ending = lineEndingOf(before);
  const open = before !== '' && before !== '\uFEFF' && !before.endsWith('\n');
  const cut: Cut = { from: before.length, to: before.length, text: `${open ? ending : ''}${line}${ending}` };
  return cutText(before, [cut]);
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let from = text.startsWith('\uFEFF') ? 1 : 0;
  for (const part of text.slice(from).split('\n')) {
    lines.push({ from, text: part.endsWith('\r') ? part.slice(0, -1) : part });
    from += part.length + 1;
  }
  return lines;
}

function isComment(line: string): boolean {
  return /^[ \t]*(?:[#;]|$)/.test(line);
}

/** Where the first separator is a slash, slashes separate and dots belong to names (sysctl.d(5)). */
function dotted(key: string): string {
  const first = /[./]/.exec(key)?.[0];
  if (first !== '/') return key;
  return key.replace(/[./]/g, (mark) => (mark === '/' ? '.' : '/'));
}

function sameModule(line: string, name: string): boolean {
  return line.trim().replaceAll('-', '_') === name.replaceAll('-', '_');
}

function words(value: string): string {
  return value.trim().split(/\s+/).join(' ');
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text.replaceAll('\t', ' '));
}
