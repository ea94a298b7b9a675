import { closeQuote, countBackslashes, countBackslashesBefore, isQuote, readQuote } from './quotes.ts';
import type { Span } from './spans.ts';
import { isBasicCredential, isHarmless, isNameLike, isProse, isSecretLike, mixesDigitsAndLetters } from './values.ts';

type Family = 'password' | 'secret' | 'token' | 'key' | 'credential' | 'auth';

const STEM_SOURCE =
  '(?<password>pass(?:word|wd|phrase)?|pwd|client[_-]?secret)|' +
  '(?<credential>client-(?:key|certificate)-data|dockerconfigjson|dockercfg|erlang[_-]?cookie)|' +
  '(?<key>(?:api|access|private|account|certificate|encryption)[_. -]?key|' +
  '(?:secret|shared|signing|master|storage|subscription|license|client|service)[_.-]?key)|' +
  '(?<secret>secret)|(?<token>token)|(?<auth>auth)';

/** A value may be one of several, told apart by where it is used. */
const SUFFIX_SOURCE =
  '(?:[_-]?\\d{1,3}|[_-](?:prod|production|dev|stage|staging|test|qa|old|new|primary|secondary|base64|b64|plain|value))?';

const STEM = new RegExp(`(?:${STEM_SOURCE})${SUFFIX_SOURCE}(?![A-Za-z0-9_])`, 'gi');
const WHOLE_KEY = new RegExp(`(?:${STEM_SOURCE})${SUFFIX_SOURCE}$`, 'i');

interface Key {
  readonly name: string;
  readonly family: Family;
  readonly start: number;
  readonly end: number;
}

function familyOf(groups: Record<string, string | undefined> | undefined): Family {
  const families: readonly Family[] = ['password', 'credential', 'key', 'secret', 'token'];
  return families.find((family) => groups?.[family] !== undefined) ?? 'auth';
}

/** `pass` and `auth` are words of their own or parts of one by a separator or a capital, not the end of `bypass`. */
function isWholeWord(line: string, start: number, stem: string): boolean {
  if (!/^(?:pass|auth)\d*$/i.test(stem)) return true;
  const before = line[start - 1] ?? ' ';
  if (!/[A-Za-z]/.test(before)) return true;
  return /[a-z]/.test(before) && stem.startsWith('P');
}

/** Whether a setting, variable or file of this name holds a secret. */
export function isSensitiveKey(name: string): boolean {
  const match = name.length <= 200 ? WHOLE_KEY.exec(name) : null;
  if (!match) return false;
  const family = familyOf(match.groups);
  return family !== 'auth' && isWholeWord(name, match.index, match[0]) && !namesAnObject(name) && !ALWAYS_A_NAME.test(name);
}

/** `secret` and `webSecret` mostly hold the name of a Secret, `dbSecretKey` that of a key in it; `APP_SECRET` and OAuth's `clientSecret` hold one themselves. */
function namesAnObject(key: string): boolean {
  return /^(?:secret|(?![a-z]*[cC]lientSecret$)[a-z][A-Za-z]*Secret(?:Key)?)$/.test(key);
}

const ALWAYS_A_NAME = /^(?:existing\w*|(?:imagePull|pull|tls|ssl|cert|certificate|ca|ingress|registry|keystore|truststore)Secret)$/i;

const KEY_CHARACTER = /[A-Za-z0-9_.-]/;
const LONGEST_KEY = 128;

function keyAt(line: string, match: RegExpExecArray): Key | undefined {
  const end = match.index + match[0].length;
  if (/[-.]/.test(line[end] ?? '') && /[A-Za-z0-9]/.test(line[end + 1] ?? '')) return undefined;
  if (!isWholeWord(line, match.index, match[0])) return undefined;
  let start = match.index;
  while (start > 0 && match.index - start < LONGEST_KEY && KEY_CHARACTER.test(line[start - 1] ?? '')) start -= 1;
  return { name: line.slice(start, end), family: familyOf(match.groups), start, end };
}

