/** An opening quote with the backslashes before it: JSON inside JSON strings is quoted by `\"`, one level deeper by `\\\"`. */
interface Quote {
  readonly character: string;
  readonly level: number;
  /** Where the quoted text starts. */
  readonly start: number;
}

const MOST_BACKSLASHES = 31;

export function countBackslashes(line: string, at: number): number {
  let count = 0;
  while (count <= MOST_BACKSLASHES && line[at + count] === '\\') count += 1;
  return count;
}

export function countBackslashesBefore(line: string, at: number): number {
  let count = 0;
  while (count <= MOST_BACKSLASHES && line[at - 1 - count] === '\\') count += 1;
  return count;
}

export function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === '`';
}

export function readQuote(line: string, at: number): Quote | undefined {
  const level = countBackslashes(line, at);
  const character = line[at + level];
  return character !== undefined && isQuote(character) ? { character, level, start: at + level + 1 } : undefined;
}

/** Where the quoted text ends; the end of the line if it is never closed. */
export function closeQuote(line: string, quote: Quote): number {
  for (let at = line.indexOf(quote.character, quote.start); at >= 0; at = line.indexOf(quote.character, at + 1)) {
    const backslashes = Math.min(countBackslashesBefore(line, at), at - quote.start);
    const escaped = quote.character !== "'" && backslashes % 2 === 1;
    if (quote.level === 0 ? !escaped : backslashes <= quote.level) return at - (quote.level === 0 ? 0 : backslashes);
  }
  return line.length;
}
