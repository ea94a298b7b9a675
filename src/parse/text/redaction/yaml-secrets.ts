import { addSpan, type LineSpans } from './json-secrets.ts';
import { isHarmless } from './values.ts';

const KIND_LINE = /^(?<indent> *)(?<dash>- )?kind:\s*["']?Secret(?:List)?["']?\s*(?:#.*)?$/;
const DATA_LINE = /^ *(?:- )?["']?(?:data|stringData)["']?:\s*(?<inline>\S.*)?$/;
const FARTHEST = 5000;
const DEEPEST = 40;

/** Hides the data of the Secret whose `kind:` stands on this line; its other fields may stand before or after. */
export function findYamlSecret(lines: readonly string[], kindLine: number, spans: LineSpans): void {
  const groups = KIND_LINE.exec(lines[kindLine] ?? '')?.groups;
  if (!groups) return;
  const column = (groups['indent'] ?? '').length + (groups['dash'] ? 2 : 0);
  if (column > DEEPEST) return;
  if (!groups['dash']) {
    for (let line = kindLine - 1; line >= 0 && kindLine - line < FARTHEST; line -= 1) {
      const field = fieldAt(lines[line] ?? '', column);
      if (field === 'outside') break;
      if (field !== 'inside') visitField(lines, line, column, spans);
      if (field === 'first' || field === 'kind') break;
    }
  }
  for (let line = kindLine + 1; line < lines.length && line - kindLine < FARTHEST; line += 1) {
    const field = fieldAt(lines[line] ?? '', column);
    if (field === 'outside' || field === 'first' || field === 'kind') break;
    if (field === 'field') visitField(lines, line, column, spans);
  }
}

/** How a line stands to an object whose fields begin at `column`. */
function fieldAt(text: string, column: number): 'outside' | 'inside' | 'first' | 'kind' | 'field' {
  const indent = indentOf(text);
  if (indent === text.length) return 'inside';
  if (text.startsWith('---')) return 'outside';
  if (column >= 2 && indent === column - 2 && text.startsWith('- ', indent)) return 'first';
  if (indent < column) return 'outside';
  if (indent > column || text.startsWith('- ', indent)) return 'inside';
  return text.startsWith('kind:', indent) ? 'kind' : 'field';
}

function visitField(lines: readonly string[], line: number, column: number, spans: LineSpans): void {
  const text = lines[line] ?? '';
  const groups = DATA_LINE.exec(text)?.groups;
  if (!groups) return;
  const inline = groups['inline'];
  if (inline !== undefined && !/^(?:\{\s*\}|null|~|#.*)$/.test(inline)) {
    addSpan(spans, line, { start: text.length - inline.length, end: text.length, kind: 'secret-data' });
    return;
  }
  hideChildren(lines, line + 1, column, spans);
}

const ENTRY = /^ *(?:"[^"]*"|'[^']*'|[^\s:‹][^:‹]*):\s*(?<value>\S.*)?$/;

function hideChildren(lines: readonly string[], from: number, column: number, spans: LineSpans): void {
  let childColumn = -1;
  for (let line = from; line < lines.length && line - from < FARTHEST; line += 1) {
    const text = lines[line] ?? '';
    const indent = indentOf(text);
    if (indent === text.length) continue;
    if (indent <= column) return;
    if (childColumn < 0) childColumn = indent;
    const value = indent === childColumn ? ENTRY.exec(text)?.groups?.['value'] : text.slice(indent);
    if (value === undefined || /^[|>][-+\d]{0,2}$/.test(value) || isHarmless(value)) continue;
    addSpan(spans, line, { start: text.length - value.length, end: text.length, kind: 'secret-data' });
  }
}

export function indentOf(text: string): number {
  let indent = 0;
  while (text[indent] === ' ') indent += 1;
  return indent;
}
