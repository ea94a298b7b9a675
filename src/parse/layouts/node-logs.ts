import { type EntityId, nodeId } from '../../model/entity.ts';
import type { BlockReader } from '../../model/reading.ts';
import { logReader } from '../logs/log-reader.ts';
import { shifted } from '../segment.ts';

/** `<node> Nov 16 10:00:01.123456 <host> kubelet[1]: …`, as `oc adm node-logs --role=master` prints for several nodes. */
const PREFIXED =
  /^(?<node>[a-z0-9][a-z0-9.-]{1,252}) (?=[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [a-z0-9][\w.-]{0,252} [\w@().-]{1,80}(?:\[\d{1,10}\])?: )/;

/** The node a line stands under, and the line itself. */
export function underNode(line: string): { readonly node: EntityId; readonly text: string } | undefined {
  const match = PREFIXED.exec(line.slice(0, 700));
  const node = match?.groups?.['node'];
  return match && node !== undefined ? { node: nodeId(node), text: line.slice(match[0].length) } : undefined;
}

/** Journals of several nodes, each line under the name of its node. */
export const nodeLogReader: BlockReader = {
  what: 'journals of several nodes',
  read(lines, from, context, sink) {
    const first = PREFIXED.exec((lines[from] ?? '').slice(0, 700));
    const node = first?.groups?.['node'];
    if (first === null || node === undefined) return from;
    const own: string[] = [];
    for (let index = from; index < lines.length; index++) {
      const line = lines[index] ?? '';
      if (PREFIXED.exec(line.slice(0, 700))?.groups?.['node'] !== node) break;
      own.push(line.slice(first[0].length));
    }
    const read = logReader.read(own, 0, { ...context, node: nodeId(node) }, shifted(sink, from));
    return from + read;
  },
};
