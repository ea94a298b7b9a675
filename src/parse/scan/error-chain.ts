import { tellsError } from './error-words.ts';
import { thrownIn } from './thrown.ts';

const MOST_LENGTH = 300;
const TEXT_LIMIT = 4096;
const DEEPEST = 6;

/** Says what happened, not to what: the link before it is needed. */
const GENERIC = new RegExp(
  `^(?:\\[Errno \\d+\\] )?(?:${[
    'no such file or directory',
    'not found',
    'permission denied',
    'connection refused',
    'connection reset by peer',
    'i/o timeout',
    '(?:unexpected )?eof',
    'broken pipe',
    'exit (?:status|code):? \\d+',
    'signal: [\\w ]+',
    'context (?:deadline exceeded|canceled)',
    'operation (?:not permitted|not supported|timed out|was canceled)',
    'invalid argument',
    'device or resource busy',
    'no space left on device',
    'input/output error',
    'read-only file system',
    'no route to host',
    'network is unreachable',
    'no such (?:host|device|process)',
    'connection timed out',
    'time(?:d )?out',
    'file exists',
    'is a directory',
    'not a directory',
    'exec format error',
    'text file busy',
    'bad file descriptor',
    'cannot allocate memory',
    'resource temporarily unavailable',
    'too many open files',
    'address already in use',
    'cannot assign requested address',
    'already exists',
    'transport endpoint is not connected',
    'stale (?:nfs )?file handle',
    'name or service not known',
    'temporary failure in name resolution',
    'executable file not found in \\$path',
    '\\d{3}(?: [a-z]+){0,3}',
    'internal server error',
    'file not found',
    'command not found',
  ].join('|')})\\.?(?: \\(os error \\d+\\))?$`,
  'i',
);
const WORTHLESS = /^(?:unknown|<nil>|null|none|n\/a|\.{2,3}|…|\\|\[\]|\{\}|)$/i;
const SYSTEM_CALL =
  /^(?:connect|read|write|open|openat|stat|lstat|getsockopt|accept|bind|listen|lookup|mkdir|exec|fork\/exec|dial|dial tcp|dial unix)$/i;
/** Names no thing and no program: never worth keeping in front. */
const LABEL =
  /^(?:err|errors?|failed|failure|warn(?:ing)?|info|reason|message|msg|cause|output|details?|stderr|exception|rpc error|caused by|e|main)$/i;
