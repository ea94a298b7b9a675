import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { prefixOf } from './interfaces.ts';
import { MOST_TOLD, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, scopeOf } from './scope.ts';
import { commandIs, isElision, isFiltered } from './text.ts';

type Route = FactKinds['host.route'];

const ADDRESS = '[\\da-fA-F.:]{2,45}(?:/\\d{1,3})?';
const ROUTE = new RegExp(
  `^\\s{0,8}(?:(?<type>blackhole|unreachable|prohibit|throw) )?(?<destination>default|${ADDRESS}) (?=(?:via|dev|proto|metric|scope|src|nhid)\\b)(?<rest>.{1,300})$`,
);
const VIA = /\bvia (?:inet6? )?(?<via>[\da-fA-F.:]{2,45})\b/;
const DEVICE = /\bdev (?<device>[\w.@-]{1,40})/;
const HOP = /^\s{1,12}nexthop via (?<via>[\da-fA-F.:]{2,45}) dev (?<device>[\w.-]{1,40})/;
const TABLE = /^\s{0,8}Destination\s+Gateway\s+(?:Genmask|Next Hop)\s+Flags\s/;
const ROW =
  /^\s{0,8}(?<destination>default|[\d.]{7,15})\s+(?<via>\*|_gateway|gateway|[\w.-]{1,80})\s+(?<mask>[\d.]{7,15})\s+(?<flags>[UGHRDMAC!]{1,8})\s.{1,120}?(?<device>[\w.*@-]{1,40}|-)\s*$/;
const NEIGHBOUR = /\blladdr\b|\b(?:REACHABLE|STALE|FAILED|INCOMPLETE|DELAY|PROBE|PERMANENT|NOARP)\s*$/;
const WHOLE = /^(?:sudo )?ip(?: -4)? r(?:o(?:u(?:te?)?)?)?(?: (?:s(?:how?)?|l(?:i(?:st?)?)?))?$/;
const NO_PREFIX = /^(?:\d{1,3}\.){3}\d{1,3}$|^[\da-fA-F:]+$/;

function plain(destination: string): string {
  return destination === '0.0.0.0/0' || destination === '::/0' ? 'default' : destination;
}

function routeOf(line: string): Route | undefined {
  const groups = ROUTE.exec(line)?.groups;
  if (!groups || NEIGHBOUR.test(line)) return undefined;
  const { type, destination = '', rest = '' } = groups;
  const via = VIA.exec(rest)?.groups?.['via'];
  const device = DEVICE.exec(rest)?.groups?.['device'];
  // `from` a rule or a bare pair of words is no route without a device, a gateway or a verdict.
  if (via === undefined && device === undefined && type === undefined && destination !== 'default') return undefined;
  return {
    destination: plain(destination),
    present: true,
    ...(via !== undefined ? { via } : {}),
    ...(device !== undefined ? { device } : {}),
    ...(type === 'blackhole' || type === 'unreachable' || type === 'prohibit' ? { type } : {}),
  };
}

function rowOf(line: string): Route | undefined {
  const groups = ROW.exec(line)?.groups;
  if (!groups) return undefined;
  const { destination = '', via = '', mask = '', flags = '', device = '' } = groups;
  const prefix = prefixOf(mask);
  const gateway = flags.includes('G') && /^[\d.]{7,15}$/.test(via) ? via : undefined;
  return {
    destination: destination === 'default' || prefix === 0 ? 'default' : prefix === 32 ? destination : `${destination}/${prefix}`,
    present: true,
    ...(gateway !== undefined ? { via: gateway } : {}),
    ...(/^\w/.test(device) ? { device } : {}),
    ...(flags.includes('!') ? { type: 'unreachable' as const } : {}),
  };
}

function readRoutes(
  scope: Scope,
  from: number,
  parse: (line: string) => Route | undefined,
): { end: number; isDefault: boolean; cut: boolean } {
  let told = 0;
  let isDefault = false;
  let cut = false;
  let end = from;
  for (; end < scope.lines.length; end++) {
    const line = (scope.lines[end] ?? '').slice(0, 500);
    const route = parse(line);
    if (!route && !HOP.test(line) && !isElision(line)) break;
    if (isElision(line)) cut = true;
    if (!route) continue;
    isDefault ||= route.destination === 'default';
    // Each pod has a route of its own; those to whole networks and the refusing ones tell.
    if ((NO_PREFIX.test(route.destination) && route.via === undefined && route.type === undefined) || told++ >= MOST_TOLD) continue;
    scope.sink.fact('host.route', scope.node, route, cite(scope, end));
  }
  return { end, isDefault, cut };
}

/** `ip route`, `route -n`, `netstat -rn`. */
export const routeReader: BlockReader = {
  what: 'routes',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 500);
    const titled = /^\s{0,8}Kernel IP routing table\s*$/.test(first);
    const table = TABLE.test(titled ? (lines[from + 1] ?? '').slice(0, 200) : first);
    if (insideContainer(context) || (!table && !routeOf(first))) return from;
    const scope = scopeOf(lines, context, sink);
    const start = table ? from + (titled ? 2 : 1) : from;
    const { end, isDefault, cut } = readRoutes(scope, start, table ? rowOf : routeOf);
    const whole = table ? !isFiltered(context) : commandIs(context, WHOLE);
    if (whole && !isDefault && !cut && end > start) {
      sink.fact('host.route', scope.node, { destination: 'default', present: false }, cite(scope, start));
    }
    return takeLines(scope, from, end);
  },
};
