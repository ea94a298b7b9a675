import { objectId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';

const CHECK = /^\s{0,8}\[(?<sign>[+-])\](?<name>[\w./-]{2,120}) (?<result>ok|failed: .{1,1000}|excluded: ok)\s*$/;
const SUM = /^\s{0,8}(?:healthz|livez|readyz) check (?:passed|failed)\s*$/;

function emit(line: string, at: number, lines: readonly string[], context: Context, sink: ReadingSink): boolean {
  const groups = CHECK.exec(line)?.groups;
  if (!groups) return SUM.test(line);
  const { sign, name = '', result = '' } = groups;
  const about = objectId('HealthCheck', undefined, name);
  const cited = citeLines(context.doc, lines, at);
  const failed = sign === '-';
  sink.fact('object.status', about, failed ? { status: 'failed', detail: result.slice('failed: '.length) } : { status: 'ok' }, cited);
  if (failed) sink.said({ channel: 'control-plane-log', about, text: line.trim(), cited, level: 'error', component: 'kube-apiserver' });
  return true;
}

/** A kubelet answers in the same form; whose health it is then only the command tells. */
const OF_KUBELET = /\/proxy\/healthz|:(?:10248|10250)\//;

/** `kubectl get --raw /readyz?verbose`, and the same by curl. */
export const healthChecksReader: BlockReader = {
  what: 'health checks of the API server',
  read(lines, from, context, sink) {
    if (context.channel !== undefined || OF_KUBELET.test(context.command?.slice(0, 1000) ?? '')) return from;
    let next = from;
    while (next < lines.length && emit((lines[next] ?? '').slice(0, 1400), next, lines, context, sink)) next++;
    return next;
  },
};
export const HEALTH_CHECKS_SIGN = /^\s{0,8}(?:\[[+-]\]|healthz|livez|readyz)/;
