import type { Span } from './spans.ts';
import { isBasicCredential, isHarmless } from './values.ts';

interface Pattern {
  readonly kind: string;
  /** A line without any of these cannot match. */
  readonly hints: readonly string[];
  /** The group `secret`, where there is one, is what must go. */
  readonly regex: RegExp;
  readonly accept?: (secret: string, match: RegExpExecArray) => boolean;
}

/** Secrets that tell themselves by their form. */
const PATTERNS: readonly Pattern[] = [
  { kind: 'jwt', hints: ['eyJ'], regex: /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_+/=-]{10,}(?:\.[A-Za-z0-9_+/=-]+){0,4}/dg },
  { kind: 'aws-key', hints: ['AKIA', 'ASIA'], regex: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])/dg },
  { kind: 'google-key', hints: ['AIza', 'ya29.'], regex: /(?<![A-Za-z0-9])(?:AIza[0-9A-Za-z_-]{35}|ya29\.[A-Za-z0-9_-]{20,})/dg },
  {
    kind: 'github-token',
    hints: ['gh', 'github_pat_'],
    regex: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})/dg,
  },
  { kind: 'gitlab-token', hints: ['gl'], regex: /(?<![A-Za-z0-9])gl(?:pat|ptt|dt|rt|cbt|ft|agent|soat)-[\w.-]{10,}/dg },
  { kind: 'slack-token', hints: ['xox', 'xapp-'], regex: /(?<![A-Za-z0-9])(?:xox[a-z][-.]|xapp-)[A-Za-z0-9-]{8,}/dg },
  {
    kind: 'slack-webhook',
    hints: ['hooks.slack.com'],
    regex: /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9/]{8,})/dg,
  },
  { kind: 'npm-token', hints: ['npm_'], regex: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{20,}/dg },
  { kind: 'docker-token', hints: ['dckr_'], regex: /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[\w-]{10,}/dg },
  { kind: 'vault-token', hints: ['hvs.', 'hvb.'], regex: /(?<![A-Za-z0-9])hv[sb]\.[\w-]{20,}/dg },
  { kind: 'stripe-key', hints: ['k_live_', 'k_test_'], regex: /(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/dg },
  { kind: 'password-hash', hints: ['$2'], regex: /\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{50,60}/dg },
  { kind: 'password-hash', hints: ['$'], regex: /\$(?:apr1|[1567y]|argon2(?:id|i|d))\$[./A-Za-z0-9$=,+-]{20,}/dg },
  { kind: 'password-hash', hints: ['{SHA', '{SSHA'], regex: /\{S?SHA\d{0,3}\}[A-Za-z0-9+/=]{20,}/dg },
  {
    kind: 'private-key',
    hints: ['LS0tLS1CRUdJTiB'],
    regex: /LS0tLS1CRUdJTiB(?!DRVJUSUZJQ0FU|QVUJMSUMg)[A-Za-z0-9+/=]{20,}/dg,
  },
  {
    kind: 'join-token',
    hints: ['.'],
    regex: /(?<![A-Za-z0-9._/@-])(?:[a-z0-9]{6})\.(?<rest>[a-z0-9]{16})(?![A-Za-z0-9_@-]|\.[A-Za-z0-9])/dg,
    accept: (_, match) => isJoinToken(match.groups?.['rest'] ?? ''),
  },
  {
    kind: 'signature',
    hints: ['sig=', 'ignature=', 'X-Amz-', 'x-amz-'],
    regex: /[?&;](?:X-Amz-(?:Signature|Security-Token|Credential)|X-Goog-Signature|Signature|sig)=(?<secret>[^&\s"'<>\\]+)/dgi,
  },
  {
    kind: 'token',
    hints: ['earer ', 'EARER '],
    regex: /(?<![A-Za-z0-9])bearer\s{1,4}(?<secret>[A-Za-z0-9._~+/-]{8,}=*)/dgi,
    accept: (secret) => /\d/.test(secret) || secret.length >= 24,
  },
  {
    kind: 'basic-auth',
    hints: ['asic ', 'ASIC '],
    regex: /(?<![A-Za-z0-9])basic\s{1,4}(?<secret>[A-Za-z0-9+/]{8,}={0,2})/dgi,
    accept: isBasicCredential,
  },
  {
    kind: 'authorization',
    hints: ['uthorization', 'UTHORIZATION'],
    regex:
      /authorization\\{0,7}["'\]]{0,2}\s{0,4}[:=]\s{0,4}\\{0,7}["'[]{0,2}(?:(?:Basic|Bearer|Token|ApiKey|Negotiate)\s{1,4})?(?<secret>[^\s"'\\,\]]{8,})/dgi,
    accept: (secret, match) => /\d/.test(secret) || /(?:basic|bearer|token|apikey|negotiate)\s/i.test(match[0]),
  },
  {
    kind: 'authorization',
    hints: ['uthorization', 'UTHORIZATION'],
    regex: /authorization["'\]]{0,2}\s{0,4}[:=]\s{0,4}["'[]{0,2}(?:Digest|AWS4-HMAC-SHA256)\s{1,4}(?<secret>\S.*)/dgi,
  },
  {
    kind: 'cookie',
    hints: ['ookie', 'OOKIE'],
    regex:
      /(?<![A-Za-z0-9])(?:set-)?cookie2?\\{0,7}["'\]]{0,2}\s{0,4}[:=]\s{0,4}\\{0,7}["'[]{0,2}(?<secret>[^\s"'\\=;]{1,200}=[^"'\\\]]*)/dgi,
  },
  { kind: 'password', hints: ['curl '], regex: /\s(?:-u|--user|--proxy-user)[ =]?["']?[^\s:"']{1,200}:(?<secret>[^\s"']+)/dg },
];

/** Events are named after their object and the time in hexadecimal, which looks much like a join token. */
function isJoinToken(rest: string): boolean {
  return /[a-z]/.test(rest) && /\d/.test(rest) && !/^1[4-9a][0-9a-f]{14}$/.test(rest);
}

export function findPatterns(line: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of PATTERNS) {
    if (!pattern.hints.some((hint) => line.includes(hint))) continue;
    pattern.regex.lastIndex = 0;
    for (let match = pattern.regex.exec(line); match; match = pattern.regex.exec(line)) {
      const [start, end] = match.indices?.groups?.['secret'] ?? match.indices?.[0] ?? [0, 0];
      const secret = line.slice(start, end);
      if (isHarmless(secret) || (pattern.accept && !pattern.accept(secret, match))) continue;
      spans.push({ start, end, kind: pattern.kind });
    }
  }
  return spans;
}

