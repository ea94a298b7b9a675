import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { certificatePath, plainName, timeOf } from './certificates.ts';
import { takeLines } from './output.ts';
import { cite, scopeOf } from './scope.ts';
import { isBoundary } from './text.ts';

const STARTS = /^\s{0,20}(?:Certificate:\s*$|Data:\s*$|Validity\s*$|Not Before ?: |Issuer: ?\S|Subject: ?\S{1,40} ?= ?\S)/;
const FIELD = /^\s{0,20}(?<key>Not Before|Not After|Subject|Issuer) ?: ?(?<value>\S.{0,500})$/;
const NAMES = /^\s{0,20}X509v3 Subject Alternative Name:/;
const NAME = /(?:DNS|IP Address|IP|URI):(?<name>[^\s,]{1,253})/g;
const INSIDE =
  /^\s{4,60}\S|^\s{0,20}(?:Certificate:|Data:|Validity|Version:|Serial Number:|Signature Algorithm:|Subject Public Key Info:|X509v3 |Public Key Algorithm:)/;
const LINES = 400;
const MOST_NAMES = 60;

interface Found {
  readonly fields: Map<string, string>;
  readonly names: string[];
  dated: number;
}

function readCertificate(lines: readonly string[], from: number): { found: Found; end: number } {
  const found: Found = { fields: new Map(), names: [], dated: from };
  let named = false;
  let end = from;
  for (; end < lines.length && end < from + LINES; end++) {
    const line = (lines[end] ?? '').slice(0, 8000);
    if (isBoundary(line) || (end > from && /^\s{0,8}Certificate:\s*$/.test(line))) break;
    const groups = line.length < 700 ? FIELD.exec(line)?.groups : undefined;
    if (!groups && !INSIDE.test(line)) break;
    if (groups?.['key'] === 'Not After') found.dated = end;
    if (groups && !found.fields.has(groups['key'] ?? '')) found.fields.set(groups['key'] ?? '', (groups['value'] ?? '').trim());
    if (named) for (const match of line.matchAll(NAME)) if (found.names.length < MOST_NAMES) found.names.push(match.groups?.['name'] ?? '');
    named = NAMES.test(line);
  }
  return { found, end };
}

function payloadOf(path: string, { fields, names }: Found): FactKinds['host.certificate'] {
  const [subject, issuer] = [fields.get('Subject'), fields.get('Issuer')];
  const [notBefore, notAfter] = [timeOf(fields.get('Not Before') ?? ''), timeOf(fields.get('Not After') ?? '')];
  return {
    path,
    ...(subject ? { subject: plainName(subject) } : {}),
    ...(issuer ? { issuer: plainName(issuer) } : {}),
    ...(names.length > 0 ? { names } : {}),
    ...(notBefore !== undefined ? { notBefore } : {}),
    ...(notAfter !== undefined ? { notAfter } : {}),
  };
}

/** `openssl x509 -text`, whole or the lines around its dates. */
export const certificateTextReader: BlockReader = {
  what: 'certificate',
  read(lines, from, context, sink) {
    if (!STARTS.test((lines[from] ?? '').slice(0, 700))) return from;
    const { found, end } = readCertificate(lines, from);
    if (!found.fields.has('Not After') && found.names.length === 0) return from;
    const scope = scopeOf(lines, context, sink);
    sink.fact('host.certificate', scope.node, payloadOf(certificatePath(context), found), cite(scope, found.dated));
    return takeLines(scope, from, end);
  },
};
