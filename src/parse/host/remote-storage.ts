import type { BlockReader, Context } from '../../model/reading.ts';
import { MOST_TOLD, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, scopeOf } from './scope.ts';
import { isBlank } from './text.ts';

const SESSION = /^(?:tcp|iser|\w{2,12}): \[\d{1,6}\] (?<portal>\S{3,80}) (?<target>(?:iqn|eui|naa)\.\S{1,230})(?: \(.{1,40}\))?\s*$/;
const TARGET = /^Target: (?<target>(?:iqn|eui|naa)\.\S{1,230})(?: \(.{1,40}\))?\s*$/;
const PORTAL = /^\s{1,40}(?:Current|Persistent) Portal: (?<portal>\S{3,80})\s*$/;
const STATE = /^\s{1,40}iSCSI (?:Connection|Session) State: (?<state>\S.{0,60})$/;
const TITLE = /^iSCSI Transport Class version/;

interface Session {
  readonly target: string;
  readonly line: number;
  portal?: string;
  state?: string;
}

function readDetails(scope: Scope, from: number): { sessions: Session[]; end: number } {
  const sessions: Session[] = [];
  let end = from;
  for (; end < scope.lines.length; end++) {
    const line = (scope.lines[end] ?? '').slice(0, 400);
    const target = TARGET.exec(line)?.groups?.['target'];
    const last = sessions.at(-1);
    if (target !== undefined) sessions.push({ target, line: end });
    else if (!/^\s{1,60}\S/.test(line) && !TITLE.test(line) && !/^version \d/.test(line)) break;
    if (!last || target !== undefined) continue;
    const portal = PORTAL.exec(line)?.groups?.['portal'];
    const state = STATE.exec(line)?.groups?.['state']?.trim();
    if (portal !== undefined) last.portal = portal;
    // Of connection and session the one that is not well counts.
    if (state !== undefined && (last.state === undefined || /^LOGGED.IN$/.test(last.state))) last.state = state;
  }
  return { sessions, end };
}

/** `iscsiadm -m session`, also with `-P 1` to `-P 3`. */
export const iscsiReader: BlockReader = {
  what: 'iSCSI sessions',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 400);
    const listed = SESSION.test(first);
    if (insideContainer(context) || (!listed && !TARGET.test(first) && !TITLE.test(first))) return from;
    const scope = scopeOf(lines, context, sink);
    if (!listed) {
      const { sessions, end } = readDetails(scope, from);
      for (const { line, ...session } of sessions.slice(0, MOST_TOLD))
        sink.fact('host.iscsi-session', scope.node, session, cite(scope, line));
      return end > from ? takeLines(scope, from, end) : from;
    }
    let end = from;
    for (; end < lines.length; end++) {
      const groups = SESSION.exec((lines[end] ?? '').slice(0, 400))?.groups;
      if (!groups) break;
      const session = { target: groups['target'] ?? '', portal: groups['portal'] ?? '' };
      if (end - from < MOST_TOLD) sink.fact('host.iscsi-session', scope.node, session, cite(scope, end));
    }
    return takeLines(scope, from, end);
  },
};

const EXPORTS = /^Exports? list (?:for|on) (?<server>\S{1,253}):\s*$/;
const EXPORT = /^(?<path>\/\S{0,400})\s+(?<clients>\(everyone\)|\S.{0,600})$/;

function serverIn(context: Context): string | undefined {
  return /\bshowmount\s(?:.{0,60}\s)?-\w{0,4}\s+(?<server>[\w.:-]{1,253})\s*$/.exec((context.command ?? '').slice(0, 400))?.groups?.[
    'server'
  ];
}

/** `showmount -e SERVER`: what an NFS server exports, and to whom. */
export const exportReader: BlockReader = {
  what: 'NFS exports',
  read(lines, from, context, sink) {
    const server = EXPORTS.exec((lines[from] ?? '').slice(0, 300))?.groups?.['server'];
    if (server === undefined || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from + 1;
    for (; end < lines.length && !isBlank(lines[end] ?? ''); end++) {
      const groups = EXPORT.exec((lines[end] ?? '').slice(0, 1100))?.groups;
      if (!groups) break;
      const payload = { path: groups['path'] ?? '', clients: (groups['clients'] ?? '').trim(), server: serverIn(context) ?? server };
      if (end - from < MOST_TOLD) sink.fact('host.export', scope.node, payload, cite(scope, end));
    }
    return takeLines(scope, from, end);
  },
};
