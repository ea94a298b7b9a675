import { objectId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { barCells, isBarRule, nodeOf } from './command.ts';

const PROCESS = /^\s{0,8}Calico process is (?<not>not )?running\.\s*$/;
const TITLE = /^\s{0,8}IPv[46] BGP status\s*$|^\s{0,8}No IPv[46] peers found\.\s*$/;
const COLUMNS = ['PEER ADDRESS', 'PEER TYPE', 'STATE', 'SINCE', 'INFO'];
const MOST_LINES = 2000;

interface Peer {
  readonly cells: string[];
  readonly first: number;
  last: number;
}

/** Long cells go on in the row below, whose first cells are empty. */
function readPeers(lines: readonly string[], from: number): { readonly peers: readonly Peer[]; readonly next: number } {
  const peers: Peer[] = [];
  let next = from;
  for (; next < Math.min(lines.length, from + MOST_LINES); next++) {
    const line = lines[next] ?? '';
    if (isBarRule(line)) continue;
    const cells = barCells(line);
    if (!cells || cells.length !== COLUMNS.length) break;
    if (cells[0] === COLUMNS[0]) continue;
    const open = peers.at(-1);
    if (cells[0] !== '') peers.push({ cells, first: next, last: next });
    else if (open) {
      for (const [index, cell] of cells.entries()) if (cell !== '') open.cells[index] = `${open.cells[index] ?? ''} ${cell}`.trim();
      open.last = next;
    }
  }
  return { peers, next };
}

function emitPeer({ cells, first, last }: Peer, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const [address = '', , state = '', , info = ''] = cells;
  const about = objectId('BgpPeer', undefined, address);
  const cited = citeLines(context.doc, lines, first, last);
  sink.fact('object.status', about, { status: state, detail: info }, cited);
  const text =
    first === last
      ? (lines[first] ?? '')
          .slice(0, 1000)
          .replace(/\s{0,400}\|\s*$/, '')
          .trim()
      : `| ${cells.join(' | ')}`;
  const level = state === 'up' ? 'info' : 'error';
  sink.said({ channel: 'host-state', about: nodeOf(context), text, cited, level, component: 'calicoctl' });
}

function read(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  if (context.channel !== undefined) return from;
  const line = (lines[from] ?? '').slice(0, 400);
  const process = PROCESS.exec(line);
  if (process) {
    const cited = citeLines(context.doc, lines, from);
    const level = process.groups?.['not'] === undefined ? 'info' : 'error';
    sink.said({ channel: 'host-state', about: nodeOf(context), text: line.trim(), cited, level, component: 'calicoctl' });
    return from + 1;
  }
  if (TITLE.test(line)) return from + 1;
  const header = barCells(lines[isBarRule(line) ? from + 1 : from] ?? '');
  if (!header || header.join() !== COLUMNS.join()) return from;
  const { peers, next } = readPeers(lines, from);
  for (const peer of peers) emitPeer(peer, lines, context, sink);
  sink.cover({ channel: 'host-state', about: nodeOf(context), extent: 'excerpt', doc: context.doc, lines: [from + 1, next] });
  return next;
}

/** `calicoctl node status` */
export const calicoctlReader: BlockReader = { what: 'calicoctl node status', read };
export const CALICOCTL_SIGN = /Calico process is|BGP status|No IPv[46] peers|PEER ADDRESS|^\s{0,8}\+-/;
