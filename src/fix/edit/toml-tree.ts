import type { AST } from 'toml-eslint-parser';
import { parseTOML } from 'toml-eslint-parser';

/** A `[header]` with its own lines, or, without a header, the lines above the first one. */
export interface Section {
  readonly path: readonly string[];
  readonly header: AST.TOMLTable | undefined;
  readonly pairs: readonly Pair[];
  /** Tables inside `[[lists]]` cannot be named by a path of keys. */
  readonly inList: boolean;
}

export interface Pair {
  /** From the root of the file. */
  readonly path: readonly string[];
  readonly node: AST.TOMLKeyValue;
}

export interface TomlTree {
  /** Ranges of nodes count from here: what stands before is a byte order mark. */
  readonly text: string;
  readonly offset: number;
  readonly program: AST.TOMLProgram;
  readonly sections: readonly Section[];
}

export function tomlTree(text: string): TomlTree | { readonly why: string } {
  const offset = text.startsWith('\uFEFF') ? 1 : 0;
  const body = text.slice(offset);
  try {
    const program = parseTOML(body, { tomlVersion: '1.0' });
    return { text: body, offset, program, sections: sectionsOf(program) };
  } catch (error) {
    const line = error instanceof Error && 'lineNumber' in error ? ` (line ${String(error.lineNumber)})` : '';
    return { why: `The file is not valid TOML${line}.` };
  }
}

function sectionsOf(program: AST.TOMLProgram): readonly Section[] {
  const root: Pair[] = [];
  const tables: Section[] = [];
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      root.push({ path: namesOf(node.key), node });
      continue;
    }
    const path = node.resolvedKey.map(String);
    const inList = node.resolvedKey.some((part) => typeof part === 'number');
    tables.push({ path, header: node, pairs: node.body.map((pair) => ({ path: [...path, ...namesOf(pair.key)], node: pair })), inList });
  }
  return [{ path: [], header: undefined, pairs: root, inList: false }, ...tables];
}

export function namesOf(key: AST.TOMLKey): readonly string[] {
  return key.keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value));
}

export function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => path[index] === part);
}

export function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && startsWith(one, other);
}

export function keyText(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : basicString(name);
}

export function basicString(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

/** A literal string stays one where the new value can be written so. */
export function valueText(value: string | number | boolean, old?: AST.TOMLContentNode): string {
  if (typeof value !== 'string') return String(value);
  const literal = old?.type === 'TOMLValue' && old.kind === 'string' && old.style === 'literal' && !old.multiline;
  return literal && !/[\p{Cc}']/u.test(value) ? `'${value}'` : basicString(value);
}
