import { isRecord, parsed } from '../../collect/cluster/list-meta.ts';
import type { Scalar } from '../../model/change.ts';
import { redactText } from '../../parse/text/redact.ts';
import { isFactor, isQuantity, multiplied, multipliedInteger, sameQuantity } from './quantity.ts';
import { isName } from './refs.ts';

/** What a field holds; decides how a value is read and compared. */
export type ValueType = 'quantity' | 'integer' | 'boolean' | 'name' | 'image' | 'text' | 'texts' | 'port' | 'path' | 'anything';

export type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string };

const IMAGE = /^[a-zA-Z0-9][\w.:/@-]{0,500}$/;
const PORT_NAME = /^[a-z0-9](?:[-a-z0-9]{0,13}[a-z0-9])?$/;
const PATH = /^\/[\w./~%?=&:+,;@-]{0,1000}$/;
const PLAIN = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{0,4096}$/u;
const MOST = 2_147_483_647;

const wrong = (why: string): Read => ({ ok: false, why });
const right = (value: unknown): Read => ({ ok: true, value });

/** The value a field gets, worked out from what it is now where a multiple is wanted. */
export function readValue(type: ValueType, given: Scalar, before: unknown): Read {
  const text = String(given);
  switch (type) {
    case 'quantity':
      return quantity(text, before);
    case 'integer':
      return integer(text, before);
    case 'boolean':
      return text === 'true' || text === 'false' ? right(text === 'true') : wrong(`${shown(text)} is neither true nor false`);
    case 'name':
      return isName(text) ? right(text) : wrong(`${shown(text)} is no name of an object`);
    case 'image':
      return IMAGE.test(text) ? right(text) : wrong(`${shown(text)} is no image`);
    case 'path':
      return PATH.test(text) ? right(text) : wrong(`${shown(text)} is no path`);
    case 'port':
      return port(text);
    case 'texts':
      return texts(text);
    case 'text':
      return PLAIN.test(text) ? right(text) : wrong('the value holds control characters or is too long');
    case 'anything':
      return wrong('it can only be taken away');
  }
}

function quantity(text: string, before: unknown): Read {
  if (!isFactor(text)) return isQuantity(text) ? right(text) : wrong(`${shown(text)} is no quantity`);
  if (typeof before !== 'string' && typeof before !== 'number') return wrong(`it has no value now that ${text} could be a multiple of`);
  const value = multiplied(String(before), text);
  return value === undefined ? wrong(`${shown(String(before))} cannot be multiplied`) : right(value);
}

function integer(text: string, before: unknown): Read {
  if (!isFactor(text))
    return /^\d{1,10}$/.test(text) && Number(text) <= MOST ? right(Number(text)) : wrong(`${shown(text)} is no whole number`);
  if (typeof before !== 'number') return wrong(`it has no value now that ${text} could be a multiple of`);
  const value = multipliedInteger(before, text);
  return value === undefined || value > MOST ? wrong(`${before} cannot be multiplied by ${text.slice(1)}`) : right(value);
}

function port(text: string): Read {
  if (/^\d{1,5}$/.test(text)) return Number(text) >= 1 && Number(text) <= 65_535 ? right(Number(text)) : wrong(`${text} is no port`);
  return PORT_NAME.test(text) ? right(text) : wrong(`${shown(text)} is no port`);
}

/** A command as a JSON list; a single word may stand alone, but words are never split by guessing. */
function texts(text: string): Read {
  const list = parsed(text);
  if (Array.isArray(list)) {
    const isSound = list.length <= 200 && list.every((one) => typeof one === 'string' && one.length <= 65_536 && !one.includes('\0'));
    return isSound ? right(list) : wrong('a list of texts is wanted');
  }
  return /^[^\s[\]{}]{1,4096}$/.test(text) && PLAIN.test(text)
    ? right([text])
    : wrong('write it as a JSON list, such as ["sh", "-c", "true"]');
}

/** Whether a field holds what it is to hold, however the server writes it. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one === other || sameQuantity(one, other);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => sameValue(item, other[index]));
  if (isRecord(one) && isRecord(other)) {
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length && names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
    );
  }
  return one === other;
}

const SECRET_NAME = /PASS|PWD|SECRET|TOKEN|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY|AUTH|DSN|COOKIE|SIGNING|ENCRYPT/i;

/** Whether a value may hold a secret, by the name it stands under or by its own looks. */
export function looksSecret(name: string, value: unknown): boolean {
  if (SECRET_NAME.test(name)) return true;
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return redactText(text).count > 0 || redactText(`${name}=${text}`).count > 0 || hasSecretFlag(value);
}

/** `--password hunter2` as two arguments looks harmless one by one. */
function hasSecretFlag(value: unknown): boolean {
  return (
    Array.isArray(value) && value.some((item) => typeof item === 'string' && /^--?[\w-]{1,60}(?:=|$)/.test(item) && SECRET_NAME.test(item))
  );
}

const LONGEST_SHOWN = 200;

/** A value for people: redacted, on one line, not too long. */
export function shown(value: unknown): string {
  if (value === undefined) return '(absent)';
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  const plain = redactText(text).text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
  const quoted = typeof value === 'string' && (plain === '' || /\s/.test(plain)) ? JSON.stringify(plain) : plain;
  return quoted.length > LONGEST_SHOWN ? `${quoted.slice(0, LONGEST_SHOWN)}…` : quoted;
}
