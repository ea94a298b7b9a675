import type { BlockReader } from '../../model/reading.ts';
import { type Attempt, reachedIn, targetOf } from './attempt-results.ts';
import { sayAttempt, tellAttempt } from './attempts.ts';
import { isBlank, isBoundary } from './text.ts';

const PING = /^PING (?<host>[\w.:%-]{1,253}) ?\((?<address>[\da-fA-F.:%\w-]{2,80})\)/;
const REPLY =
  /^(?:\d{1,6} bytes from |From \S{1,253} icmp_seq[= ]\d|\^C|--- |rtt min|round-trip|ping: sendmsg|Request timeout|\d{1,9} packets? )/;
const LOST = /^(?<sent>\d{1,9}) packets? transmitted, (?<received>\d{1,9})(?: packets)? received/;
const REFUSED = /^From \S{1,253} icmp_seq[= ]\d{1,9} (?<why>.{1,120})$/;

/** `ping`: from its first line to its summary, where it has one. */
export const pingReader: BlockReader = {
  what: 'ping',
  read(lines, from, context, sink) {
    const groups = PING.exec((lines[from] ?? '').slice(0, 400))?.groups;
    if (!groups || context.channel !== undefined) return from;
    const { host = '', address = '' } = groups;
    let result: Attempt['result'] | undefined;
    let last = from;
    for (let index = from + 1; index < lines.length; index++) {
      const line = (lines[index] ?? '').slice(0, 300);
      if (isBlank(line)) continue;
      if (!REPLY.test(line)) break;
      last = index;
      const lost = LOST.exec(line)?.groups;
      const why = REFUSED.exec(line)?.groups?.['why'];
      if (/^\d{1,6} bytes from /.test(line)) result = 'ok';
      else if (why !== undefined && result !== 'ok') result = reachedIn(why);
      else if (lost && lost['received'] === '0' && lost['sent'] !== '0') result ??= 'timed-out';
    }
    for (let index = from; index <= last; index++)
      sayAttempt(
        lines,
        context,
        sink,
        index,
        result !== 'ok' && /unreachable|prohibited|filtered|100% packet loss/i.test(lines[index] ?? ''),
      );
    const attempt = { tool: 'ping', target: host, ...(address !== host ? { address } : {}) };
    if (result !== undefined) tellAttempt(lines, context, sink, { attempt: { ...attempt, result }, first: from, last });
    return last + 1;
  },
};

const SERVER = /^Server:\s+(?<server>[\w.:-]{1,253})\s*$/;
const ADDRESS = /^Address(?: \d{1,3})?:\s+(?<address>[\da-fA-F.:]{2,45})(?:#\d{1,5}|:53)?(?:\s+(?<name>\S{1,253}))?\s*$/;
const NAME = /^Name:\s+(?<name>[\w.-]{1,253})\s*$/;
const NOT_FOUND =
  /^\*\* server can't find (?<name>[\w.-]{1,253}?): (?<why>[A-Z]{3,20})|^nslookup: can't resolve '(?<busy>[^']{1,253})'|^\*\*\* Can't find (?<old>[\w.-]{1,253}): |^Host (?<host>[\w.-]{1,253}) not found: \d{1,2}\((?<code>[A-Z]{3,20})\)/;
