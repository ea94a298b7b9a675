import { type EntityId, podId, THIS_NODE } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { Reached } from '../../model/host-fact-kinds.ts';
import type { Context } from '../../model/reading.ts';

export type Attempt = FactKinds['net.attempt'];

const RESULTS: readonly (readonly [RegExp, Reached])[] = [
  [/refused|Destination Port Unreachable/i, 'refused'],
  [/No route to host|Host unreachable|Destination Host Unreachable/i, 'no-route'],
  [/Network (?:is )?unreachable|Destination Net Unreachable/i, 'unreachable'],
  [/prohibited|filtered|Operation not permitted/i, 'filtered'],
  [/reset by peer|Empty reply|closed by foreign host|unexpected eof|Connection closed/i, 'reset'],
  [/timed out|time-?out|TIMEOUT/i, 'timed-out'],
  [
    /resolve|Name or service not known|Temporary failure in name resolution|nodename nor servname|unknown host|bad address|No address associated|Name does not resolve|NXDOMAIN|SERVFAIL/i,
    'unresolved',
  ],
  [/certificate|SSL|TLS/i, 'untrusted'],
];

/** What the words of a program mean for whoever tried; `failed` when they do not say. */
export function reachedIn(words: string): Reached {
  return RESULTS.find(([pattern]) => pattern.test(words))?.[1] ?? 'failed';
}

export interface Target {
  readonly target: string;
  readonly port?: number;
}

const URL_IN = /\b(?<scheme>https?|tcp):\/\/(?:\[(?<six>[\da-fA-F:]{2,45})\]|(?<host>[\w.-]{1,253}))(?::(?<port>\d{1,5}))?/;
const HOST_AND_PORT = /\s(?<host>[\w.-]{2,253}|[\da-fA-F:]{3,45})(?:\s+|:)(?<port>\d{1,5})(?=\s|$|;|\|)/;
const HOST_ONLY = /\s(?<host>[A-Za-z0-9][\w.-]{1,252})\s*(?:[|;&>].{0,200})?$/;

/** The part of a command after `exec POD --`, where there is one. */
function innerCommand(command: string): string {
  const at = command.indexOf(' -- ');
  return at < 0 ? command : command.slice(at + 4);
}

/** Whom a typed command wants to reach; undefined when it does not show. */
export function targetOf(context: Context): Target | undefined {
  const command = innerCommand((context.command ?? '').slice(0, 600));
  const url = URL_IN.exec(command)?.groups;
  if (url) {
    const port = url['port'] === undefined ? { https: 443, http: 80 }[url['scheme'] ?? ''] : Number(url['port']);
    return { target: url['six'] ?? url['host'] ?? '', ...(port !== undefined ? { port } : {}) };
  }
  if (!/\b(?:curl|wget|nc|ncat|telnet|ping6?|nslookup|dig|host|ssh|traceroute|showmount|rpcinfo)\b/.test(command)) return undefined;
  const pair = HOST_AND_PORT.exec(command)?.groups;
  if (pair && !/\b(?:ping6?|nslookup|dig)\b/.test(command)) return { target: pair['host'] ?? '', port: Number(pair['port']) };
  const host = HOST_ONLY.exec(command)?.groups?.['host'];
  return host === undefined ? undefined : { target: host };
}

const EXEC = /\b(?:kubectl|oc|k)\s(?:.{0,200}\s)?(?:exec|rsh)\s(?<rest>.{1,300})$/;
const RUN = /\bkubectl\s(?:.{0,200}\s)?(?:run|debug)\s(?<rest>.{1,300})$/;
const TAKES_VALUE = /^(?:-n|--namespace|-c|--container|--image|--kubeconfig|--context|--restart|--overrides)$/;

function firstName(rest: string): string | undefined {
  const words = rest.split(' -- ', 1)[0]?.trim().split(/\s+/, 20) ?? [];
  const found = words.find((word, index) => !word.startsWith('-') && !TAKES_VALUE.test(words[index - 1] ?? ''));
  return found?.replace(/^(?:pods?|po)\//, '');
}

/** From where it was tried: the pod of an exec, else the host of the prompt. */
export function originOf(context: Context): EntityId {
  if (context.pod) return context.pod;
  const command = (context.command ?? '').slice(0, 600);
  const rest = EXEC.exec(command)?.groups?.['rest'] ?? RUN.exec(command)?.groups?.['rest'];
  const name = rest === undefined ? undefined : firstName(rest);
  if (name === undefined || !/^[a-z0-9][a-z0-9.-]{0,252}$/.test(name)) return context.node ?? THIS_NODE;
  const namespace = /(?:^|\s)(?:-n|--namespace)[ =]?(?<namespace>[a-z0-9][a-z0-9-]{0,62})(?=\s|$)/.exec(command)?.groups?.['namespace'];
  return podId(namespace ?? context.namespace, name);
}
