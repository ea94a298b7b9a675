import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { nodeOf } from './command.ts';

const HEADER = /^\s{0,8}CERTIFICATE(?: AUTHORITY)?\s+EXPIRES\s+RESIDUAL TIME\b/;
const ROW =
  /^\s{0,8}(?<name>[\w.-]{2,60})\s+(?<expires>[A-Z][a-z]{2} \d{1,2}, \d{4} \d\d:\d\d [A-Z]{2,5})\s+(?<left><invalid>|\d{1,4}[smhdy])(?:\s|$)/;
const MISSING = /^\s{0,8}!MISSING! (?<name>[\w.-]{2,60})\s*$/;

function payloadOf(groups: Readonly<Record<string, string | undefined>>): FactKinds['host.certificate'] {
  const notAfter = Date.parse((groups['expires'] ?? '').replace(/ [A-Z]{2,5}$/, ' UTC'));
  return { path: groups['name'] ?? '', ...(Number.isNaN(notAfter) ? {} : { notAfter }), expired: groups['left'] === '<invalid>' };
}

function emit(line: string, at: number, lines: readonly string[], context: Context, sink: ReadingSink): boolean {
  const groups = ROW.exec(line)?.groups;
  if (!groups) return MISSING.test(line);
  const node = nodeOf(context);
  const cited = citeLines(context.doc, lines, at);
  const payload = payloadOf(groups);
  sink.fact('host.certificate', node, payload, cited);
  if (payload.expired)
    sink.said({ channel: 'kubeadm-output', about: node, text: line.trim(), cited, level: 'error', component: 'kubeadm' });
  return true;
}

/** `kubeadm certs check-expiration`, both tables. */
export const kubeadmCertificatesReader: BlockReader = {
  what: 'kubeadm certs check-expiration',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 400);
    if (!HEADER.test(first) && !ROW.test(first)) return from;
    let next = HEADER.test(first) ? from + 1 : from;
    while (next < lines.length && emit((lines[next] ?? '').slice(0, 400), next, lines, context, sink)) next++;
    const node = nodeOf(context);
    sink.cover({ channel: 'kubeadm-output', about: node, extent: 'excerpt', doc: context.doc, lines: [from + 1, next] });
    return next;
  },
};
export const KUBEADM_CERTIFICATES_SIGN = /^\s{0,8}CERTIFICATE|, \d{4} \d\d:\d\d /;
