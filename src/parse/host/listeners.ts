import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { MOST_TOLD, splitAddress, takeLines } from './output.ts';
import { cite, insideContainer, scopeOf } from './scope.ts';

type Listener = FactKinds['host.listener'];

const HEADER =
  /^\s{0,8}(?:(?:Netid\s+)?State\s+Recv-Q\s+Send-Q\s+Local Address:\s?Port|Proto\s+Recv-Q\s+Send-Q\s+Local Address\s+Foreign Address|Active Internet connections|COMMAND\s+PID\s+(?:TID\s+(?:TASKCMD\s+)?)?USER\s+FD\s+TYPE\s+DEVICE\s+SIZE\/OFF\s+NODE\s+NAME)/;
const NETSTAT =
  /^\s{0,8}(?<protocol>tcp|udp)[46]?\s+\d{1,9}\s+\d{1,9}\s+(?<local>\S{1,90})\s+\S{1,90}(?:\s+(?<state>[A-Z_0-9]{3,12}))?(?:\s+(?:(?<pid>\d{1,9})\/(?<process>[\w.:@/-]{1,60})|-))?.{0,60}$/;
const SOCKETS =
  /^\s{0,8}(?:(?<protocol>tcp|udp)\s+)?(?<state>LISTEN|UNCONN|ESTAB|TIME-WAIT|CLOSE-WAIT|SYN-SENT|SYN-RECV|FIN-WAIT-[12]|LAST-ACK|CLOSING)\s+\d{1,9}\s+\d{1,9}\s+(?<local>\S{1,90})\s+\S{1,90}(?:\s+(?<users>users:.{0,600}))?.{0,60}$/;
const USER = /^users:\(\("(?<process>[^"]{1,60})",(?:pid=)?(?<pid>\d{1,9})/;
const OPEN_FILE =
  /^\s{0,8}(?<process>[\w.:/-]{1,40})\s+(?<pid>\d{1,9})\s.{1,120}?\bIPv[46]\s+\S{1,30}\s+\S{1,12}\s+(?<protocol>TCP|UDP)\s+(?<local>\S{1,90}?)(?:->\S{1,90})?(?:\s+\((?<state>[A-Z_]{3,12})\))?\s*$/;

interface Row {
  /** Absent where nobody listens on it. */
  readonly listener?: Listener;
}

function rowOf(line: string): Row | undefined {
  const netstat = NETSTAT.exec(line)?.groups;
  const groups = netstat ?? SOCKETS.exec(line)?.groups ?? OPEN_FILE.exec(line)?.groups;
  if (!groups) return undefined;
  const udp = /udp/i.test(groups['protocol'] ?? '') || groups['state'] === 'UNCONN';
  const listens = udp ? !/^(?:ESTAB|ESTABLISHED)$/.test(groups['state'] ?? '') : groups['state'] === 'LISTEN';
  const at = listens ? splitAddress(groups['local'] ?? '') : undefined;
  if (!at) return {};
  const user = groups['users'] === undefined ? groups : USER.exec(groups['users'])?.groups;
  const process = user?.['process']?.replace(/:$/, '');
  return {
    listener: {
      protocol: udp ? 'udp' : 'tcp',
      ...at,
      ...(process ? { process } : {}),
      ...(user?.['pid'] ? { pid: Number(user['pid']) } : {}),
    },
  };
}

/** `ss -lntp`, `netstat -lntp`, `lsof -i`: who listens where. */
export const listenerReader: BlockReader = {
  what: 'sockets',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 900);
    if (insideContainer(context) || (!HEADER.test(first) && !rowOf(first))) return from;
    const scope = scopeOf(lines, context, sink);
    let told = 0;
    let end = from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 900);
      const row = rowOf(line);
      if (!row && !HEADER.test(line)) break;
      if (row?.listener && told++ < MOST_TOLD) sink.fact('host.listener', scope.node, row.listener, cite(scope, end));
    }
    return takeLines(scope, from, end);
  },
};
