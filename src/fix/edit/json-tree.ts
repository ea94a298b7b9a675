export interface JsonMember {
  readonly key: string;
  readonly from: number;
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** With the place of everything in the text. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'scalar';
  readonly from: number;
  readonly to: number;
  readonly members: readonly JsonMember[];
  readonly items: readonly JsonNode[];
}

const DEEPEST = 200;

/** The text must have passed JSON.parse: what is read here is only where things stand. */
export function jsonTree(text: string): JsonNode | undefined {
  return nodeAt(text, skipSpace(text, 0), 0);
}

function nodeAt(text: string, from: number, depth: number): JsonNode | undefined {
  if (depth > DEEPEST) return undefined;
  if (text[from] === '{') return objectAt(text, from, depth);
  if (text[from] === '[') return arrayAt(text, from, depth);
  const to = text[from] === '"' ? stringEnd(text, from) : wordEnd(text, from);
  return { kind: 'scalar', from, to, members: [], items: [] };
}

function objectAt(text: string, from: number, depth: number): JsonNode | undefined {
  const members: JsonMember[] = [];
  let at = skipSpace(text, from + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const value = nodeAt(text, skipSpace(text, skipSpace(text, keyEnd) + 1), depth + 1);
    if (value === undefined) return undefined;
    members.push({ key: String(JSON.parse(text.slice(at, keyEnd))), from: at, keyEnd, value });
    at = skipSpace(text, value.to);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { kind: 'object', from, to: at + 1, members, items: [] };
}

function arrayAt(text: string, from: number, depth: number): JsonNode | undefined {
  const items: JsonNode[] = [];
  let at = skipSpace(text, from + 1);
  while (at < text.length && text[at] !== ']') {
    const item = nodeAt(text, at, depth + 1);
    if (item === undefined) return undefined;
    items.push(item);
    at = skipSpace(text, item.to);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return { kind: 'array', from, to: at + 1, members: [], items };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++;
  return at;
}

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? '')) at++;
  return at;
}