const CAUSE_LABEL = /(?:^|[\s,;(])(?:errors?|err|reason|cause|caused by|output|message|msg|details?|stderr|exception)$/i;
const SOURCE_POSITION = /\.\w{1,4}:\d{1,6}$/;
const THROWN = /(?:^|\s)(?<name>[\w.$]{1,120}(?:Error|Exception|Fault))$/;

/** The innermost link of a wrapped error, with so much before it as one needs to know what it speaks of. */
export function innermostOf(text: string, depth = 0): string {
  const line = tellingLine(text.slice(0, TEXT_LIMIT).replace(/^[\s,;.]+/, ''));
  const bareCode = /^rpc error: code = \w{1,40}(?=(?: desc =)?\s*$)/.exec(line)?.[0];
  if (bareCode) return bareCode;
  const links = splitLinks(withoutExit(withoutRpc(line)));
  while (links.length > 1 && WORTHLESS.test(links.at(-1) ?? '')) links.pop();
  const tail = links.at(-1) ?? '';
  if (depth < DEEPEST) {
    const opened = openWrapped(tail);
    if (opened) {
      const inner = innermostOf(opened, depth + 1);
      if (!GENERIC.test(inner)) return inner;
      links[links.length - 1] = inner;
    }
  }
  return clipTo(joinLinks(links), MOST_LENGTH);
}

/** Says what happened but not to what. */
export function isGeneric(text: string): boolean {
  return GENERIC.test(text);
}

function clipTo(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1)}…`;
}

/** The words gRPC puts around every error. */
function withoutRpc(text: string): string {
  return text.replace(/rpc error: code = \w{1,40} desc = ?|\bdesc = (?=")/g, '');
}

/** That a command failed says less than what it printed. */
function withoutExit(text: string): string {
  return text.replace(/exit (?:status|code) \d{1,3},? (?:stderr|output)=(?=\\?"\S)/, '');
}

/** Of several lines the one that names the cause. */
function tellingLine(text: string): string {
  const caused = text.lastIndexOf('Caused by: ');
  if (caused >= 0) return firstLine(text.slice(caused + 'Caused by: '.length));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return text;
  if (/^Traceback \(most recent call last\)/m.test(text)) return lines.findLast((line) => /^\S/.test(line)) ?? text;
  const thrown = thrownIn(lines);
  if (thrown !== undefined) return thrown;
  const panic = lines.find((line) => /^(?:panic|fatal error): /.test(line));
  if (panic) return panic.replace(/ \[recovered\]$/, '');
  const output = lines.findIndex((line) => /(?:^|[\s,])output: \S/i.test(line));
  if (output >= 0) return (lines[output] as string).replace(/^.{0,2000}?(?:^|[\s,])output: /i, '');
  const bullet = lines.find((line) => /^\s{0,8}\* \S/.test(line));
  if (bullet) return bullet.trim().slice(2);
  const first = lines[0] as string;
  return /:\s*$/.test(first) ? `${first.trim()} ${(lines[1] as string).trim()}` : first;
}

function firstLine(text: string): string {
  const end = text.indexOf('\n');
  return end < 0 ? text : text.slice(0, end);
}

/** `"…"` and `[a, b]` around the whole hide a chain of their own. */
function openWrapped(text: string): string | undefined {
  if (text.length < 3 || matchPairs(text)[0] !== text.length - 1) return undefined;
  const inside = text.slice(1, -1);
  if (text[0] === '"') return isPhrase(inside) ? inside.replace(/\\(["\\])/g, '$1') : undefined;
  if (text[0] !== '[') return undefined;
  return inside.includes(': ') || tellsError(inside) ? firstItem(inside) : undefined;
}

/** Three words or more, not all of them numbers. */
function isPhrase(text: string): boolean {
  const words = text.split(/\s+/, 8);
  return words.length > 2 && words.filter((word) => /\p{L}{2}/u.test(word)).length > 1;
}

function firstItem(list: string): string {
  const pairs = matchPairs(list);
  for (let at = 0; at < list.length; at++) {
    at = Math.max(at, pairs[at] as number);
    if (list[at] === ',' && list[at + 1] === ' ') return list.slice(0, at);
  }
  return list;
}

/** What comes behind these is a value that the sentence compares, not its reason. */
const ASIDE = /\b(?:got|want|wanted|have|expected|found|received|actual)$/;

/** Splits at colons that end a link: followed by space, outside quotes and brackets, not after the end of the sentence. */
function splitLinks(text: string): string[] {
  const pairs = matchPairs(text);
  const links: string[] = [];
  let start = 0;
  let sentence = -1;
  for (let at = 0; at < text.length; at++) {
    at = Math.max(at, pairs[at] as number);
    if (text[at] === '.' && sentence < 0) sentence = sentenceAfter(text, at);
    if (!isSeparator(text, at) || ASIDE.test(text.slice(Math.max(start, at - 12), at))) continue;
    if (sentence > start && !CAUSE_LABEL.test(text.slice(sentence, at).trim())) return [...links, text.slice(start, sentence).trim()];
    links.push(text.slice(start, sentence > start ? sentence : at).trim());
    start = at + 1;
    sentence = -1;
  }
  return [...links, text.slice(start).trim()];
}

function sentenceAfter(text: string, dot: number): number {
  return /^\. +(?:[A-Z/][a-z]|preemption:)/.test(text.slice(dot, dot + 16)) ? dot + 1 : -1;
}

function isSeparator(text: string, at: number): boolean {
  const sign = text[at];
  if (sign === '：') return true;
  return sign === ':' && (at + 1 === text.length || text[at + 1] === ' ' || text[at + 1] === '\t' || text[at + 1] === '\n');
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** For each sign that opens a quote or bracket the index of the one that closes it; 0 elsewhere, and where none does. */
function matchPairs(text: string): Int32Array {
  const pairs = new Int32Array(text.length);
  const open: number[] = [];
  let quote = -1;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (sign === '\\') at++;
    else if (quote >= 0) {
      if (sign !== text[quote] || (sign === "'" && isWordSign(text[at + 1]))) continue;
      pairs[quote] = at;
      quote = -1;
    } else if (sign === '"' || sign === '`' || (sign === "'" && !isWordSign(text[at - 1]))) {
      if (text.includes(sign, at + 1)) quote = at;
    } else if (CLOSERS[sign]) open.push(at);
    else if (open.length > 0 && sign === CLOSERS[text[open.at(-1) as number] as string]) pairs[open.pop() as number] = at;
  }
  return pairs;
}

function isWordSign(sign: string | undefined): boolean {
  return sign !== undefined && /\w/.test(sign);
}

function joinLinks(links: readonly string[]): string {
  const tail = links.at(-1) ?? '';
  const parts = [tail];
  let before = links.length - 2;
  if (before >= 0 && needsMore(tail)) {
    const subject = links[before--] as string;
    if (!LABEL.test(subject)) parts.unshift(subject);
    if ((SYSTEM_CALL.test(subject) || /^[\dxa-f.]+$/i.test(subject)) && before >= 0) parts.unshift(links[before--] as string);
  }
  for (; before >= 0 && parts.length < 4; before--) {
    const link = links[before] as string;
    if (isName(link) || parts[0]?.startsWith('"')) {
      parts.unshift(link);
      continue;
    }
    const thrown = THROWN.exec(link)?.groups?.['name'];
    if (thrown) parts.unshift(thrown);
    break;
  }
  return parts.join(': ');
}

function needsMore(tail: string): boolean {
  return GENERIC.test(tail) || !isPhrase(tail);
}

/** A program, package, exception class or path: `x509`, `net/http`, `ValueError`, `/etc/app.conf`. */
function isName(link: string): boolean {
  if (/^(?:panic|runtime error)$/.test(link)) return true;
  return link.length <= 80 && /^\S+$/.test(link) && !LABEL.test(link) && !SOURCE_POSITION.test(link) && !/[,;]$/.test(link);
}
