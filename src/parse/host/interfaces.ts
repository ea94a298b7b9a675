import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { MOST_TOLD, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, scopeOf } from './scope.ts';
import { isBlank, isBoundary, isElision, isFiltered } from './text.ts';

type Interface = FactKinds['host.interface'];

interface Found {
  readonly name: string;
  readonly line: number;
  readonly addresses: string[];
  state?: 'up' | 'down';
  carrier?: boolean;
  mtu?: number;
}

const NAME = '[A-Za-z0-9][\\w.-]{0,30}';
const IP_HEAD = new RegExp(
  `^\\s{0,12}(?:(?<index>\\d{1,5}): )(?<name>${NAME})(?:@[\\w.-]{1,40})?: <(?<flags>[A-Z0-9_,-]{0,200})>(?<rest>.{0,400})$`,
);
const IFCONFIG_HEAD = new RegExp(`^(?<name>${NAME}): flags=\\d{1,6}<(?<flags>[A-Z0-9_,-]{0,200})>(?<rest>.{0,200})$`);
const OLD_HEAD = new RegExp(`^(?<name>${NAME})\\s{1,12}Link encap:\\S.{0,200}$`);
const ONE_LINE = new RegExp(
  `^\\s{0,12}\\d{1,5}: (?<name>${NAME})(?:@[\\w.-]{1,40})?\\s{1,30}inet6? (?<address>[\\da-fA-F.:]{2,45}/\\d{1,3}) .{0,300}scope `,
);
const BRIEF = new RegExp(
  `^(?<name>${NAME})(?:@[\\w.-]{1,40})?\\s{2,30}(?<state>UP|DOWN|UNKNOWN|LOWERLAYERDOWN)\\s{2,30}(?<rest>(?:[\\da-fA-F.:]{2,45}/\\d{1,3}|(?:[\\da-f]{2}:){5}[\\da-f]{2}).{0,400}|)$`,
);
const DETAIL =
  /^\s*(?:link\/|inet6? |valid_lft|altname |alias |ether |loop |unspec |tunnel |RX[ :]|TX[ :]|collisions:|device |inet addr:|inet6 addr:|UP |BROADCAST|vxlan |bridge|veth|vlan |bond|ipip |dummy|ipvlan|macvlan|promiscuity|Interrupt:)|^\s{4,}\S/;
const ABSENT =
  /^\s{0,12}(?:Device "(?<device>[\w.@-]{1,40})" does not exist\.|Cannot find device "(?<found>[\w.@-]{1,40})"|(?<shown>[\w.-]{1,40}): error fetching interface information: Device not found|bridge (?<bridge>[\w.-]{1,40}) does not exist!)/;
/** Ends of pods' own links: there is one per pod, and none of them tells anything alone. */
const OF_PODS = /^(?:veth|cali[0-9a-f]|lxc[0-9a-f_]|tap|eni[0-9a-f]{6}|azv|gke[0-9a-f]|vnet\d)/;
/** Whether these are there tells which network plugin has set up the node. */
const EXPECTED = ['cni0', 'flannel.1'] as const;

function headAt(line: string): { groups: Readonly<Record<string, string | undefined>>; listed: boolean } | undefined {
  const ip = IP_HEAD.exec(line)?.groups;
  if (ip) return { groups: ip, listed: true };
  const groups = IFCONFIG_HEAD.exec(line)?.groups ?? OLD_HEAD.exec(line)?.groups;
  return groups ? { groups, listed: false } : undefined;
}

function started(groups: Readonly<Record<string, string | undefined>>, line: number): Found {
  const { flags, rest = '' } = groups;
  const found: Found = { name: groups['name'] ?? '', line, addresses: [] };
  takeState(found, flags === undefined ? undefined : flags.split(','), rest);
  return found;
}

function takeState(found: Found, flags: readonly string[] | undefined, rest: string): void {
  const mtu = /\b(?:mtu |MTU:)(?<mtu>\d{2,6})\b/.exec(rest)?.groups?.['mtu'];
  if (mtu !== undefined) found.mtu = Number(mtu);
  const state = /\bstate (?<state>[A-Z]{2,20})\b/.exec(rest)?.groups?.['state'];
  const up = flags?.includes('UP');
  if (state === 'UP' || state === 'DOWN' || state === 'LOWERLAYERDOWN') found.state = state === 'UP' ? 'up' : 'down';
  else if (up !== undefined) found.state = up ? 'up' : 'down';
  if (flags?.includes('NO-CARRIER')) found.carrier = false;
  else if (flags?.includes('LOWER_UP') || flags?.includes('RUNNING')) found.carrier = true;
}

const NETMASK = /inet (?:addr:)?(?<address>[\d.]{7,15})\s.{0,60}?(?:netmask |Mask:)(?<mask>[\d.]{7,15}|0x[\da-f]{8})/;
const ADDRESS = /^\s*inet6? (?<address>[\da-fA-F.:]{2,45}\/\d{1,3})\b/;

function takeDetail(found: Found, line: string): void {
  const plain = ADDRESS.exec(line)?.groups?.['address'];
  const masked = plain === undefined ? NETMASK.exec(line)?.groups : undefined;
  if (plain !== undefined) found.addresses.push(plain);
  else if (masked) found.addresses.push(`${masked['address']}/${prefixOf(masked['mask'] ?? '')}`);
  if (/\bMTU:\d/.test(line)) takeState(found, line.trim().split(/\s+/, 8), line);
}

