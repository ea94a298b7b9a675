import type { FactKinds } from '../../model/facts.ts';
import { type DescribedSection, type Description, sectionOf } from './describe-sections.ts';
import { someText, wholeNumber } from './values.ts';

interface DescribedStatus {
  readonly payload: FactKinds['object.status'];
  readonly line: number;
}

const PODS = /(?<active>\d{1,9}) (?:Active|Running)(?: \(\d{1,9} Ready\))? \/ (?<succeeded>\d{1,9}) Succeeded \/ (?<failed>\d{1,9}) Failed/;

function statusOfJob(description: Description): DescribedStatus | undefined {
  const section = sectionOf(description, 'Pods Statuses') ?? sectionOf(description, 'Pod Statuses');
  const groups = PODS.exec(section?.value ?? '')?.groups;
  if (!section || !groups) return undefined;
  const count = (name: string) => wholeNumber(groups[name]) ?? 0;
  const wanted = wholeNumber(sectionOf(description, 'Completions')?.value);
  const done = count('succeeded') > 0 && (wanted === undefined || count('succeeded') >= wanted);
  const over = count('active') === 0;
  const status = done ? 'Complete' : over && count('failed') > 0 ? 'Failed' : 'Running';
  return { payload: { status, detail: `Pods Statuses ${section.value}` }, line: section.line };
}

/** `Attached:  false` below `Status:`, as objects without a form of their own are described. */
function childOf(section: DescribedSection | undefined, key: string): { readonly value: string; readonly line: number } | undefined {
  for (const { line, text } of section?.children ?? []) {
    const trimmed = text.trim();
    if (trimmed.startsWith(`${key}:`)) return { value: trimmed.slice(key.length + 1).trim(), line };
  }
  return undefined;
}

function statusOfAttachment(description: Description): DescribedStatus | undefined {
  const attached = childOf(sectionOf(description, 'Status'), 'Attached');
  if (!attached || attached.value === '') return undefined;
  const spec = sectionOf(description, 'Spec');
  const [node, volume] = [childOf(spec, 'Node Name')?.value, childOf(spec, 'Persistent Volume Name')?.value];
  const details = [...(volume ? [`PV ${volume}`] : []), ...(node ? [`NODE ${node}`] : [])];
  return { payload: { status: attached.value, ...(details.length > 0 ? { detail: details.join(', ') } : {}) }, line: attached.line };
}

function statusOfScaler(description: Description): DescribedStatus | undefined {
  for (const { line, text } of sectionOf(description, 'Metrics')?.children ?? []) {
    const unknown = /(?<value><unknown> ?\/ ?\S{1,40})\s*$/.exec(text.slice(-100))?.groups?.['value'];
    if (unknown !== undefined) return { payload: { status: unknown }, line };
  }
  return undefined;
}

function statusOfBudget(description: Description): DescribedStatus | undefined {
  const allowed = childOf(sectionOf(description, 'Status'), 'Allowed disruptions');
  return allowed && /^\d{1,9}$/.test(allowed.value)
    ? { payload: { status: `allowed disruptions ${allowed.value}` }, line: allowed.line }
    : undefined;
}

function statusOfEndpoints(description: Description): DescribedStatus | undefined {
  const subsets = sectionOf(description, 'Subsets');
  const addresses = childOf(subsets, 'Addresses');
  const waiting = someText(childOf(subsets, 'NotReadyAddresses')?.value);
  if (!addresses && subsets?.children.length !== 0) return undefined;
  const status = someText(addresses?.value) ?? '<none>';
  return {
    payload: { status, ...(waiting !== undefined ? { detail: `NotReadyAddresses ${waiting}` } : {}) },
    line: addresses?.line ?? subsets?.line ?? 0,
  };
}

const DETAILS = ['StorageClass', 'Volume', 'Claim', 'Used By', 'Message'];

function statusOfAny(kind: string, description: Description): DescribedStatus | undefined {
  const value = (key: string) => sectionOf(description, key)?.value;
  const own = sectionOf(description, 'Status');
  const phase = own?.value === '' ? (childOf(own, 'Phase') ?? childOf(own, 'State')) : undefined;
  const shown = phase ?? (someText(own?.value) === undefined && kind === 'Service' ? sectionOf(description, 'Endpoints') : own);
  const status = kind === 'Service' ? shown?.value : someText(shown?.value);
  if (!shown || status === undefined || status === '') return undefined;
  const details = [...DETAILS, ...(kind === 'Service' ? ['Selector'] : [])].flatMap((key) =>
    someText(value(key)) ? [`${key} ${value(key)}`] : [],
  );
  return { payload: { status, ...(details.length > 0 ? { detail: details.join(', ') } : {}) }, line: shown.line };
}

/** The state an object's description shows, whichever way its kind words it. */
export function statusOfDescription(kind: string, description: Description): DescribedStatus | undefined {
  switch (kind) {
    case 'StorageClass': {
      const standard = sectionOf(description, 'IsDefaultClass');
      return standard?.value === 'Yes' ? { payload: { status: 'default' }, line: standard.line } : undefined;
    }
    case 'Job':
      return statusOfJob(description);
    case 'VolumeAttachment':
      return statusOfAttachment(description);
    case 'HorizontalPodAutoscaler':
      return statusOfScaler(description);
    case 'PodDisruptionBudget':
      return statusOfBudget(description);
    case 'Endpoints':
      return statusOfEndpoints(description);
    case 'Deployment':
    case 'ReplicaSet':
    case 'StatefulSet':
    case 'DaemonSet':
    case 'CronJob':
    case 'ReplicationController':
      return undefined;
    default:
      return statusOfAny(kind, description);
  }
}

const BACKEND =
  /(?:^|\s)(?<service>[a-z0-9][-a-z0-9]{0,62}):[\w-]{1,63} \((?:<error: (?<kind>services?|endpoints) "[^"]{1,253}" not found>|(?<none><none>)?)\)\s*$/;

interface Backend {
  readonly service: string;
  readonly line: number;
  /** The kind kubectl did not find. */
  readonly missing?: string;
}

/** Services behind an ingress that have nothing to answer with. */
export function backendsOf(description: Description): Backend[] {
  const found: Backend[] = [];
  for (const { line, text } of sectionOf(description, 'Rules')?.children ?? []) {
    const groups = BACKEND.exec(text.slice(-400))?.groups;
    // kubectl looks for this one whether or not anybody uses it.
    if (!groups || groups['service'] === 'default-http-backend') continue;
    const kind = groups['kind'];
    found.push({
      service: groups['service'] ?? '',
      line,
      ...(kind === undefined ? {} : { missing: kind.startsWith('service') ? 'Service' : 'Endpoints' }),
    });
  }
  return found;
}
