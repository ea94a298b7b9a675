import type { Scalar as YamlScalar } from 'yaml';
import type { Scalar } from '../../model/change.ts';

/** Words that some readers of YAML take for a truth value or for nothing. */
const TAKEN = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** In the quotes of the value it replaces, else plain where no reader could take it for anything but a text. */
export function yamlText(value: Scalar, old?: YamlScalar): string {
  if (typeof value !== 'string') return String(value);
  if (old?.type === 'QUOTE_SINGLE' && !/\p{Cc}/u.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return isPlain(value) && old?.type !== 'QUOTE_DOUBLE' ? value : quoted(value);
}

export function yamlKey(name: string): string {
  return isPlain(name) ? name : quoted(name);
}

function isPlain(text: string): boolean {
  return /^[A-Za-z/][A-Za-z0-9._/-]*$/.test(text) && !TAKEN.test(text);
}

function quoted(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\uFEFF]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
