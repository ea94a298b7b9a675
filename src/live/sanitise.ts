import { cleanText } from '../parse/text/clean.ts';
import { prepareText } from '../parse/text/prepare.ts';
import { redactText } from '../parse/text/redact.ts';

export interface Sanitised {
  readonly text: string;
  readonly redactions: number;
}

/** Text as it may leave the house: no secrets, no control sequences. */
export function sanitiseText(bytes: Uint8Array, name: string): Sanitised {
  const { lines, redactions } = prepareText(bytes, name, true);
  return { text: lines.length === 0 ? '' : `${lines.join('\n')}\n`, redactions };
}

// It repeats the whole object, values and all.
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** An object as it may leave the house; what no diagnosis reads and only fills pages is left out too. */
export function sanitiseObject(object: unknown, count: { redactions: number }): unknown {
  return walk(object, '', count, 0);
}

const DEPTH = 100;

function walk(value: unknown, key: string, count: { redactions: number }, depth: number): unknown {
  if (typeof value === 'string') return sanitiseString(value, count);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => (key === 'env' ? envEntry(item, count, depth) : walk(item, '', count, depth + 1)));
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'managedFields' || name === LAST_APPLIED) continue;
    result[name] = walk(inner, name, count, depth + 1);
  }
  return result;
}

/** Environment values are the usual place for passwords; which ones they are cannot be told from their names. */
function envEntry(entry: unknown, count: { redactions: number }, depth: number): unknown {
  const kept = walk(entry, '', count, depth + 1);
  if (typeof kept !== 'object' || kept === null || typeof (kept as { value?: unknown }).value !== 'string') return kept;
  count.redactions++;
  return { ...kept, value: '[redacted]' };
}

function sanitiseString(text: string, count: { redactions: number }): string {
  const redacted = redactText(cleanText(text));
  count.redactions += redacted.count;
  return redacted.text;
}
