import { UNKNOWN } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { entityId } from './kinds.ts';
import { isName, viewFrom } from './lines.ts';
import { scopeOf } from './scope.ts';

const HEADER = /^\s{0,12}Resource\s{1,60}Used\s{1,40}Hard\s*$/;
const RULE = /^\s{0,12}-{2,60}\s{1,60}-{2,40}\s{1,40}-{2,40}\s*$/;
const ROW = /^\s{0,12}(?<resource>[a-z][\w./-]{1,120})\s{1,60}(?<used>\d[\w.]{0,30})\s{1,40}(?<hard>\d[\w.]{0,30})\s*$/;
const MOST_ROWS = 200;

/** Name and namespace stand in the few lines above. */
function quotaAbove(lines: readonly string[], from: number, context: Context): string {
  let name: string | undefined;
  let namespace = scopeOf(context).namespace;
  for (let index = from - 1; index >= Math.max(0, from - 4); index--) {
    const groups = /^\s{0,12}(?<key>Name|Namespace|Resource Quotas?):\s{0,60}(?<value>\S{1,253})\s*$/.exec(
      (lines[index] ?? '').slice(0, 400),
    )?.groups;
    if (groups?.['key'] === 'Name') name ??= groups['value'];
    if (groups?.['key'] === 'Namespace') namespace = groups['value'] ?? namespace;
  }
  return entityId('ResourceQuota', namespace, name !== undefined && isName(name) ? name : UNKNOWN);
}

function read(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  if (!HEADER.test(view.at(from).slice(0, 300))) return from;
  const about = quotaAbove(lines, from, context);
  const used: string[] = [];
  let full = false;
  let next = from + 1;
  for (; next < Math.min(view.count, from + MOST_ROWS); next++) {
    const line = view.at(next).slice(0, 400);
    const groups = ROW.exec(line)?.groups;
    if (!groups && !RULE.test(line)) break;
    if (!groups) continue;
    full ||= groups['used'] === groups['hard'];
    used.push(`${groups['resource'] ?? ''} ${groups['used'] ?? ''}/${groups['hard'] ?? ''}`);
    sink.said({
      channel: 'objects',
      about,
      text: line.trim(),
      cited: citeLines(context.doc, lines, next),
      level: 'info',
      component: 'kubectl',
    });
  }
  if (used.length === 0) return from;
  sink.fact(
    'object.status',
    about,
    { status: full ? 'full' : 'free', detail: used.join(', ') },
    citeLines(context.doc, lines, from, next - 1),
  );
  return next;
}

/** What is used of a quota, as describe shows it. */
export const quotaReader: BlockReader = { what: 'kubectl describe quota', read };
