export interface Quoted {
  readonly text: string;
  /** Index after the closing quote, or the length of the text when it never closes. */
  readonly end: number;
  readonly closed: boolean;
}

const BACKSLASH = 92;
const QUOTE = 34;

const SIMPLE: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\u0007',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
  '/': '/',
};

/** Reads the quoted string whose opening quote stands at `at`, as Go's `%q` writes it. */
export function readQuoted(text: string, at: number): Quoted {
  let escaped = false;
  let index = at + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === BACKSLASH) {
      escaped = true;
      index += 1;
    } else if (code === QUOTE) {
      break;
    }
  }
  const closed = index < text.length;
  const stop = Math.min(index, text.length);
  const raw = text.slice(at + 1, stop);
  return { text: escaped ? unescapeGo(raw) : raw, end: closed ? stop + 1 : text.length, closed };
}

/** Decodes one level of Go escapes; what is no escape stays as it is. */
export function unescapeGo(raw: string): string {
  if (!raw.includes('\\')) return raw;
  const parts: string[] = [];
  let from = 0;
  for (let at = raw.indexOf('\\'); at >= 0; at = raw.indexOf('\\', from)) {
    parts.push(raw.slice(from, at));
    const [decoded, end] = decodeEscape(raw, at);
    parts.push(decoded);
    from = end;
  }
  parts.push(raw.slice(from));
  return parts.join('');
}

function decodeEscape(raw: string, at: number): readonly [decoded: string, end: number] {
  const letter = raw.charAt(at + 1);
  if (Object.hasOwn(SIMPLE, letter)) return [SIMPLE[letter] ?? '', at + 2];
  const digits = letter === 'x' ? 2 : letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
  const hex = raw.slice(at + 2, at + 2 + digits);
  if (digits > 0 && hex.length === digits && /^[0-9a-fA-F]+$/.test(hex)) {
    const code = Number.parseInt(hex, 16);
    if (code <= 0x10ffff) return [String.fromCodePoint(code), at + 2 + digits];
  }
  return ['\\', at + 1];
}

/** Errors wrapped in errors are quoted again at each level: shows all of them with plain quotes. */
export function plainQuotes(text: string): string {
  let plain = text;
  for (let level = 0; level < 4 && plain.includes('\\"'); level += 1) plain = plain.replaceAll('\\"', '"');
  return plain;
}