export function prefixOf(mask: string): number {
  const parts = mask.startsWith('0x')
    ? (mask.slice(2).match(/../g) ?? []).map((part) => Number.parseInt(part, 16))
    : mask.split('.').map(Number);
  return parts.reduce((bits, part) => bits + (part & 255).toString(2).replaceAll('0', '').length, 0);
}

function payloadOf({ name, addresses, state, carrier, mtu }: Found): Interface {
  return {
    name,
    present: true,
    ...(state !== undefined ? { state } : {}),
    ...(carrier !== undefined ? { carrier } : {}),
    ...(mtu !== undefined ? { mtu } : {}),
    ...(addresses.length > 0 ? { addresses: addresses.slice(0, 20) } : {}),
  };
}

function tell(scope: Scope, found: readonly Found[]): void {
  const told = found.filter(({ name }) => name !== 'lo' && !OF_PODS.test(name)).slice(0, MOST_TOLD);
  for (const one of told) scope.sink.fact('host.interface', scope.node, payloadOf(one), cite(scope, one.line));
}

function tellAbsent(scope: Scope, name: string, line: number): void {
  scope.sink.fact('host.interface', scope.node, { name, present: false }, cite(scope, line));
}

/** Lines of full listings: one head per interface, details below it. */
function readFull(scope: Scope, from: number): { found: Found[]; end: number; whole: boolean } {
  const found: Found[] = [];
  let end = from;
  let whole = IP_HEAD.exec((scope.lines[from] ?? '').slice(0, 700))?.groups?.['name'] === 'lo' && !isFiltered(scope.context);
  for (let index = from; index < scope.lines.length; index++) {
    const line = (scope.lines[index] ?? '').slice(0, 700);
    if (isBlank(line)) continue;
    const head = headAt(line);
    const last = found.at(-1);
    if (head) found.push(started(head.groups, index));
    else if (isElision(line)) whole = false;
    else if (isBoundary(line) || !last || !DETAIL.test(line)) break;
    else takeDetail(last, line);
    end = index + 1;
  }
  return { found, end, whole };
}

/** `ip -br addr` and `ip -o addr`: one line each. */
function readShort(scope: Scope, from: number): { found: Found[]; end: number } {
  const found = new Map<string, Found>();
  let end = from;
  for (; end < scope.lines.length; end++) {
    const line = (scope.lines[end] ?? '').slice(0, 700);
    const groups = ONE_LINE.exec(line)?.groups ?? BRIEF.exec(line)?.groups;
    if (!groups) break;
    const name = groups['name'] ?? '';
    const one = found.get(name) ?? { name, line: end, addresses: [] };
    if (groups['state']) one.state = groups['state'] === 'UP' || groups['state'] === 'UNKNOWN' ? 'up' : 'down';
    const addresses = groups['address'] ?? groups['rest'] ?? '';
    one.addresses.push(...addresses.split(/\s+/, 20).filter((word) => /^[\da-fA-F.:]{2,45}\/\d{1,3}$/.test(word)));
    found.set(name, one);
  }
  return { found: [...found.values()], end };
}

/** `ip addr`, `ip link`, `ifconfig`: which interfaces there are, whether they are up, with which addresses and MTU. */
export const interfaceReader: BlockReader = {
  what: 'network interfaces',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 700);
    if (insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    const absent = ABSENT.exec(first)?.groups;
    if (absent) {
      tellAbsent(scope, absent['device'] ?? absent['found'] ?? absent['shown'] ?? absent['bridge'] ?? '', from);
      return takeLines(scope, from, from + 1);
    }
    if (headAt(first)) {
      const { found, end, whole } = readFull(scope, from);
      tell(scope, found);
      const names = new Set(found.map(({ name }) => name));
      if (whole && names.size > 1) for (const name of EXPECTED) if (!names.has(name)) tellAbsent(scope, name, from);
      return takeLines(scope, from, end);
    }
    if (!ONE_LINE.test(first) && !BRIEF.test(first)) return from;
    const { found, end } = readShort(scope, from);
    tell(scope, found);
    return takeLines(scope, from, end);
  },
};

const BRIDGE_HEADER = /^bridge name\s+bridge id\s+STP enabled\s+interfaces\s*$/;
const BRIDGE_ROW = /^(?<name>[\w.-]{1,40})\s+(?<id>[\da-f]{4}\.[\da-f]{12})\s+(?:yes|no)(?:\s+(?<member>[\w.@-]{1,40}))?\s*$/;
const MEMBER_ROW = /^\s{8,80}(?<member>[\w.@-]{1,40})\s*$/;

/** `brctl show`: bridges and what is plugged into them. */
export const bridgeReader: BlockReader = {
  what: 'bridges',
  read(lines, from, context, sink) {
    if (insideContainer(context) || !BRIDGE_HEADER.test((lines[from] ?? '').slice(0, 200))) return from;
    const scope = scopeOf(lines, context, sink);
    const bridges: { name: string; line: number; members: string[] }[] = [];
    let end = from + 1;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').replaceAll('\t', '        ').slice(0, 300);
      const row = BRIDGE_ROW.exec(line)?.groups;
      const member = row?.['member'] ?? (row ? undefined : MEMBER_ROW.exec(line)?.groups?.['member']);
      if (row) bridges.push({ name: row['name'] ?? '', line: end, members: [] });
      else if (member === undefined || bridges.length === 0) break;
      if (member !== undefined) bridges.at(-1)?.members.push(member);
    }
    for (const { name, line, members } of bridges.slice(0, MOST_TOLD)) {
      sink.fact('host.interface', scope.node, { name, present: true, members: members.slice(0, MOST_TOLD) }, cite(scope, line));
    }
    return takeLines(scope, from, end);
  },
};
