/** Tells in one fast pass which lines could hold a secret, so that only those meet the rules. */

/** Parts of the names of keys; they count only where a value can follow. */
const KEY_PARTS = ['pass', 'pwd', 'secret', 'token', 'key', 'auth', 'cookie', 'client-certificate-data', 'dockerc'];

const PLAIN = ['bearer ', 'basic ', 'private key', 'sig=', 'signature=', 'x-amz-', 'curl ', '@tcp(', '@unix('];

const EXACT = `eyJ AKIA ASIA AIza ya29. ghp_ gho_ ghu_ ghs_ ghr_ github_pat_ glpat- glptt- gldt- glrt- glcbt- glft- glagent-
  glsoat- xox xapp- npm_ dckr_ hvs. hvb. k_live_ k_test_ $2a $2b $2x $2y $2$ $apr1 $1$ $5$ $6$ $7$ $y$ $argon2
  {SHA {SSHA LS0tLS1CRUdJTiB hooks.slack.com ://`.split(/\s+/);

type Verdict = 'key' | 'plain' | 'exact' | 'url';

interface Literal {
  readonly codes: readonly number[];
  readonly verdict: Verdict;
  /** Which two characters of it were met. */
  readonly offset: number;
}

/** Every literal has three characters or more, so one of its first two pairs stands at an even place. */
const PAIRS = buildPairs();
const LITERALS: readonly (readonly Literal[])[] = [[], ...PAIRS.values()];
const LITERALS_OF_PAIR = new Uint16Array(65_536);
[...PAIRS.keys()].forEach((pair, index) => {
  LITERALS_OF_PAIR[pair] = index + 1;
});

function buildPairs(): Map<number, Literal[]> {
  const pairs = new Map<number, Literal[]>();
  const add = (text: string, verdict: Verdict) => {
    const codes = [...text].map((character) => character.charCodeAt(0));
    for (const offset of [0, 1]) {
      const firsts = casesOf(codes[offset] ?? 0, verdict);
      const seconds = casesOf(codes[offset + 1] ?? 0, verdict);
      for (const pair of firsts.flatMap((first) => seconds.map((second) => (first << 8) | second))) {
        pairs.set(pair, [...(pairs.get(pair) ?? []), { codes, verdict, offset }]);
      }
    }
  };
  for (const text of KEY_PARTS) add(text, 'key');
  for (const text of PLAIN) add(text, 'plain');
  for (const text of EXACT) add(text, text === '://' ? 'url' : 'exact');
  return pairs;
}

function casesOf(code: number, verdict: Verdict): number[] {
  const isLetter = code >= 0x61 && code <= 0x7a;
  return isLetter && verdict !== 'exact' ? [code, code - 0x20] : [code];
}

/** Index of the first place at or after `from` that could belong to a secret, or -1. */
export function nextSuspect(text: string, from: number): number {
  const last = text.length - 1;
  for (let index = from; index < last; index += 2) {
    const first = text.charCodeAt(index);
    const second = text.charCodeAt(index + 1);
    if (first > 255 || second > 255) continue;
    const literals = LITERALS_OF_PAIR[(first << 8) | second];
    if (literals && isSuspect(text, index, LITERALS[literals] ?? [], from)) return index;
  }
  return -1;
}

function isSuspect(text: string, index: number, literals: readonly Literal[], from: number): boolean {
  for (const literal of literals) {
    const start = index - literal.offset;
    if (start >= from && matches(text, start, literal) && confirms(text, start, literal)) return true;
  }
  return false;
}

function matches(text: string, start: number, literal: Literal): boolean {
  const { codes, verdict } = literal;
  for (let at = 0; at < codes.length; at += 1) {
    const code = text.charCodeAt(start + at);
    const folded = verdict !== 'exact' && code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    if (folded !== codes[at]) return false;
  }
  return true;
}

function confirms(text: string, start: number, literal: Literal): boolean {
  if (literal.verdict === 'key') return canHaveValue(text, start, start + literal.codes.length);
  return literal.verdict !== 'url' || hasUserinfo(text, start + 3);
}

const LONGEST_TAIL = 40;
const MOST_BLANKS = 200;

/** The word that the part belongs to is followed by a separator or the end of the line, or begins with a dash. */
function canHaveValue(text: string, start: number, end: number): boolean {
  let at = end;
  while (at - end < LONGEST_TAIL && isKeyCode(text.charCodeAt(at))) at += 1;
  if (text[at] === '>') return true;
  while (at - end < LONGEST_TAIL && isCloser(text.charCodeAt(at))) at += 1;
  const closed = at;
  while (at - closed < MOST_BLANKS && (text[at] === ' ' || text[at] === '\t')) at += 1;
  const sign = text[at];
  if (sign === undefined || '\n:=,}V'.includes(sign)) return true;
  let before = start;
  while (start - before < LONGEST_TAIL && (isKeyCode(text.charCodeAt(before - 1)) || text[before - 1] === '.')) before -= 1;
  return text[before] === '-';
}

function isKeyCode(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f
  );
}

/** Backslash, quotes, closing brackets. */
function isCloser(code: number): boolean {
  return code === 0x5c || code === 0x22 || code === 0x27 || code === 0x60 || code === 0x5d;
}

function hasUserinfo(text: string, start: number): boolean {
  const limit = Math.min(text.length, start + 512);
  for (let at = start; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x40) return true;
    if (code <= 0x20 || code === 0x22 || code === 0x27 || (code === 0x3a && text.startsWith('://', at))) return false;
  }
  return false;
}

/** Index of the dot of the next thing formed like a kubeadm token (six characters, a dot, sixteen), or -1. */
export function nextJoinToken(text: string, from: number): number {
  for (let dot = text.indexOf('.', from); dot >= 0; dot = text.indexOf('.', dot + 1)) {
    if (isTokenRun(text, dot + 1, 16) && isTokenRun(text, dot - 6, 6)) return dot;
  }
  return -1;
}

function isTokenRun(text: string, start: number, length: number): boolean {
  if (start < 0 || start + length > text.length) return false;
  for (let at = start + length - 1; at >= start; at -= 1) {
    const code = text.charCodeAt(at);
    if (!((code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39))) return false;
  }
  return true;
}