const LONGEST_AUTHORITY = 512;
const LONGEST_USERINFO = 200;
const AUTHORITY_END = /[\s/?#"'<>`\\]/;
const WORD_END = /[\s"'<>`\\]/;

/** Passwords between `://` and `@`. */
export function findUrlPasswords(line: string): Span[] {
  const spans: Span[] = [];
  const lastAt = line.lastIndexOf('@');
  for (let at = line.indexOf('://'); at >= 0 && at < lastAt; at = line.indexOf('://', at + 3)) {
    const span = urlPassword(line, at + 3);
    if (span) spans.push(span);
  }
  return spans;
}

function urlPassword(line: string, start: number): Span | undefined {
  const limit = Math.min(line.length, start + LONGEST_AUTHORITY);
  const authority = line.slice(start, endBefore(line, AUTHORITY_END, start, limit));
  const direct = authority.lastIndexOf('@');
  const at = direct >= 0 ? start + direct : strayAt(line, authority, start, limit);
  if (at < 0 || /^sha(?:256|512):/.test(line.slice(at + 1, at + 8))) return undefined;
  const userinfo = line.slice(start, at);
  if (userinfo.includes('‹redacted')) return undefined;
  const colon = userinfo.indexOf(':');
  if (colon < 0) return userinfo.length >= 20 && /\d/.test(userinfo) ? { start, end: at, kind: 'url-password' } : undefined;
  const password = userinfo.slice(colon + 1);
  return isHarmless(password) ? undefined : { start: start + colon + 1, end: at, kind: 'url-password' };
}

/** A password may hold an unescaped slash; then what stands after the colon is no port, and an `@` follows in the same word. */
function strayAt(line: string, authority: string, start: number, limit: number): number {
  const colon = authority.indexOf(':');
  if (colon < 0 || /^\d*$/.test(authority.slice(colon + 1)) || authority.startsWith('[')) return -1;
  const word = line.slice(start, endBefore(line, WORD_END, start, limit));
  const at = word.lastIndexOf('@');
  return at < 0 ? -1 : start + at;
}

function endBefore(line: string, stop: RegExp, start: number, limit: number): number {
  const part = line.slice(start, limit);
  const found = part.search(stop);
  return found < 0 ? limit : start + found;
}

/** `user:password@tcp(host:3306)/db`, as Go's database drivers write it. */
export function findDriverPasswords(line: string): Span[] {
  const spans: Span[] = [];
  for (const anchor of ['@tcp(', '@unix(']) {
    for (let at = line.indexOf(anchor); at >= 0; at = line.indexOf(anchor, at + 1)) {
      const word = line.slice(Math.max(0, at - LONGEST_USERINFO), at);
      const colon = word.indexOf(':', lastBreak(word) + 1);
      if (colon < 0 || isHarmless(word.slice(colon + 1))) continue;
      spans.push({ start: at - word.length + colon + 1, end: at, kind: 'url-password' });
    }
  }
  return spans;
}

function lastBreak(word: string): number {
  return Math.max(...[' ', '\t', '"', "'", '`', '='].map((character) => word.lastIndexOf(character)));
}
