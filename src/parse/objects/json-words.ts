const ELISION =
  /^(?:\.{3,40}|…|\[(?:\.{3}|…)\]|<(?:\.{3}|snip|snipped|truncated|omitted)>|(?:\/\/|#|--) ?(?:\.{3}|snip|snipped|truncated|omitted)(?: ?(?:\.{3}|--))?|\(?(?:snip|truncated|omitted)\)?),?$/i;

/** A line that stands for lines somebody left out. */
export function isElision(line: string): boolean {
  if (line.length > 120) return false;
  const text = line.trim();
  return text.length > 0 && text.length < 42 && !/^["{}\]]|:/.test(text) && ELISION.test(text);
}

/** Index of the quote that ends a string; -1 when the line ends first. */
export function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at >= 0) {
    let slashes = 0;
    while (at - 1 - slashes >= from && line.charCodeAt(at - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return at;
    at = line.indexOf('"', at + 1);
  }
  return -1;
}

export function unescaped(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return raw;
  }
}

export function literalOf(word: string): unknown {
  if (word === 'true') return true;
  if (word === 'false') return false;
  if (word === 'null') return null;
  const number = Number(word);
  return Number.isFinite(number) && /^[-\d]/.test(word) ? number : undefined;
}

/** A key named `__proto__` is data like any other. */
export function setOwn(into: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
  else into[key] = value;
}
