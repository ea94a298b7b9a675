import { CONTAINER_KEYS, type Field, isPodKey, nextText, parseField, parseItem, STATE_KEYS, startsObject } from './describe-lines.ts';
import { kindOf } from './kinds.ts';
import { indentOf, isBlank, isElision, type View } from './lines.ts';
import type { Scope } from './scope.ts';
import { STAMP } from './values.ts';

/** Keys that tell a kind, the more particular first. */
const FEATURES: readonly { readonly kind: string; readonly key: RegExp }[] = [
  { kind: 'Node', key: /^(?:Roles|Taints|Unschedulable|Non-terminated Pods):/ },
  { kind: 'Deployment', key: /^(?:StrategyType|RollingUpdateStrategy|OldReplicaSets):/ },
  { kind: 'DaemonSet', key: /^Desired Number of Nodes Scheduled:/ },
  { kind: 'CronJob', key: /^Concurrency Policy:/ },
  { kind: 'Job', key: /^(?:Parallelism|Completions|Completion Mode):/ },
  { kind: 'StatefulSet', key: /^(?:Update Strategy|Volume Claims):/ },
  { kind: 'ReplicaSet', key: /^Replicas:\s+\d+ current \/ \d+ desired/ },
  { kind: 'PersistentVolume', key: /^(?:Reclaim Policy|Claim):/ },
  { kind: 'PersistentVolumeClaim', key: /^(?:Used By|Mounted By|StorageClass):/ },
  { kind: 'StorageClass', key: /^(?:IsDefaultClass|Provisioner):/ },
  { kind: 'Ingress', key: /^(?:Default backend|Ingress Class):/ },
  { kind: 'HorizontalPodAutoscaler', key: /^(?:Reference|Min replicas):/ },
  { kind: 'ServiceAccount', key: /^Mountable secrets:/ },
  { kind: 'Service', key: /^(?:TargetPort|Session Affinity|IP Families|Endpoints):/ },
  { kind: 'Endpoints', key: /^Subsets:/ },
  { kind: 'Pod', key: /^(?:Node|Start Time|Init Containers|Containers|QoS Class|Priority|Service Account|Controlled By|IPs):/ },
];

const LOOK_AT = 80;

/** A kind by its group: what others call a Service is none of Kubernetes' own. */
function kindOfGroup(kind: string, version: string): string {
  const group = version.includes('/') ? version.slice(0, version.indexOf('/')) : undefined;
  const own = kindOf(group === undefined ? kind : `${kind}.${group}`);
  if (own !== undefined) return own;
  return kindOf(kind) === undefined ? kind : `${kind}.${group ?? 'other'}`;
}

/** The kind of an object by the keys of its description. */
function kindByFeatures(view: View, from: number): string | undefined {
  let best = FEATURES.length;
  let version = 'v1';
  const base = indentOf(view.at(from));
  for (let index = from; index < Math.min(view.count, from + LOOK_AT); index++) {
    const line = view.at(index).trimStart();
    if ((index > from && /^Name:\s/.test(line) && startsObject(view, index)) || line.startsWith('Events:')) break;
    if (indentOf(view.at(index)) === base) {
      version = /^API Version:\s+(?<version>[\w./-]{1,120})\s*$/.exec(line)?.groups?.['version'] ?? version;
      const own = /^Kind:\s+(?<kind>[A-Z]\w{1,60})\s*$/.exec(line)?.groups?.['kind'];
      if (own !== undefined) return kindOfGroup(own, version);
    }
    // A workload's pod template holds the keys of a pod, never the other way round.
    const found = FEATURES.findIndex(({ key }) => key.test(line));
    if (found >= 0 && found < best) best = found;
  }
  return FEATURES[best]?.kind;
}

const PROBE = /^(?:http-get|exec|tcp-socket|grpc)\b/;

/** Lines that only a pod's description has, by key and what must stand after it. */
const POD_LINES: Readonly<Record<string, RegExp>> = {
  State: /^(?:Waiting|Running|Terminated)\b/,
  'Last State': /^(?:Waiting|Running|Terminated)\b/,
  'Container ID': /^[a-z-]{1,30}:\/\//,
  'Restart Count': /^\d+$/,
  'Exit Code': /^-?\d+$/,
  'QoS Class': /^(?:BestEffort|Burstable|Guaranteed)$/,
  'Node-Selectors': /\S/,
  Tolerations: /^(?:<none>|\S*:No(?:Schedule|Execute)|.*\bop=)/,
  'Controlled By': /^[A-Z]\w{1,60}\/\S+$/,
  Liveness: PROBE,
  Readiness: PROBE,
  Startup: PROBE,
  'Start Time': new RegExp(`^${STAMP}$`),
  'Priority Class Name': /\S/,
};

