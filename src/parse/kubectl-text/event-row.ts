import { AGE, EVENT_AGE, type EventAge, parseDuration, parseEventAge } from './ages.ts';
import { containerOfPath } from './event-message.ts';

export interface EventRow extends EventAge {
  readonly type: 'Normal' | 'Warning' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly from?: string;
  /** Node named beside the source: `kubelet, worker-2`. */
  readonly host?: string;
  readonly container?: string;
  /** Column at which the message starts. */
  readonly messageColumn: number;
}

const REASON = String.raw`[A-Za-z][\w.-]{0,127}`;
const TYPED = new RegExp(String.raw`^\s*(?<type>Normal|Warning)\s+(?<reason>${REASON})\s+(?<age>${EVENT_AGE})(?:\s+(?<rest>\S.*))?$`);
/** People leave the age out when they copy a row by hand; then only a component that sends events tells where the message begins. */
const AGELESS =
  /^\s*(?<type>Normal|Warning)\s+(?<reason>[A-Z][A-Za-z]{3,60})\s+(?<rest>(?:kubelet(?:, ?\S{1,253})?|[a-z][a-z0-9-]{0,60}(?:-controller|-scheduler)|controllermanager)\s{2,}\S.*)$/;
const UNTYPED = new RegExp(String.raw`^\s*(?<reason>[A-Z][A-Za-z]{2,60})\s+(?<age>${EVENT_AGE})\s+(?<rest>\S.*)$`);
const OLD = new RegExp(
  String.raw`^\s*(?<first>${AGE})\s+(?<last>${AGE})\s+(?<count>\d{1,9})\s+(?<middle>\{[^}]{0,300}\}|(?!Normal\s|Warning\s|spec\.)[^\s,{}]{1,100}(?:, ?\S{1,253})?)?\s+` +
    String.raw`(?:(?<path>spec\.\S{1,200})\s+)?(?:(?<type>Normal|Warning)\s+)?(?<reason>[A-Z]${REASON.slice('[A-Za-z]'.length)})\s+(?<message>\S.*)$`,
);

const APART = /^(?<from>[^\s,]{1,200}(?:, ?\S{1,253})?)(?:\s{2,}|\t\s*)(?<message>.*)$/;
const CLOSE = /^(?<from>[a-z0-9][^\s,]{0,199}(?:, \S{1,253})?) (?<message>.+)$/;

interface Source {
  readonly from?: string;
  readonly host?: string;
}

/** Splits `kubelet, worker-2` and the older `{kubelet worker-2}`. */
export function sourceOf(text: string): Source {
  const [from = '', host] = text.replace(/^\{\s*|\s*\}$/g, '').split(/,\s*|\s+/, 2);
  return { ...(from !== '' ? { from } : {}), ...(host ? { host } : {}) };
}

/** A source is a component's name; in rows without columns only the look of the word tells. */
function splitRest(rest: string): Source & { readonly message: string } {
  const groups = (APART.exec(rest) ?? CLOSE.exec(rest))?.groups;
  if (!groups) return { message: rest.trim() };
  return { ...sourceOf(groups['from'] ?? ''), message: (groups['message'] ?? '').trim() };
}

function eventType(text: string | undefined): EventRow['type'] {
  return text === 'Normal' || text === 'Warning' ? text : 'Unknown';
}

function startOf(line: string, message: string): number {
  return message === '' ? line.length : line.lastIndexOf(message);
}

/** A row of describe's Events: `Type Reason Age From Message`. */
export function parseEventRow(line: string, untyped = false): EventRow | undefined {
  const groups = (TYPED.exec(line) ?? AGELESS.exec(line) ?? (untyped ? UNTYPED.exec(line) : null))?.groups;
  if (!groups) return undefined;
  const { message, ...source } = splitRest(groups['rest'] ?? '');
  return {
    ...parseEventAge(groups['age'] ?? '<unknown>'),
    ...source,
    type: eventType(groups['type']),
    reason: groups['reason'] ?? '',
    message,
    messageColumn: startOf(line.trimEnd(), message),
  };
}

/** A row as kubectl before 1.6 printed it: `FirstSeen LastSeen Count From SubobjectPath [Type] Reason Message`. */
export function parseOldEventRow(line: string): EventRow | undefined {
  const groups = OLD.exec(line)?.groups;
  if (!groups) return undefined;
  const lastAgo = parseDuration(groups['last'] ?? '');
  const firstAgo = parseDuration(groups['first'] ?? '');
  const container = containerOfPath(groups['path']);
  const message = (groups['message'] ?? '').trim();
  return {
    type: eventType(groups['type']),
    reason: groups['reason'] ?? '',
    message,
    count: Number(groups['count'] ?? 1),
    ...(lastAgo !== undefined ? { lastAgo } : {}),
    ...(firstAgo !== undefined ? { firstAgo } : {}),
    ...sourceOf(groups['middle'] ?? ''),
    ...(container !== undefined ? { container } : {}),
    messageColumn: startOf(line.trimEnd(), message),
  };
}
