import { objectId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { isBlank, viewFrom } from './lines.ts';

const HEADER = /^\s*NAME\s+STATUS\s+MESSAGE\s+ERROR\s*$|^\s*NAME\s+AGE\s*$/;
const ROW =
  /^\s*(?:componentstatus(?:es)?\/)?(?<name>scheduler|controller-manager|etcd-\d{1,3})\s+(?<status>Healthy|Unhealthy|Unknown)(?:\s+(?<rest>\S.*))?$/;

function emit(line: string, at: number, lines: readonly string[], context: Context, sink: ReadingSink): boolean {
  const groups = ROW.exec(line)?.groups;
  if (!groups) return false;
  const { name = '', status = '', rest = '' } = groups;
  const about = objectId('ComponentStatus', undefined, name);
  const cited = citeLines(context.doc, lines, at);
  const detail = rest.trim().replace(/\s+nil$/, '');
  sink.fact('object.status', about, { status, ...(detail !== '' ? { detail } : {}) }, cited);
  // The probed ports of scheduler and controller manager are shut in many healthy clusters, so this is no error by itself.
  sink.said({ channel: 'objects', about, text: line.trim(), cited, level: 'info', component: name });
  return true;
}

/** `kubectl get componentstatuses`, whose rows have no age and may hold a whole error. */
export const componentStatusReader: BlockReader = {
  what: 'kubectl get componentstatuses',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const view = viewFrom(lines, from);
    const headed = HEADER.test(view.at(from).slice(0, 1000));
    let next = headed ? from + 1 : from;
    while (next < view.count && !isBlank(view.at(next)) && emit(view.at(next).slice(0, 4000), next, lines, context, sink)) next++;
    return headed && next === from + 1 ? from : next;
  },
};