const NO_ANSWER =
  /^;; (?:connection timed out; (?:no servers could be reached|trying next origin)|communications error to (?<server>[\w.:-]{1,253}?)#\d{1,5}: (?<why>.{1,80})|Got SERVFAIL reply|reply from unexpected source)/;
const LOOKUP =
  /^(?:Host \S{1,253} not found: |Server:|Address|Name:|\*\*|;; |nslookup: |Non-authoritative answer|command terminated with exit code \d|\S{1,253}\s+canonical name = |\*\*\* )/;

interface Lookup {
  server?: string;
  target?: string;
  address?: string;
  result?: Attempt['result'];
}

function takeLookup(found: Lookup, line: string): void {
  const missing = NOT_FOUND.exec(line)?.groups;
  const silent = NO_ANSWER.exec(line)?.groups;
  // BusyBox does not find the name of the server itself; that says nothing about the name asked for.
  if (missing?.['busy'] === '(null)') return;
  if (missing) {
    found.target ??= missing['name'] ?? missing['busy'] ?? missing['old'] ?? missing['host'] ?? '';
    found.result ??= (missing['why'] ?? missing['code']) === 'REFUSED' ? 'refused' : 'unresolved';
  } else if (silent || NO_ANSWER.test(line)) {
    found.result = /refused/.test(silent?.['why'] ?? '') ? 'refused' : /SERVFAIL/.test(line) ? 'unresolved' : 'timed-out';
    if (silent?.['server']) found.server ??= silent['server'];
  }
  const name = NAME.exec(line)?.groups?.['name'];
  if (name !== undefined) {
    found.target = name;
    // BusyBox tries every domain of the search list and prints those that fail beside the one that answers.
    if (found.result === 'unresolved') delete found.result;
  }
  const server = SERVER.exec(line)?.groups?.['server'];
  if (server !== undefined) found.server ??= server;
  const address = ADDRESS.exec(line)?.groups?.['address'];
  if (address === undefined || found.target === undefined || found.result !== undefined) return;
  found.address = address;
  found.result = 'ok';
}

/** `nslookup`, of BIND and of BusyBox. */
export const lookupReader: BlockReader = {
  what: 'name lookup',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 400);
    const starts =
      (SERVER.test(first) && ADDRESS.test((lines[from + 1] ?? '').slice(0, 400))) || NOT_FOUND.test(first) || NO_ANSWER.test(first);
    if (!starts || context.channel !== undefined) return from;
    const found: Lookup = {};
    let last = from;
    for (let index = from; index < lines.length; index++) {
      const line = (lines[index] ?? '').slice(0, 400);
      if (isBlank(line)) continue;
      if (!LOOKUP.test(line) || isBoundary(line) || (index > from && SERVER.test(line))) break;
      takeLookup(found, line);
      last = index;
    }
    for (let index = from; index <= last; index++) {
      const line = (lines[index] ?? '').slice(0, 400);
      if (isBlank(line) || (found.result === 'ok' && NOT_FOUND.test(line))) continue;
      sayAttempt(lines, context, sink, index, !line.includes("'(null)'") && (NOT_FOUND.test(line) || NO_ANSWER.test(line)));
    }
    const target = found.target ?? targetOf(context)?.target;
    if (target !== undefined && found.result !== undefined) {
      const { server, address, result } = found;
      const attempt = { tool: 'nslookup', target, result, ...(address ? { address } : {}), ...(server ? { server } : {}) };
      tellAttempt(lines, context, sink, { attempt, first: from, last });
    }
    return last + 1;
  },
};

const DIG = /^; <<>> DiG .{1,100}? <<>> (?<asked>.{0,300})$/;
const DIG_STATUS = /^;; ->>HEADER<<- opcode: \w{1,12}, status: (?<status>[A-Z]{3,20}), id: \d/;
const DIG_SERVER = /^;; SERVER: (?<server>[\da-fA-F.:]{2,45})#\d/;
const QUESTION = /^;(?<name>[\w.-]{1,253})\.?\s+(?:CH|IN)\s+[A-Z0-9]{1,10}\s*$/;
const ANSWER = /^(?<name>[\w.-]{1,253})\s+\d{1,9}\s+IN\s+(?:A|AAAA)\s+(?<address>[\da-fA-F.:]{2,45})\s*$/;
const DIG_LINE = /^;|^[\w.*-]{1,253}\s+\d{1,9}\s+IN\s/;

/** `dig` */
export const digReader: BlockReader = {
  what: 'dig',
  read(lines, from, context, sink) {
    const asked = DIG.exec((lines[from] ?? '').slice(0, 500))?.groups?.['asked'];
    if (asked === undefined || context.channel !== undefined) return from;
    let [last, name, server, status, address] = [from, '', '', '', ''];
    let silent = false;
    for (let index = from; index < lines.length; index++) {
      const line = (lines[index] ?? '').slice(0, 500);
      if (isBlank(line)) continue;
      if (!DIG_LINE.test(line) || (index > from && DIG.test(line))) break;
      name = QUESTION.exec(line)?.groups?.['name']?.replace(/\.$/, '') ?? name;
      server = DIG_SERVER.exec(line)?.groups?.['server'] ?? server;
      status = DIG_STATUS.exec(line)?.groups?.['status'] ?? status;
      address ||= ANSWER.exec(line)?.groups?.['address'] ?? '';
      silent ||= NO_ANSWER.test(line);
      sayAttempt(lines, context, sink, index, NO_ANSWER.test(line) || /status: (?:SERVFAIL|REFUSED)/.test(line));
      last = index;
    }
    const target = name || asked.split(/\s+/, 10).find((word) => /^[a-z0-9][\w.-]{1,252}$/i.test(word));
    const result = silent
      ? 'timed-out'
      : status === 'NOERROR'
        ? address
          ? 'ok'
          : 'unresolved'
        : status === 'REFUSED'
          ? 'refused'
          : 'unresolved';
    const at = server || /@(?<server>[\w.:-]{2,253})/.exec(asked)?.groups?.['server'];
    const attempt: Attempt = { tool: 'dig', target: target ?? '?', result, ...(address ? { address } : {}), ...(at ? { server: at } : {}) };
    if (silent || status !== '') tellAttempt(lines, context, sink, { attempt, first: from, last });
    return last + 1;
  },
};
