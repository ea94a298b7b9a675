import { readQuoted } from './go-quote.ts';

export interface Pairs {
  readonly fields: Record<string, string>;
  readonly count: number;
  /** Words between the pairs that belong to none. */
  readonly stray: number;
  readonly open?: 'quote' | 'block';
}

const MOST_PAIRS = 200;
const EQUALS = 61;

/** Reads `key=value key="quoted" key={…} key=<` blocks, from `at` to the end. */
export function readPairs(text: string, at: number): Pairs {
  const fields: Record<string, string> = {};
  let count = 0;
  let stray = 0;
  let open: 'quote' | 'block' | undefined;
  let index = at;
  while (index < text.length && count < MOST_PAIRS) {
    if (isSpace(text.charCodeAt(index))) {
      index += 1;
      continue;
    }
    const keyEnd = endOfKey(text, index);
    if (text.charCodeAt(keyEnd) !== EQUALS || keyEnd === index) {
      stray += 1;
      index = endOfWord(text, Math.max(keyEnd, index + 1));
      continue;
    }
    const value = readValue(text, keyEnd + 1);
    fields[text.slice(index, keyEnd)] = value.text;
    count += 1;
    open = value.open;
    index = value.end;
  }
  return { fields, count, stray, ...(open ? { open } : {}) };
}

interface Value {
  readonly text: string;
  readonly end: number;
  readonly open?: 'quote' | 'block';
}

function readValue(text: string, at: number): Value {
  const first = text.charAt(at);
  if (first === '"') {
    const quoted = readQuoted(text, at);
    return { text: quoted.text, end: quoted.end, ...(quoted.closed ? {} : { open: 'quote' as const }) };
  }
  if (first === '<' && (at + 1 === text.length || text.charAt(at + 1) === '\n')) return readBlock(text, at);
  if (first === '{' || first === '[') {
    const end = endOfBracketed(text, at);
    return { text: text.slice(at, end), end };
  }
  const end = endOfWord(text, at);
  return { text: text.slice(at, end), end };
}

/** klog prints a value of several lines as `key=<`, one line each behind a tab, and ` >`. */
function readBlock(text: string, at: number): Value {
  const close = text.indexOf('\n >', at);
  const body = text.slice(at + 2, close < 0 ? text.length : close);
  const joined = body
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
  return close < 0 ? { text: joined, end: text.length, open: 'block' } : { text: joined, end: close + 3 };
}

/** Index after the bracket that closes the one at `at`; brackets within quotes do not count. */
export function endOfBracketed(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"') index = readQuoteEnd(text, index) - 1;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') {
      depth -= 1;
      if (depth <= 0) return index + 1;
    }
  }
  return text.length;
}

function readQuoteEnd(text: string, at: number): number {
  for (let index = at + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 92) index += 1;
    else if (code === 34) return index + 1;
  }
  return text.length;
}

function endOfKey(text: string, at: number): number {
  let index = at;
  while (index < text.length && isKeyCode(text.charCodeAt(index))) index += 1;
  return index;
}

function endOfWord(text: string, at: number): number {
  let index = at;
  while (index < text.length && !isSpace(text.charCodeAt(index))) index += 1;
  return index;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isKeyCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 46 ||
    code === 45 ||
    code === 47 ||
    code === 64
  );
}
