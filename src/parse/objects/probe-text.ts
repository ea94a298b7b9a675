import { isRecord, type JsonRecord, listOf, recordOf, textOf } from './json-value.ts';

/** A probe's action in the words of `kubectl describe`. */
export function probeText(probe: JsonRecord): string {
  const exec = probe['exec'];
  if (isRecord(exec)) return `exec [${listOf(exec['command']).map(String).join(' ')}]`;
  const http = probe['httpGet'];
  if (isRecord(http)) {
    const scheme = (textOf(http['scheme']) ?? 'HTTP').toLowerCase();
    const path = textOf(http['path']) ?? '';
    return `http-get ${scheme}://${textOf(http['host']) ?? ''}:${textOf(http['port']) ?? ''}${path.startsWith('/') || path === '' ? path : `/${path}`}`;
  }
  const tcp = probe['tcpSocket'];
  if (isRecord(tcp)) return `tcp-socket ${textOf(tcp['host']) ?? ''}:${textOf(tcp['port']) ?? ''}`;
  const grpc = probe['grpc'];
  if (isRecord(grpc)) return `grpc <pod>:${textOf(grpc['port']) ?? ''} ${textOf(recordOf(grpc)['service']) ?? ''}`.trimEnd();
  return 'unknown';
}
