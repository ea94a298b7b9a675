import { isElision } from './lines.ts';

type TableStyle = 'aligned' | 'collapsed' | 'tabs' | 'pipes';

export interface Column {
  readonly name: string;
  readonly start: number;
}

export interface Header {
  readonly columns: readonly Column[];
  readonly style: TableStyle;
}

interface Chunk {
  readonly text: string;
  readonly start: number;
}

const TWO_WORDS = new Set([
  'LAST SEEN',
  'FIRST SEEN',
  'NOMINATED NODE',
  'READINESS GATES',
  'ACCESS MODES',
  'RECLAIM POLICY',
  'NODE SELECTOR',
  'LAST SCHEDULE',
  'CREATED AT',
  'MIN AVAILABLE',
  'MAX UNAVAILABLE',
  'ALLOWED DISRUPTIONS',
]);

const ONE_WORD = new Set([
  'NAME',
  'NAMESPACE',
  'READY',
  'STATUS',
  'RESTARTS',
  'AGE',
  'IP',
  'NODE',
  'ROLES',
  'VERSION',
  'INTERNAL-IP',
  'EXTERNAL-IP',
  'OS-IMAGE',
  'KERNEL-VERSION',
  'CONTAINER-RUNTIME',
  'TYPE',
  'REASON',
  'OBJECT',
  'MESSAGE',
  'UP-TO-DATE',
  'AVAILABLE',
  'DESIRED',
  'CURRENT',
  'CLUSTER-IP',
  'PORT(S)',
  'LABELS',
  'CAPACITY',
  'VOLUME',
  'STORAGECLASS',
  'CLAIM',
  'COUNT',
  'KIND',
  'SUBOBJECT',
  'SOURCE',
]);

function splitAt(line: string, separator: RegExp): Chunk[] {
  const chunks: Chunk[] = [];
  let start = 0;
  for (const match of line.matchAll(separator)) {
    if (match.index > start) chunks.push({ text: line.slice(start, match.index), start });
    start = match.index + match[0].length;
  }
  if (start < line.length) chunks.push({ text: line.slice(start), start });
  return chunks.filter((chunk) => chunk.text.trim() !== '');
}

export function gaps(line: string): Chunk[] {
  return splitAt(line.trimEnd(), /\s*\t\s*|\s{2,}/g).map(trimChunk);
}

export function tokens(line: string): Chunk[] {
  return splitAt(line, /\s+/g);
}

function trimChunk({ text, start }: Chunk): Chunk {
  return { text: text.trim(), start: start + (text.length - text.trimStart().length) };
}

/** `RESTARTS AGE` in one chunk are two columns, `SYNC STATUS` is one that we do not know. */
function splitWords(chunk: Chunk, always: boolean): Chunk[] {
  const words = tokens(chunk.text);
  const found: Chunk[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    const next = words[index + 1];
    if (!word) break;
    const two = next ? `${word.text} ${next.text}` : '';
    const text = TWO_WORDS.has(two) ? two : word.text;
    if (text === two) index++;
    found.push({ text, start: chunk.start + word.start });
  }
  const known = found.every((part) => TWO_WORDS.has(part.text) || ONE_WORD.has(part.text));
  return known || always ? found : [chunk];
}

const COLUMN = /^[A-Z%][A-Z0-9()%:/._ -]{0,60}(?:[a-z]{1,10}\))?$/;

function isPipeTable(line: string): boolean {
  return /^\s*\|/.test(line) || /\S\s\|\s\S/.test(line);
}

export function pipeCells(line: string): string[] {
  return line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim().replace(/^`|`$/g, ''));
}

/** Reads a line of column names; undefined when it is none. */
export function parseHeader(text: string): Header | undefined {
  if (text.length > 1000 || !/^[\s|]*(?:NAME|LAST|FIRST)/.test(text)) return undefined;
  const line = text.replace(/[↑↓]/g, ' ');
  const style: TableStyle = isPipeTable(line)
    ? 'pipes'
    : line.trim().includes('\t')
      ? 'tabs'
      : /\S\s{2,}\S/.test(line)
        ? 'aligned'
        : 'collapsed';
  const chunks =
    style === 'pipes'
      ? pipeCells(line).map((text, start) => ({ text, start }))
      : gaps(line).flatMap((chunk) => splitWords(chunk, style === 'collapsed'));
  const columns = chunks.filter((chunk) => !isElision(chunk.text)).map(({ text, start }) => ({ name: text, start }));
  if (columns.length < 2 || !columns.every((column) => COLUMN.test(column.name))) return undefined;
  return { columns, style };
}

export function hasColumns(header: Header, ...names: readonly string[]): boolean {
  return names.every((name) => header.columns.some((column) => column.name === name));
}
