import { objectId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { barCells, isBarRule, isTool } from './command.ts';

const HEALTH = /^\s{0,8}(?<endpoint>[\w.:/[\]-]{3,200}) is (?<state>healthy|unhealthy): (?<text>.{1,1000})$/;
const ALARM = /^\s{0,8}memberID:(?<member>\d{1,20}) alarm:(?<alarm>[A-Z]{3,20})\s*$/;
const STATUS =
  /^\s{0,8}(?<endpoint>[\w.:/[\]-]{3,200}), (?<id>[0-9a-f]{8,16}), \d{1,3}\.\d{1,3}\.\d{1,3}\S{0,20}, (?<size>[\d.]{1,10} [kMGT]?i?B), (?<leader>true|false)(?:, (?:true|false))?, \d{1,20}, \d{1,20}(?:, \d{1,20}, ?(?<errors>.{0,500}))?$/;
const MEMBER = /^\s{0,8}(?<id>[0-9a-f]{8,16}), (?<state>started|unstarted), (?<name>[^,]{0,253}), (?<peers>https?:\/\/[^ ]{1,500}),/;
const FAILED = /^\s{0,8}Error: +(?<text>\S.{0,1000})$/;
const CLIENT_LOG =
  /^\s{0,8}\{"level":"(?:warn|error|fatal)",.{0,200}"(?:logger":"(?:etcd-)?client"|caller":"(?:clientv3|v3@|flags\/)|msg":"retrying of unary invoker)/;

interface Told {
  readonly endpoint: string;
  readonly status: string;
  readonly detail?: string;
  /** What etcd itself says is wrong. */
  readonly error?: string;
}

function toldBy(line: string): Told | undefined {
  const health = HEALTH.exec(line)?.groups;
  if (health) {
    const { endpoint = '', state = '', text = '' } = health;
    return state === 'healthy' ? { endpoint, status: state } : { endpoint, status: state, detail: text, error: line.trim() };
  }
  const alarm = ALARM.exec(line)?.groups;
  if (alarm) return { endpoint: alarm['member'] ?? '', status: `alarm ${alarm['alarm'] ?? ''}`, error: line.trim() };
  const status = STATUS.exec(line)?.groups;
  if (status) return ofStatus(status['endpoint'] ?? '', `DB SIZE ${status['size'] ?? ''}`, status['errors'] ?? '');
  const member = MEMBER.exec(line)?.groups;
  if (!member) return undefined;
  const name = member['name'] || member['peers'] || member['id'] || '';
  return { endpoint: name, status: member['state'] ?? '', detail: `peers ${member['peers'] ?? ''}` };
}

function ofStatus(endpoint: string, size: string, errors: string): Told {
  const text = errors.trim();
  const alarm = /alarm:(?<alarm>[A-Z]{3,20})/.exec(text)?.groups?.['alarm'];
  if (text === '') return { endpoint, status: 'up', detail: size };
  return { endpoint, status: alarm === undefined ? 'unhealthy' : `alarm ${alarm}`, detail: `${size}, ${text}`, error: text };
}

function emit({ endpoint, status, detail, error }: Told, at: number, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const about = objectId('EtcdMember', undefined, endpoint);
  const cited = citeLines(context.doc, lines, at);
  sink.fact('object.status', about, { status, ...(detail !== undefined ? { detail } : {}) }, cited);
  const said = { channel: 'control-plane-log', about, cited, component: 'etcd' } as const;
  if (error !== undefined) sink.said({ ...said, text: error, level: 'error' });
  else sink.said({ ...said, text: (lines[at] ?? '').slice(0, 2000).trim(), level: 'info' });
}

/** Rows of `-w table`; the header names the columns. */
function toldByCells(columns: readonly string[], cells: readonly string[]): Told | undefined {
  const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
  if (cells.length !== columns.length) return undefined;
  if (columns.includes('HEALTH')) {
    const error = cell('ERROR');
    return cell('HEALTH') === 'true'
      ? { endpoint: cell('ENDPOINT'), status: 'healthy' }
      : { endpoint: cell('ENDPOINT'), status: 'unhealthy', detail: error, error: `${cell('ENDPOINT')} is unhealthy: ${error}` };
  }
  if (columns.includes('ENDPOINT')) return ofStatus(cell('ENDPOINT'), `DB SIZE ${cell('DB SIZE')}`, cell('ERRORS'));
  return { endpoint: cell('NAME') || cell('PEER ADDRS') || cell('ID'), status: cell('STATUS'), detail: `peers ${cell('PEER ADDRS')}` };
}

function isHeader(cells: readonly string[]): boolean {
  const has = (...names: readonly string[]) => names.every((name) => cells.includes(name));
  return has('ENDPOINT', 'DB SIZE') || has('ENDPOINT', 'HEALTH') || has('ID', 'STATUS', 'PEER ADDRS');
}

function readTable(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const start = isBarRule(lines[from] ?? '') ? from + 1 : from;
  const columns = barCells(lines[start] ?? '');
  if (!columns || !isHeader(columns)) return from;
  let next = start + 1;
  for (; next < lines.length; next++) {
    if (isBarRule(lines[next] ?? '')) continue;
    const cells = barCells(lines[next] ?? '');
    const told = cells ? toldByCells(columns, cells) : undefined;
    if (!told) break;
    emit(told, next, lines, context, sink);
  }
  return next;
}

/** What the client logs while it tries: the error stands in a field. */
function tellClientLog(line: string, at: number, lines: readonly string[], context: Context, sink: ReadingSink): void {
  let text = line.trim();
  try {
    const { msg, error } = JSON.parse(text) as { readonly msg?: unknown; readonly error?: unknown };
    if (typeof msg === 'string') text = typeof error === 'string' ? `${msg}: ${error}` : msg;
  } catch {
    // Cut short: the line as it stands still holds the words.
  }
  const cited = citeLines(context.doc, lines, at);
  sink.said({
    channel: 'control-plane-log',
    about: objectId('EtcdMember', undefined, '?'),
    text,
    cited,
    level: 'warning',
    component: 'etcdctl',
  });
}

function readOne(lines: readonly string[], at: number, context: Context, sink: ReadingSink): boolean {
  const line = (lines[at] ?? '').slice(0, 4000);
  const told = toldBy(line);
  if (told) {
    emit(told, at, lines, context, sink);
    return true;
  }
  if (isTool(context, 'etcdctl') && CLIENT_LOG.test(line)) {
    tellClientLog(line, at, lines, context, sink);
    return true;
  }
  const failed = isTool(context, 'etcdctl') ? FAILED.exec(line)?.groups?.['text'] : undefined;
  if (failed === undefined) return false;
  const cited = citeLines(context.doc, lines, at);
  const level = failed === 'unhealthy cluster' ? 'info' : 'error';
  sink.said({
    channel: 'control-plane-log',
    about: objectId('EtcdMember', undefined, '?'),
    text: failed,
    cited,
    level,
    component: 'etcdctl',
  });
  return true;
}

/** `etcdctl endpoint status`, `endpoint health`, `alarm list` and `member list`, plain or as a table. */
export const etcdctlReader: BlockReader = {
  what: 'etcdctl',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const table = readTable(lines, from, context, sink);
    if (table > from) return table;
    let next = from;
    while (next < lines.length && readOne(lines, next, context, sink)) next++;
    return next;
  },
};
export const ETCDCTL_SIGN =
  /healthy: |alarm:|, (?:true|false|started|unstarted)[, ]|ENDPOINT|PEER ADDRS|^\s{0,8}(?:\+-|Error: |\{"level":")/;
