import { cleanText } from './clean.ts';
import { decodeText } from './decode.ts';
import { redactText } from './redact.ts';
import { isSensitiveKey } from './redaction/keys.ts';
import { marker } from './redaction/spans.ts';

export interface PreparedText {
  /** Plain, safe to show, without secrets; numbered as in the document. */
  readonly lines: string[];
  readonly redactions: number;
  readonly encoding: string;
  readonly problems: string[];
}

/** Everything that must happen to a document before anything reads it; `undo` gives back what was printed before it was copied. */
export function prepareText(bytes: Uint8Array, name: string, redact = true, undo?: (text: string) => string): PreparedText {
  const { text, encoding, problems } = decodeText(bytes);
  const cleaned = undo ? undo(cleanText(text)) : cleanText(text);
  const redacted = redact ? redactFile(cleaned, name) : { text: cleaned, count: 0 };
  const lines = redacted.text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return { lines, redactions: redacted.count, encoding, problems };
}

function redactFile(text: string, name: string) {
  return holdsOnlySecret(name, text) ? { text: marker('file'), count: 1 } : redactText(text);
}

/** Bundles keep mounted secrets as files named `password` or `token` with nothing but the value in them. */
function holdsOnlySecret(name: string, text: string): boolean {
  const file = name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
  return text.length <= 16_384 && isSensitiveKey(file) && /^\S+\s*$/.test(text);
}
