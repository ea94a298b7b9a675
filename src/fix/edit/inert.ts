const LONGEST = 300;

/** Control characters and those that turn or hide text, written as escapes. */
export function inert(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029\p{Cs}]/gu, (mark) => {
    if (mark === '\t') return mark;
    if (mark === '\r') return '\\r';
    const code = mark.codePointAt(0) ?? 0;
    return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/** Words of ours that hold names from a file: whoever wrote the file neither steers a terminal nor fills it. */
export function inertWords(text: string): string {
  const shown = inert(text);
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST).replace(/\p{Cs}$/u, '')}…` : shown;
}
