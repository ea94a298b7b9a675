import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { cite, cover, scopeOf } from './scope.ts';

const FIELD = /^(?<key>subject|issuer|notBefore|notAfter|serial)\s{0,2}=\s{0,2}(?<value>\S.{0,500})$/;
const CHECKED = /^Certificate will (?<not>not )?expire\s*$/;
const LINES = 12;

/** The file a command of openssl was given. */
export function certificatePath(context: Context): string {
  return /\s-in\s+(?<path>\S{1,400})/.exec((context.command ?? '').slice(0, 800))?.groups?.['path'] ?? '?';
}

/** Programs write the same name as `/O=a/CN=b`, `O = a, CN = b` and `O=a, CN=b`. */
export function plainName(text: string): string {
  return text
    .replace(/^\//, '')
    .replaceAll(/\/(?=(?:CN|O|OU|C|L|ST|DC)=)/g, ', ')
    .replaceAll(' = ', '=')
    .trim();
}

export function timeOf(text: string): number | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function payloadOf(path: string, found: ReadonlyMap<string, string>, expired: boolean | undefined): FactKinds['host.certificate'] {
  const [subject, issuer, before, after] = ['subject', 'issuer', 'notBefore', 'notAfter'].map((key) => found.get(key));
  const [notBefore, notAfter] = [timeOf(before ?? ''), timeOf(after ?? '')];
  return {
    path,
    ...(subject ? { subject: plainName(subject) } : {}),
    ...(issuer ? { issuer: plainName(issuer) } : {}),
    ...(notBefore !== undefined ? { notBefore } : {}),
    ...(notAfter !== undefined ? { notAfter } : {}),
    ...(expired !== undefined ? { expired } : {}),
  };
}

/** `openssl x509 -noout -dates -subject -checkend 0 -in FILE`, in any order. */
export const certificateReader: BlockReader = {
  what: 'certificate dates',
  read(lines, from, context, sink) {
    const found = new Map<string, string>();
    let expired: boolean | undefined;
    let dated = from;
    let end = from;
    for (; end < lines.length && end < from + LINES; end++) {
      const line = (lines[end] ?? '').slice(0, 600).trim();
      const groups = FIELD.exec(line)?.groups;
      const checked = groups ? undefined : CHECKED.exec(line)?.groups;
      if (!groups && !CHECKED.test(line)) break;
      if (groups?.['key'] === 'notAfter') dated = end;
      if (groups) found.set(groups['key'] ?? '', groups['value'] ?? '');
      else expired = checked?.['not'] === undefined;
    }
    if (!found.has('notAfter') && !found.has('notBefore')) return from;
    const scope = scopeOf(lines, context, sink);
    sink.fact('host.certificate', scope.node, payloadOf(certificatePath(context), found, expired), cite(scope, dated));
    cover(scope, 'host-state', 'excerpt', from, end);
    return end;
  },
};
