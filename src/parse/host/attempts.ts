import type { Reached } from '../../model/host-fact-kinds.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { type Attempt, originOf, reachedIn, type Target, targetOf } from './attempt-results.ts';

interface Pattern {
  readonly tool: string;
  readonly pattern: RegExp;
  readonly result?: Reached;
}

const HOST = '(?<host>[\\w.:%-]{1,253}?)';
const WHY = '(?<why>[^\\n]{1,200})';
const of = (tool: string, source: string, result?: Reached): Pattern => ({
  tool,
  pattern: new RegExp(source),
  ...(result ? { result } : {}),
});

/** One line each, as the programs print them; the groups say whom they tried and why it failed. */
const PATTERNS: readonly Pattern[] = [
  of('curl', `^curl: \\(7\\) Failed(?: to)? connect to \\[?${HOST}\\]?(?: port |:)(?<port>\\d{1,5})(?: after \\d{1,9} ms)?[:;] ${WHY}$`),
  of('curl', `^curl: \\(28\\) Failed to connect to \\[?${HOST}\\]? port (?<port>\\d{1,5})${WHY}$`, 'timed-out'),
  of('curl', '^curl: \\(28\\) [^\\n]{1,200}$', 'timed-out'),
  of('curl', `^curl: \\(6\\) (?:Could not|Couldn't) resolve host:? '?${HOST}'?(?:;.{0,80})?$`, 'unresolved'),
  of('curl', `^curl: \\(35\\) (?<why>[^\\n]{1,120}SSL_ERROR_SYSCALL) in connection to ${HOST}:(?<port>\\d{1,5})\\s{0,3}$`, 'reset'),
  of('curl', `^curl: \\((?:35|51|53|58|60|77|83)\\) ${WHY}$`),
  of('curl', `^curl: \\((?:7|52|55|56)\\) ${WHY}$`),
  of(
    'nc',
    `^nc: connect to \\[?${HOST}\\]?(?: \\([\\da-fA-F.:]{2,45}\\))? port (?<port>\\d{1,5}) \\((?:tcp|udp)\\) (?<why>(?:failed|timed out): [^\\n]{1,200})$`,
  ),
  of('nc', `^Connection to ${HOST}(?: \\([\\da-fA-F.:]{2,45}\\))? (?<port>\\d{1,5}) port \\[(?:tcp|udp)/[^\\]]{1,30}\\] succeeded!$`, 'ok'),
  of('nc', `^nc: ${HOST} \\((?<address>[\\da-fA-F.:]{2,45}):(?<port>\\d{1,5})\\): ${WHY}$`),
  of('nc', `^${HOST} \\((?<address>[\\da-fA-F.]{7,45}):(?<port>\\d{1,5})\\) open$`, 'ok'),
  of('nc', `^(?:${HOST} |\\(UNKNOWN\\) )\\[(?<address>[\\da-fA-F.:]{2,45})\\] (?<port>\\d{1,5}) \\([^)]{1,30}\\) ?: ${WHY}$`),
  of('nc', `^(?:nc|ncat|Ncat): (?:Connection |getaddrinfo|bad address|Could not resolve|No route|Network )${WHY}$`),
  of('nc', `^Ncat: Connected to \\[?(?<address>[\\da-fA-F.:]{2,45}?)\\]?:(?<port>\\d{1,5})\\.$`, 'ok'),
  of(
    'telnet',
    `^telnet: (?:connect to address \\[?${HOST}\\]?|Unable to connect to remote host|could not resolve ${'(?<name>[\\w.-]{1,253})'}(?:/\\S{1,20})?): ${WHY}$`,
  ),
  of(
    'telnet',
    `^telnet: (?:can't connect to remote host \\((?<address>[\\da-fA-F.:]{2,45})\\)|bad address '(?<name>[^']{1,253})'|Unable to connect to remote host)(?:: ${WHY})?$`,
  ),
  of(
    'wget',
    `^wget: (?:can't connect to remote host \\((?<address>[\\da-fA-F.:]{2,45})\\)|bad address '(?<name>[^']{1,253})'|download timed out|unable to resolve host address .(?<gnu>[\\w.-]{1,253}).|server returned error: HTTP/[\\d.]{1,3} (?<status>\\d{3}))${'(?<why>[^\\n]{0,200})'}$`,
  ),
  of(
    'wget',
    `^Connecting to ${HOST}(?: \\([^)]{1,60}\\)|\\|(?<address>[\\da-fA-F.:]{2,45})\\|):(?<port>\\d{1,5})\\.\\.\\. failed: ${WHY}$`,
  ),
  of('ssh', `^ssh: connect to host ${HOST} port (?<port>\\d{1,5}): ${WHY}$`),
  of('ssh', `^ssh: Could not resolve hostname ${HOST}: ${WHY}$`, 'unresolved'),
  of('bash', `^(?:-?bash|sh): (?:line \\d{1,6}: )?(?:connect: ${WHY}|/dev/tcp/${HOST}/(?<port>\\d{1,5}): (?<said>[^\\n]{1,200}))$`),
  of(
    'ping',
    `^ping6?: (?:unknown host (?<name>[\\w.-]{1,253})|bad address '(?<address>[^']{1,253})'|${HOST}: (?=Name|Temporary|No address|nodename)${WHY})$`,
    'unresolved',
  ),
  of('ping', `^(?:ping6?: )?connect: (?=Network|No route|Invalid)${WHY}$`),
  of('ping', `^ping6?: sendmsg: ${WHY}$`),
  of('mount', `^mount\\.nfs4?: (?=Connection|No route|Failed to resolve|Network)${WHY}$`),
  of('rpc', `^(?:clnt_create|rpcinfo|showmount): (?:${HOST}: )?(?:RPC: |can't contact portmapper: RPC: )${WHY}$`),
];

