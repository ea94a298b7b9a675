import type { BlockReader } from '../../model/reading.ts';
import { MOST_TOLD, splitAddress, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, scopeOf } from './scope.ts';
import { isFiltered } from './text.ts';

const TITLE = /^IP Virtual Server version \S{1,20} \(size=\d{1,9}\)\s*$/;
const COLUMNS = /^(?:Prot LocalAddress:Port Scheduler Flags|\s{1,4}-> RemoteAddress:Port\s+Forward\s+Weight\s+ActiveConn\s+InActConn)\s*$/;
const SERVICE = /^(?<protocol>TCP|UDP|SCTP|FWM)\s{1,4}(?<address>\S{3,60}) (?<scheduler>[a-z]{2,8})(?:\s.{0,80})?$/;
const BACKEND = /^\s{1,4}-> (?<address>\S{3,60})\s+(?:Masq|Route|Tunnel|Local)\s+\d/;

interface Service {
  readonly protocol: string;
  readonly address: string;
  readonly line: number;
  backends: number;
}

function readServices(scope: Scope, from: number): { services: Service[]; end: number } {
  const services: Service[] = [];
  let end = from;
  for (; end < scope.lines.length; end++) {
    const line = (scope.lines[end] ?? '').slice(0, 300);
    const groups = SERVICE.exec(line)?.groups;
    const last = services.at(-1);
    if (groups)
      services.push({ protocol: (groups['protocol'] ?? '').toLowerCase(), address: groups['address'] ?? '', line: end, backends: 0 });
    else if (BACKEND.test(line) && last) last.backends++;
    else if (!TITLE.test(line) && !COLUMNS.test(line)) break;
  }
  return { services, end };
}

/** `ipvsadm -Ln`: the virtual services kube-proxy made, and how many backends each has. */
export const ipvsReader: BlockReader = {
  what: 'IPVS services',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 300);
    const titled = TITLE.test(first) || COLUMNS.test(first);
    if (insideContainer(context) || (!titled && !(SERVICE.test(first) && splitAddress(SERVICE.exec(first)?.groups?.['address'] ?? ''))))
      return from;
    const scope = scopeOf(lines, context, sink);
    const { services, end } = readServices(scope, from);
    const whole = titled && !isFiltered(context);
    for (const { protocol, address, line, backends } of services.slice(0, MOST_TOLD)) {
      const at = splitAddress(address);
      // Where grep has left only the services, nothing is known about their backends.
      if (at && (whole || backends > 0)) sink.fact('host.virtual-service', scope.node, { protocol, ...at, backends }, cite(scope, line));
    }
    if (whole) sink.fact('host.service-rules', scope.node, { mode: 'ipvs', services: services.length }, cite(scope, from));
    return takeLines(scope, from, end);
  },
};
