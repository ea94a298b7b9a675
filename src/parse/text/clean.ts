import { stripSequences } from './escape-sequences.ts';

/**
 * Characters that a terminal acts upon or that hide: controls except tab and line feed, direction and zero-width
 * characters, the tag plane. A text without any is returned as it is.
 */
const SUSPICIOUS = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;
const HIDDEN = /[\p{Cf}\p{Zl}\p{Zp}]/gu;
const CONTROLS = /[^\P{Cc}\t]/gu;

/** Cheaper than the exact test, and true for every text that needs it. */
const MAYBE_SUSPICIOUS =
  /[^\t\n -~\xa0-\xac\xae-\u05ff\u0900-\u17ff\u1900-\u1fff\u2010-\u2027\u2070-\ud7ff\ue000-\ufefe\uff01-\uffef\ufffd]/;

/** Makes a text safe to show and plain to read. The number of lines stays the same. */
export function cleanText(text: string): string {
  if (!MAYBE_SUSPICIOUS.test(text) || !SUSPICIOUS.test(text)) return text;
  const cleaned: string[] = [];
  let start = 0;
  while (start <= text.length) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    cleaned.push(cleanLine(text.slice(start, stop)));
    start = stop + 1;
  }
  return cleaned.join('\n');
}

/** The same for one line without its line end. */
export function cleanLine(line: string): string {
  if (!MAYBE_SUSPICIOUS.test(line) || !SUSPICIOUS.test(line)) return line;
  const plain = stripSequences(line);
  const shown = resolveOverstrikes(lastDrawn(plain));
  return shown.replace(CONTROLS, '').replace(HIDDEN, showCodePoint);
}

/** A progress bar draws over itself after each carriage return; the last drawing that shows anything counts. */
function lastDrawn(line: string): string {
  let end = line.length;
  while (end > 0) {
    const start = line.lastIndexOf('\r', end - 1) + 1;
    const drawn = line.slice(start, end);
    if (drawn.trim() !== '') return drawn;
    end = start - 1;
  }
  return line.includes('\r') ? '' : line;
}

/** Terminals and printers write bold as `X\bX` and underlined as `_\bX`: the later character stays. */
function resolveOverstrikes(line: string): string {
  if (!line.includes('\b')) return line;
  const shown: string[] = [];
  let cursor = 0;
  for (const character of line) {
    if (character === '\b') {
      cursor = Math.max(0, cursor - 1);
      continue;
    }
    const underlinesLater = character === '_' && cursor < shown.length;
    if (!underlinesLater) shown[cursor] = character;
    cursor += 1;
  }
  return shown.join('');
}

function showCodePoint(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
}