const LIKELY =
  /^(?:curl: \(|nc: |ncat: |Ncat: |telnet: |wget: |ssh: |ping6?: |connect: |-?bash: |sh: |mount\.nfs|clnt_create|rpcinfo|showmount|Connect(?:ion to|ing to) |\(UNKNOWN\) |\S{2,253} (?:\([\d.]{7,15}:\d{1,5}\) open$|\[[\d.]{7,15}\] ))/;

export interface Tried {
  readonly attempt: Attempt;
  readonly first: number;
  readonly last: number;
}

/** Tells an attempt, and says its line so that causes that know the words meet them. */
export function tellAttempt(lines: readonly string[], context: Context, sink: ReadingSink, { attempt, first, last }: Tried): void {
  const about = originOf(context);
  const cited = citeLines(context.doc, lines, first, last);
  sink.fact('net.attempt', about, attempt, cited);
  sink.cover({ channel: 'host-state', about, extent: 'excerpt', doc: context.doc, lines: [first + 1, last + 1] });
}

export function sayAttempt(lines: readonly string[], context: Context, sink: ReadingSink, line: number, failed: boolean): void {
  const text = (lines[line] ?? '').slice(0, 2000).trim();
  if (text === '') return;
  const about = originOf(context);
  const tool = /^\w{2,10}(?=:)/.exec(text)?.[0];
  sink.said({
    channel: 'host-tools',
    about,
    text,
    cited: citeLines(context.doc, lines, line),
    ...(failed ? {} : { level: 'info' as const }),
    ...(tool ? { component: tool } : {}),
  });
}

function attemptOf(
  groups: Readonly<Record<string, string | undefined>>,
  { tool, result }: Pattern,
  line: string,
  known: Target | undefined,
): Attempt | undefined {
  const host = groups['host'] ?? groups['name'] ?? groups['gnu'] ?? groups['address'] ?? known?.target;
  // Whom `curl: (52)` tried stands in the command, which was not pasted; that it failed is worth telling all the same.
  if (host === undefined && !/^(?:curl|wget|nc)$/.test(tool)) return undefined;
  const port = groups['port'] === undefined ? known?.port : Number(groups['port']);
  const { status, address } = groups;
  return {
    tool,
    target: host ?? '?',
    ...(port !== undefined ? { port } : {}),
    result: status ? 'ok' : (result ?? reachedIn(groups['why'] || groups['said'] || line)),
    ...(status ? { status: Number(status) } : {}),
    ...(address !== undefined && address !== host ? { address } : {}),
  };
}

const QUIET =
  /^(?:Trying |Escape character is|Connected to |Connection closed by foreign host|\s{0,4}% Total|\s{1,40}Dload|\s{0,3}\d{1,3}\s+\d)/;

/** What curl, nc, telnet, wget and ssh say when they do, or do not, get through. */
export const attemptReader: BlockReader = {
  what: 'attempt to connect',
  read(lines, from, context, sink) {
    const line = (lines[from] ?? '').slice(0, 600).trimEnd();
    if (context.channel !== undefined || !LIKELY.test(line)) return from;
    for (const entry of PATTERNS) {
      const groups = entry.pattern.exec(line)?.groups;
      if (!groups && !entry.pattern.test(line)) continue;
      const attempt = attemptOf(groups ?? {}, entry, line, targetOf(context) ?? triedAbove(lines, from));
      sayAttempt(lines, context, sink, from, entry.result !== 'ok');
      if (attempt) tellAttempt(lines, context, sink, { attempt, first: from, last: from });
      return from + 1;
    }
    return from;
  },
};

/** `Trying 10.0.0.1...` stands above what came of it. */
function triedAbove(lines: readonly string[], from: number): Target | undefined {
  for (let index = from - 1; index >= 0 && index >= from - 3; index--) {
    const host = /^(?:\*\s+)?Trying \[?(?<host>[\w.:-]{2,253}?)\]?(?::(?<port>\d{1,5}))?\.\.\./.exec(
      (lines[index] ?? '').slice(0, 300),
    )?.groups;
    if (host) return { target: host['host'] ?? '', ...(host['port'] ? { port: Number(host['port']) } : {}) };
  }
  return undefined;
}

const CONNECTED = /^Connected to (?<host>[\w.:-]{1,253}?)\.?$/;

/** `telnet` that got through, and the lines around. */
export const telnetReader: BlockReader = {
  what: 'telnet',
  read(lines, from, context, sink) {
    const line = (lines[from] ?? '').slice(0, 300).trimEnd();
    if (context.channel !== undefined || !QUIET.test(line) || !/\b(?:telnet|nc|ncat|curl)\b/.test(context.command ?? '')) return from;
    const host = CONNECTED.exec(line)?.groups?.['host'];
    if (host !== undefined) {
      const port = targetOf(context)?.port;
      const attempt: Attempt = { tool: 'telnet', target: host, ...(port !== undefined ? { port } : {}), result: 'ok' };
      tellAttempt(lines, context, sink, { attempt, first: from, last: from });
    }
    sayAttempt(lines, context, sink, from, false);
    return from + 1;
  },
};

const STATUS = /^<?\s?HTTP\/[\d.]{1,3} (?<status>\d{3})(?: [\w -]{0,60})?$/;

/** The status line under `curl -i`, `-I` or `-v`. */
export const httpStatusReader: BlockReader = {
  what: 'HTTP answer',
  read(lines, from, context, sink) {
    const status = /\b(?:curl|wget)\s/.test((context.command ?? '').slice(0, 400))
      ? STATUS.exec((lines[from] ?? '').slice(0, 120).trimEnd())?.groups?.['status']
      : undefined;
    const target = status === undefined ? undefined : targetOf(context);
    if (status === undefined || target === undefined) return from;
    const attempt: Attempt = { tool: 'curl', ...target, result: 'ok', status: Number(status) };
    tellAttempt(lines, context, sink, { attempt, first: from, last: from });
    sayAttempt(lines, context, sink, from, Number(status) >= 500);
    return from + 1;
  },
};
