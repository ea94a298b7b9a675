import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from './json-value.ts';

/** A probe in the words of `kubectl describe`, so that both sources say the same. */
export function probeText(probe: JsonRecord): string {
  const number = (key: string) => numberOf(probe[key]) ?? 0;
  const action = actionText(probe);
  // A manifest leaves out what the API server fills in; zeros would be invented.
  if (numberOf(probe['periodSeconds']) === undefined) return action;
  const times = `delay=${number('initialDelaySeconds')}s timeout=${number('timeoutSeconds')}s period=${number('periodSeconds')}s`;
  return `${action} ${times} #success=${number('successThreshold')} #failure=${number('failureThreshold')}`;
}

function actionText(probe: JsonRecord): string {
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