/** Finds the values of keys that hold secrets, in whatever notation the line is written. */
export function findKeyValues(line: string): Span[] {
  const spans: Span[] = [];
  STEM.lastIndex = 0;
  for (let match = STEM.exec(line); match; match = STEM.exec(line)) {
    const key = keyAt(line, match);
    const span = key && findValue(line, key);
    if (!span || span.end <= span.start) continue;
    spans.push(span);
    STEM.lastIndex = Math.max(span.end, STEM.lastIndex);
  }
  return spans;
}

type Notation = 'equals' | 'colon' | 'argument' | 'pair' | 'element';

interface Separator {
  readonly notation: Notation;
  readonly valueStart: number;
  /** Blanks stand between separator and value. */
  readonly spaced: boolean;
  readonly quotedKey: boolean;
}

const MOST_BLANKS = 200;
const PAIR = /,\s{0,8}\\{0,31}["']value\\{0,31}["']\s{0,4}:\s{0,4}|[ ,]Value:/y;

function separatorAfter(line: string, key: Key): Separator | undefined {
  let at = key.end + countBackslashes(line, key.end);
  const quotedKey = isQuote(line[at]) && isQuote(line[key.start - 1]);
  if (isQuote(line[at])) at += 1;
  else at = key.end;
  PAIR.lastIndex = at;
  if (PAIR.test(line)) return { notation: 'pair', valueStart: PAIR.lastIndex, spaced: false, quotedKey };
  if (line[key.start - 1] === '<' && line[at] === '>') {
    const closed = line.slice(at, at + LONGEST_WORD).includes(`</${key.name}>`);
    return closed ? { notation: 'element', valueStart: at + 1, spaced: false, quotedKey } : undefined;
  }
  if (line[at] === ']') at += 1;
  const afterKey = skipBlanks(line, at);
  const sign = line[afterKey];
  if (sign === ',' && quotedKey && key.name.startsWith('--')) {
    return { notation: 'argument', valueStart: skipBlanks(line, afterKey + 1), spaced: true, quotedKey };
  }
  if (sign === ':' || sign === '=') return signSeparator(line, afterKey, quotedKey);
  const isFlag = key.name.startsWith('-') && afterKey > at && !quotedKey;
  return isFlag ? { notation: 'argument', valueStart: afterKey, spaced: true, quotedKey } : undefined;
}

function signSeparator(line: string, at: number, quotedKey: boolean): Separator | undefined {
  const sign = line[at];
  const next = line[at + 1];
  if ((sign === ':' && (line.startsWith('://', at) || next === ':')) || (sign === '=' && next === '=')) return undefined;
  const width = (sign === ':' && next === '=') || (sign === '=' && next === '>') ? 2 : 1;
  const valueStart = skipBlanks(line, at + width);
  return { notation: sign === '=' ? 'equals' : 'colon', valueStart, spaced: valueStart > at + width, quotedKey };
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (at - from < MOST_BLANKS && (line[at] === ' ' || line[at] === '\t')) at += 1;
  return at;
}

function findValue(line: string, key: Key): Span | undefined {
  const separator = separatorAfter(line, key);
  if (!separator || separator.valueStart >= line.length) return undefined;
  const quote = readQuote(line, separator.valueStart);
  if (quote) {
    const span = { start: quote.start, end: closeQuote(line, quote), kind: kindOf(key) };
    return isSecret(line.slice(span.start, span.end), key, separator, line, true) ? span : undefined;
  }
  const end = unquotedEnd(line, key, separator);
  const span = { start: separator.valueStart, end, kind: kindOf(key) };
  return isSecret(line.slice(span.start, end), key, separator, line, false) ? span : undefined;
}

function kindOf(key: Key): string {
  return key.family === 'auth' ? 'basic-auth' : key.family;
}

const LINE_START = /^[\s{([]*(?:(?:[-+>#*|]|\/\/|export|env|set|ENV|declare -x|Environment=)\s*)?["']?$/;

/** The key opens its line, as in YAML, `.env` files and what `kubectl describe` prints. */
function opensLine(line: string, key: Key): boolean {
  return key.start <= 300 && LINE_START.test(line.slice(0, key.start - countBackslashesBefore(line, key.start)));
}

/** A longer word than this is a secret whatever else it looks like. */
const LONGEST_WORD = 600;
const NEXT_KEY = /[;,&]\s?["']?[A-Za-z_][\w.-]{0,40}(?: [\w.-]{1,40})?[=:]/;
const TRAILING = /[;,)}\]"'`>\\]{1,16}$/;

function unquotedEnd(line: string, key: Key, separator: Separator): number {
  const { notation, valueStart, spaced, quotedKey } = separator;
  if (notation === 'element') {
    return line.indexOf('</', valueStart);
  }
  if (spaced && notation !== 'argument' && !quotedKey && opensLine(line, key)) {
    return valueStart + line.slice(valueStart).trimEnd().length;
  }
  const window = line.slice(valueStart, valueStart + LONGEST_WORD);
  const stop = window.search(WORD_END);
  if (stop < 0 && window.length === LONGEST_WORD) return valueStart + longWordEnd(line, valueStart);
  const whole = stop < 0 ? window : window.slice(0, stop);
  const next = whole.search(NEXT_KEY);
  const word = next < 0 ? whole : whole.slice(0, next);
  return valueStart + (isHarmless(word) ? word : word.replace(TRAILING, '')).length;
}

/** A quote ends a word only where something can follow the quoted text; elsewhere it is part of the value. */
const WORD_END = /\s|\\{0,31}["'`](?=[\s,;:)}\]]|\\|$)|<\//;

function longWordEnd(line: string, start: number): number {
  const rest = line.slice(start);
  const stop = rest.search(WORD_END);
  return stop < 0 ? rest.length : stop;
}

/** Whether a value found behind a sensitive key is one. */
function isSecret(value: string, key: Key, separator: Separator, line: string, quoted: boolean): boolean {
  const { notation, spaced, quotedKey } = separator;
  if (isHarmless(value) || /^\d{1,3}$/.test(value)) return false;
  if (/^(?:OLD)?PWD$/.test(key.name) && value.startsWith('/')) return false;
  if (key.family === 'auth') return isBasicCredential(value);
  if (ALWAYS_A_NAME.test(key.name) || (namesAnObject(key.name) && isNameLike(value))) return false;
  if (/^\d+$/.test(value)) return key.family === 'password' || value.length >= 8;
  if (notation === 'argument' && !quotedKey) return isArgument(value, key, quoted);
  if (notation === 'colon' && !spaced && !quoted && isReference(line[key.start - 1], value)) return false;
  const atStart = opensLine(line, key);
  if (quotedKey && !quoted && !atStart) return false;
  if (quotedKey || notation === 'pair' || notation === 'element' || !spaced) return true;
  if (atStart) return !isSentence(value);
  return (notation === 'equals' && quoted) || isSecretInSentence(value, key, line, separator);
}

/** `registry/my-token:v1.2` is an image and `arn:aws:…:secret:name` a name, not a key with its value. */
function isReference(before: string | undefined, value: string): boolean {
  return before === '/' || before === ':' || /^(?:latest$|v?\d+(?:\.\w+)+)/.test(value);
}

function isArgument(value: string, key: Key, quoted: boolean): boolean {
  if (quoted) return true;
  const exact = key.name.startsWith('--');
  return !value.startsWith('-') && !isProse(value) && (exact || isSecretLike(value));
}

function isSentence(value: string): boolean {
  const blank = value.indexOf(' ');
  return blank > 0 && isProse(value.slice(0, blank));
}

/** After "… password: " inside a sentence or log line, where the next word may just go on with the sentence. */
function isSecretInSentence(value: string, key: Key, line: string, separator: Separator): boolean {
  if (isProse(value) || /^[A-Za-z_]\w*:/.test(value)) return false;
  // What follows "password:" is no name of an object, though it may be written like one.
  if (isSecretLike(value) || (key.family === 'password' && mixesDigitsAndLetters(value))) return true;
  if (key.family === 'secret') return false;
  const isLast = line.length - separator.valueStart - value.length <= 2;
  const compound = /[_.-]|[a-z][A-Z]/.test(key.name);
  if (key.family === 'password') return compound ? value.length >= 3 : isLast && value.length >= 6;
  return isLast && value.length >= (key.family === 'token' ? 16 : 8);
}
