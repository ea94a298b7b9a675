import { isBlank, isElision, type View } from './lines.ts';

export interface Field {
  readonly indent: number;
  readonly key: string;
  /** Empty where nothing follows the colon. */
  readonly value: string;
}

const FIELD = /^(?<indent>\s{0,200})(?<key>[A-Z][A-Za-z0-9 ()/-]{0,60}):(?:\s+(?<value>\S.*))?$/;
const ITEM = /^(?<indent>\s{0,200})(?<name>[A-Za-z0-9](?:[-\w.]{0,251}[A-Za-z0-9])?):$/;

/** A line of describe: `Restart Count:  3`. */
export function parseField(line: string): Field | undefined {
  const groups = FIELD.exec(line.trimEnd())?.groups;
  if (!groups) return undefined;
  return { indent: groups['indent']?.length ?? 0, key: groups['key'] ?? '', value: groups['value'] ?? '' };
}

/** A line that names a container or a volume: `  web:`. */
export function parseItem(line: string): { readonly indent: number; readonly name: string } | undefined {
  const groups = ITEM.exec(line.trimEnd())?.groups;
  return groups ? { indent: groups['indent']?.length ?? 0, name: groups['name'] ?? '' } : undefined;
}

export const CONTAINER_KEYS = new Set([
  'Container ID',
  'Image',
  'Image ID',
  'Port',
  'Ports',
  'Host Port',
  'Host Ports',
  'SeccompProfile',
  'Command',
  'Args',
  'State',
  'Last State',
  'Ready',
  'Restart Count',
  'Limits',
  'Requests',
  'Liveness',
  'Readiness',
  'Startup',
  'Environment Variables from',
  'Environment',
  'Environment Variables',
  'Mounts',
  'Devices',
  'Restart Policy',
]);

/** Keys that no other part of a pod's description has. */
export const CONTAINER_ONLY = new Set([
  'Container ID',
  'Image',
  'Image ID',
  'State',
  'Last State',
  'Ready',
  'Restart Count',
  'Exit Code',
  'Liveness',
  'Readiness',
  'Startup',
]);

export const STATE_KEYS = new Set(['Reason', 'Message', 'Exit Code', 'Signal', 'Started', 'Finished']);

export const HEAD_KEYS = new Set([
  'Name',
  'Namespace',
  'Priority',
  'Priority Class Name',
  'PriorityClassName',
  'Runtime Class Name',
  'Service Account',
  'Node',
  'Nominated Node Name',
  'NominatedNodeName',
  'Start Time',
  'Labels',
  'Annotations',
  'Status',
  'Reason',
  'Message',
  'Termination Grace Period',
  'Resize',
  'SeccompProfile',
  'Security Policy',
  'IP',
  'IPs',
  'Controlled By',
  'Created By',
  'Controllers',
  'Restart Policy',
  'RestartPolicy',
  'Image(s)',
  'Network Namespace',
  'OS',
]);

export const SECTION_KEYS = new Set([
  'Init Containers',
  'Containers',
  'Ephemeral Containers',
  'Conditions',
  'Volumes',
  'QoS Class',
  'Node-Selectors',
  'Tolerations',
  'Topology Spread Constraints',
  'Events',
  'Resource Claims',
  'Scheduling Gates',
  'Readiness Gates',
]);

export function isPodKey(key: string): boolean {
  return HEAD_KEYS.has(key) || SECTION_KEYS.has(key) || CONTAINER_KEYS.has(key) || STATE_KEYS.has(key);
}

/** Index of the next line with text, at most two blank lines away. */
export function nextText(view: View, from: number): number | undefined {
  for (let index = from; index < Math.min(view.count, from + 3); index++) if (!isBlank(view.at(index))) return index;
  return undefined;
}

const COMPANION =
  /^\s*(?:Namespace|Labels|Priority|Roles|Annotations|CreationTimestamp|StorageClass|API Version|Service Account|IsDefaultClass):/;

/** Keys that other programs print below a name. */
const FOREIGN = /^\s*(?:ID|Docker Root Dir|CPUs|Total Memory|State|IPv4|Hostname|Version|Summary):/;

/** `Name:` at the head of an object, not of a volume's ConfigMap. */
export function startsObject(view: View, from: number): boolean {
  if (!/^\s*Name:\s+\S/.test(view.at(from))) return false;
  for (let index = from + 1; index < Math.min(view.count, from + 5); index++) {
    const line = view.at(index);
    if (COMPANION.test(line)) return true;
    if (FOREIGN.test(line)) return false;
    if (isBlank(line) || isElision(line)) continue;
    if (!parseField(line)) return false;
  }
  return false;
}
