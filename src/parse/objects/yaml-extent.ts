import { isElision } from './json-words.ts';

/** One YAML document inside a text. */
export interface YamlExtent {
  /** First line of content and the line after the last. */
  readonly start: number;
  readonly end: number;
  /** Columns by which the whole document is indented. */
  readonly base: number;
}

const OBJECT = /^(?:- )?(?:apiVersion|kind): +\S/;
const PART =
  /^(?:status|spec|containerStatuses|initContainerStatuses|state|lastState|containers|initContainers|conditions|metadata|items): *$|^- containerID: /;
const KEY = /^(?:[a-z][A-Za-z0-9_./-]{0,80}|"[^"]{1,80}"|'[^']{1,80}') *:(?:\s|$)/;
/** Words of messages that look like keys. */
const MESSAGE = /^(?:error|warning|warn|fatal|panic|info|note|hint|edit|update)\b/i;
const SEPARATOR = /^---(?:\s|$)/;
const LINE_LIMIT = 20_000;

/** Tabs stand for what a terminal shows, since YAML knows none in its indentation. */
export function expandTabs(line: string): string {
  if (!line.includes('\t')) return line;
  const text = /^[ \t]*/.exec(line)?.[0] ?? '';
  let width = 0;
  for (const char of text) width = char === '\t' ? width - (width % 8) + 8 : width + 1;
  return ' '.repeat(width) + line.slice(text.length);
}

export function indentOf(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === 32) at++;
  return at;
}

function isSilent(line: string): boolean {
  const text = line.trim();
  return text === '' || text.startsWith('#') || isElision(text);
}

/** The document that starts at or just below line `from`, when its first line looks like part of an object. */
export function yamlExtent(lines: readonly string[], from: number): YamlExtent | undefined {
  const start = contentStart(lines, from);
  if (start === undefined) return undefined;
  const first = expandTabs(lines[start] ?? '');
  const base = indentOf(first);
  const opening = first.slice(base, base + 400);
  if (!OBJECT.test(opening) && !PART.test(opening)) return undefined;
  return { start, base, end: extentEnd(lines, start, base) };
}

/** Past a separator and the comments below it. */
function contentStart(lines: readonly string[], from: number): number | undefined {
  if (!SEPARATOR.test((lines[from] ?? '').trim())) return from;
  for (let at = from + 1; at < lines.length && at <= from + 20; at++) {
    const line = lines[at] ?? '';
    if (!isSilent(line) && !SEPARATOR.test(line.trim())) return at;
  }
  return undefined;
}

function extentEnd(lines: readonly string[], start: number, base: number): number {
  const seen = new Set<string>();
  let last = start;
  for (let at = start; at < lines.length; at++) {
    const line = expandTabs((lines[at] ?? '').slice(0, LINE_LIMIT));
    if (isSilent(line)) continue;
    const indent = indentOf(line);
    if (indent < base) break;
    if (indent === base && !continuesAtBase(line.slice(base, base + 200), seen)) break;
    last = at;
  }
  return last + 1;
}

/** At the outermost level only keys and list items stand; a key that comes again belongs to the next object. */
function continuesAtBase(text: string, seen: Set<string>): boolean {
  if (SEPARATOR.test(text)) return false;
  if (text === '-' || text.startsWith('- ')) return true;
  const key = KEY.exec(text)?.[0];
  if (key === undefined || MESSAGE.test(text) || seen.has(key)) return false;
  seen.add(key);
  return true;
}