const NODE_LINES: Readonly<Record<string, RegExp>> = {
  Taints: /^(?:<none>|\S+:(?:NoSchedule|NoExecute|PreferNoSchedule))/,
  Unschedulable: /^(?:true|false)$/,
  'Non-terminated Pods': /^\(/,
  'System Info': /^$/,
};

/** Other programs print these too: they count only next to another line of a container. */
const COMMON = new Set(['State', 'Last State', 'Exit Code']);

function hasCompany(view: View, from: number): boolean {
  const next = nextText(view, from + 1);
  const key = next === undefined ? undefined : parseField(view.at(next))?.key;
  return key !== undefined && (CONTAINER_KEYS.has(key) || STATE_KEYS.has(key));
}

function has(table: Readonly<Record<string, RegExp>>, field: Field): boolean {
  return Object.hasOwn(table, field.key) && table[field.key]?.test(field.value) === true;
}

function startsSection(view: View, from: number, field: Field): boolean {
  const next = nextText(view, from + 1);
  if (field.value !== '' || next === undefined) return false;
  const below = view.at(next);
  const fieldBelow = parseField(view.at(next + 1));
  if (/^(?:Init |Ephemeral )?Containers$/.test(field.key)) {
    return parseItem(below) !== undefined && (fieldBelow === undefined ? isElision(view.at(next + 1)) : CONTAINER_KEYS.has(fieldBelow.key));
  }
  if (field.key === 'Conditions') return /^\s*Type\s+Status\s*$/.test(below);
  return field.key === 'Volumes' && parseItem(below) !== undefined && fieldBelow?.key === 'Type';
}

function startsContainer(view: View, from: number): boolean {
  if (!parseItem(view.at(from))) return false;
  const key = parseField(view.at(from + 1))?.key;
  return key === 'Container ID' || (key === 'Image' && CONTAINER_KEYS.has(parseField(view.at(from + 2))?.key ?? ''));
}

const FIRST_FIELDS = /^(?:Image(?: ID)?|Ports?|Host Ports?|Command|Args)$/;
const LOOK_FOR_STATE = 40;

/** Fields of a container, pasted without its name: a line that only containers have follows among its siblings. */
function startsFields(view: View, from: number, { key, indent }: Field): boolean {
  if (!FIRST_FIELDS.test(key)) return false;
  for (let index = from + 1; index < Math.min(view.count, from + LOOK_FOR_STATE); index++) {
    const line = view.at(index);
    if (isBlank(line) || indentOf(line) > indent) continue;
    const sibling = parseField(line);
    if (sibling === undefined || sibling.indent !== indent || !CONTAINER_KEYS.has(sibling.key)) return false;
    if (has(POD_LINES, sibling)) return true;
  }
  return false;
}

/** The kind of object whose description, or part of one, starts at this line; undefined when none does. */
export function kindDescribedAt(view: View, from: number, scope: Scope): string | undefined {
  const line = view.at(from);
  if (isBlank(line) || !line.includes(':')) return undefined;
  const asked = scope.command?.verb === 'describe' ? scope.kind : undefined;
  if (startsObject(view, from)) return kindByFeatures(view, from) ?? asked ?? 'Object';
  const field = parseField(line);
  if (!field) return startsContainer(view, from) ? 'Pod' : undefined;
  if (field.key === 'Events' && !field.value.startsWith('<none>')) return undefined;
  if (has(NODE_LINES, field) || (field.key === 'Conditions' && /LastHeartbeatTime/.test(view.at(from + 1)))) return 'Node';
  if (asked !== undefined && asked !== 'Pod') return /^\s*[A-Z]/.test(line) && field.indent < 4 ? asked : undefined;
  if (asked === 'Pod' && isPodKey(field.key)) return 'Pod';
  if (has(POD_LINES, field)) return !COMMON.has(field.key) || hasCompany(view, from) ? 'Pod' : undefined;
  return startsSection(view, from, field) || startsContainer(view, from) || startsFields(view, from, field) ? 'Pod' : undefined;
}
