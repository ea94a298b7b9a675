import { CLUSTER, namespaceId, objectId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { isTool, toolWords } from './command.ts';

const FAILED =
  /^\s{0,8}Error: (?:(?:INSTALLATION|UPGRADE|UNINSTALLATION|ROLLBACK|RELEASE) (?:FAILED|INSTALLATION FAILED): |release \S{1,100} failed|failed pre-install|failed post-install|pre-upgrade hooks failed|post-upgrade hooks failed|unable to build kubernetes objects|rendered manifests contain|chart ".{1,200}" .{0,100}not found|looks like ".{1,300}" is not a valid chart repository|cannot re-use a name|another operation \(|failed to download|values don't meet the specifications|could not find (?:a ready )?tiller|found in Chart\.yaml)/;
const ANY = /^\s{0,8}Error: \S/;
const LIST = /^\s{0,4}NAME\s+NAMESPACE\s+REVISION\s+UPDATED\s+STATUS\s+CHART\b/;
const ROW =
  /^\s{0,4}(?<name>[a-z0-9][\w.-]{0,252})\s+(?<namespace>[a-z0-9][-a-z0-9]{0,62})\s+(?<revision>\d{1,9})\s+\d{4}-\d\d-\d\d \S{1,40} [+-]\d{4} \S{1,8}\s+(?<status>[a-z-]{3,40})\s+(?<chart>\S{1,200})/;
const STATUS_LINE = /^(?<key>NAME|LAST DEPLOYED|NAMESPACE|STATUS|REVISION|DESCRIPTION|TEST SUITE|CHART|VERSION): ?(?<value>.{0,1000})$/;
const MOST_AFTER = 40;

function namespaceOf(context: Context): string | undefined {
  const words = toolWords(context);
  const at = words.findIndex((word) => word === '-n' || word === '--namespace');
  return at >= 0 ? words[at + 1] : words.find((word) => word.startsWith('--namespace='))?.slice('--namespace='.length);
}

/** Lists of what is wrong go on below, indented or with a dash. */
function readError(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  let next = from + 1;
  while (next < Math.min(lines.length, from + MOST_AFTER) && /^(?:\s{1,16}\S|- \S|\* \S)/.test((lines[next] ?? '').slice(0, 200))) next++;
  const text = lines.slice(from, next).map((line) => line.slice(0, 4000).trim());
  const namespace = namespaceOf(context);
  const about = namespace === undefined ? CLUSTER : namespaceId(namespace);
  sink.said({
    channel: 'objects',
    about,
    text: text.join('\n'),
    cited: citeLines(context.doc, lines, from, next - 1),
    level: 'error',
    component: 'helm',
  });
  return next;
}

function readList(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  let next = from + 1;
  for (; next < lines.length; next++) {
    const groups = ROW.exec((lines[next] ?? '').slice(0, 1000))?.groups;
    if (!groups) break;
    const about = objectId('HelmRelease', groups['namespace'], groups['name'] ?? '');
    const status = { status: groups['status'] ?? '', detail: `CHART ${groups['chart'] ?? ''}, REVISION ${groups['revision'] ?? ''}` };
    const cited = citeLines(context.doc, lines, next);
    sink.fact('object.status', about, status, cited);
    sink.said({ channel: 'objects', about, text: (lines[next] ?? '').slice(0, 1000).trim(), cited, level: 'info', component: 'helm' });
  }
  return next;
}

/** The head of `helm status`, `helm install` and `helm upgrade`. */
function readStatus(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const found = new Map<string, string>();
  let next = from;
  for (; next < Math.min(lines.length, from + 12); next++) {
    const groups = STATUS_LINE.exec((lines[next] ?? '').slice(0, 1200).trimEnd())?.groups;
    if (!groups) break;
    found.set(groups['key'] ?? '', (groups['value'] ?? '').trim());
  }
  const [name, status] = [found.get('NAME'), found.get('STATUS')];
  if (!name || !status || !found.has('REVISION')) return from;
  const about = objectId('HelmRelease', found.get('NAMESPACE'), name);
  const description = found.get('DESCRIPTION');
  const cited = citeLines(context.doc, lines, from, next - 1);
  sink.fact('object.status', about, { status, ...(description ? { detail: description } : {}), asked: true }, cited);
  if (description && status === 'failed')
    sink.said({ channel: 'objects', about, text: description, cited, level: 'error', component: 'helm' });
  return next;
}

export const helmReader: BlockReader = {
  what: 'helm',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const line = (lines[from] ?? '').slice(0, 1200);
    if (FAILED.test(line) || (isTool(context, 'helm') && ANY.test(line))) return readError(lines, from, context, sink);
    if (LIST.test(line)) return readList(lines, from, context, sink);
    return line.startsWith('NAME: ') ? readStatus(lines, from, context, sink) : from;
  },
};
export const HELM_SIGN = /^\s{0,8}Error: |^NAME: |REVISION/;
