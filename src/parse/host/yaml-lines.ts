import { indentOf, isBlank, isBoundary, isElision, unquoted, withoutGrepPrefix } from './text.ts';

/** One `key: value` of a YAML text, with the keys above it. Items of a list come one by one under their key. */
export interface YamlEntry {
  readonly path: readonly string[];
  readonly value: string;
  readonly line: number;
}

export interface YamlBlock {
  readonly entries: readonly YamlEntry[];
  readonly end: number;
  readonly gaps: boolean;
}

interface Level {
  readonly indent: number;
  readonly key: string;
  /** Nothing stands behind its colon: items or deeper keys may follow. */
  readonly open: boolean;
}

const PAIR = /^(?<dash>(?:- )?)(?<key>"[^"]{1,200}"|'[^']{1,200}'|[A-Za-z_/][\w./-]{0,200})\s{0,20}:(?:\s+(?<value>\S.*))?$/;
const ITEM = /^-\s+(?<value>\S.*)$/;

/** Without the comment behind a plain value, and without quotes. */
function plainValue(value: string): string {
  const trimmed = value.trim();
  if (trimmed.startsWith('"') || trimmed.startsWith("'")) {
    const close = trimmed.indexOf(trimmed[0] ?? '"', 1);
    return close < 0 ? trimmed.slice(1) : trimmed.slice(1, close);
  }
  const comment = trimmed.search(/\s#/);
  return (comment < 0 ? trimmed : trimmed.slice(0, comment)).trim();
}

function isBlockScalar(value: string): boolean {
  return /^[|>][+-]?\d?\s*(?:#.*)?$/.test(value.slice(0, 80));
}

interface Walk {
  readonly entries: YamlEntry[];
  readonly levels: Level[];
  /** Deeper lines belong to a text below this indent. */
  scalarIndent: number;
}

/** Takes one line; false when it cannot belong to the block. */
function take(walk: Walk, text: string, indent: number, line: number, isTopKey: (key: string) => boolean): boolean {
  const item = ITEM.exec(text)?.groups?.['value'];
  const groups = PAIR.exec(text)?.groups;
  const depth = indent + (groups?.['dash'] ? 2 : 0);
  while ((walk.levels.at(-1)?.indent ?? -1) >= (item !== undefined && !groups ? indent + 1 : depth)) walk.levels.pop();
  const above = walk.levels.map(({ key }) => key);
  if (!groups) {
    if (item === undefined || !walk.levels.at(-1)?.open) return false;
    walk.entries.push({ path: above, value: plainValue(item), line });
    return true;
  }
  const key = unquoted(groups['key'] ?? '');
  if (above.length === 0 && (groups['dash'] || !isTopKey(key))) return false;
  if (above.length > 0 && !walk.levels.at(-1)?.open) return false;
  const value = groups['value'] ?? '';
  if (isBlockScalar(value)) walk.scalarIndent = indent;
  walk.levels.push({ indent: depth, key, open: value === '' || value.startsWith('#') });
  walk.entries.push({ path: [...above, key], value: isBlockScalar(value) ? '' : plainValue(value), line });
  return true;
}

/**
 * Reads simple YAML line by line: enough for configuration files, in pieces too. Ends at a document mark, at a line left of
 * where it began, and at a first-level key that `isTopKey` refuses.
 */
export function readYamlLines(lines: readonly string[], from: number, isTopKey: (key: string) => boolean): YamlBlock {
  const base = indentOf(withoutGrepPrefix(lines[from] ?? ''));
  const walk: Walk = { entries: [], levels: [], scalarIndent: -1 };
  let end = from;
  let gaps = false;
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if (isBlank(line)) continue;
    if (isBoundary(line) || line.length > 4000) break;
    const body = withoutGrepPrefix(line);
    const indent = indentOf(body);
    const text = body.trim();
    if (text === '---') break;
    if (isElision(line)) gaps = true;
    else if (walk.scalarIndent >= 0 && indent > walk.scalarIndent) end = index + 1;
    else if (!text.startsWith('#')) {
      walk.scalarIndent = -1;
      if (indent < base || !take(walk, text, indent, index, isTopKey)) break;
      end = index + 1;
    }
  }
  return { entries: walk.entries, end, gaps };
}
