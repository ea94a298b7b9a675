import { type EntityId, THIS_NODE } from '../../model/entity.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { originOf } from './attempt-results.ts';
import { takeLines } from './output.ts';
import { cite, insideContainer, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const LINE = /^(?<key>nameserver|search|domain|options)\s+(?<value>\S.{0,500})$/;
const COMMENT = /^\s{0,8}[#;]/;
const LINES = 60;

function readerOf(context: Context): EntityId {
  return insideContainer(context) ? originOf(context) : (context.node ?? THIS_NODE);
}

/** `/etc/resolv.conf` of a host or of a pod. */
export const resolverReader: BlockReader = {
  what: 'resolv.conf',
  read(lines, from, context, sink) {
    const asked = commandIs(context, /resolv(?:\.conf|conf)/);
    const first = (lines[from] ?? '').slice(0, 600).trim();
    if (!LINE.test(first) && !(asked && COMMENT.test(first))) return from;
    const found: Record<'nameserver' | 'search' | 'options', string[]> = { nameserver: [], search: [], options: [] };
    let end = from;
    for (let index = from; index < lines.length && index < from + LINES; index++) {
      const line = (lines[index] ?? '').slice(0, 600).trim();
      const groups = LINE.exec(line)?.groups;
      if (!groups && line !== '' && !COMMENT.test(line)) break;
      if (line !== '') end = index + 1;
      const key = groups?.['key'] === 'domain' ? 'search' : groups?.['key'];
      if (key === 'nameserver' || key === 'search' || key === 'options') found[key].push(...(groups?.['value'] ?? '').split(/\s+/, 32));
    }
    const { nameserver, search, options } = found;
    // `search` and `options` begin sentences, too.
    if (nameserver.length === 0 || !nameserver.every((server) => /^[\da-fA-F.:%\w]{3,60}$/.test(server))) return from;
    const scope = scopeOf(lines, context, sink, readerOf(context));
    const more = { ...(search.length > 0 ? { search } : {}), ...(options.length > 0 ? { options: options.join(' ') } : {}) };
    sink.fact('host.resolver', scope.node, { servers: nameserver, ...more }, cite(scope, from, end - 1));
    return takeLines(scope, from, end);
  },
};
