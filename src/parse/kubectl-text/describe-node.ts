import { type EntityId, nodeId, podId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { type DescribedLine, type DescribedSection, type Description, sectionOf } from './describe-sections.ts';
import { emitBlock } from './events-reader.ts';
import { runtimeOf } from './get-nodes.ts';
import { isName } from './lines.ts';
import type { Scope } from './scope.ts';
import { isNone, parseStamp, STAMP, someText } from './values.ts';

export const NODE_KEYS = new Set([
  'Name',
  'Roles',
  'Role',
  'Labels',
  'Annotations',
  'CreationTimestamp',
  'Taints',
  'Unschedulable',
  'Lease',
  'Conditions',
  'Addresses',
  'Capacity',
  'Allocatable',
  'System Info',
  'PodCIDR',
  'PodCIDRs',
  'ProviderID',
  'ExternalID',
  'Non-terminated Pods',
  'Allocated resources',
  'Events',
  'Phase',
]);

const CONDITION = new RegExp(
  String.raw`^\s*(?<type>[A-Za-z][\w./-]{1,80})\s+(?<status>True|False|Unknown)\s+(?<heartbeat>${STAMP}|<\w{1,10}>)\s+(?<transition>${STAMP}|<\w{1,10}>)` +
    String.raw`\s+(?<reason>[A-Za-z]\w{0,100})(?:\s+(?<message>\S.*))?$`,
);
const TAINT = /^(?<key>[\w./-]{1,300})(?:=(?<value>[^:]{0,300}))?:(?<effect>NoSchedule|NoExecute|PreferNoSchedule)$/;
const LISTED_POD = /^\s*(?<namespace>[a-z0-9][-a-z0-9]{0,62})\s+(?<name>[a-z0-9][-\w.]{0,252})\s+\d\S{0,30}\s+\(\d{1,9}%\)/;

interface NodePlace {
  readonly node: EntityId;
  readonly lines: readonly string[];
  readonly context: Context;
  readonly sink: ReadingSink;
}

function linesOf(section: DescribedSection | undefined): readonly DescribedLine[] {
  if (!section) return [];
  return isNone(section.value) ? section.children : [{ line: section.line, text: section.value }, ...section.children];
}

/** Conditions, and the state that `kubectl get nodes` would show for them. */
function emitConditions(description: Description, { node, lines, context, sink }: NodePlace): void {
  const blocked = sectionOf(description, 'Unschedulable')?.value === 'true' ? ',SchedulingDisabled' : '';
  const roles = someText(sectionOf(description, 'Roles')?.value);
  for (const { line, text } of sectionOf(description, 'Conditions')?.children ?? []) {
    const groups = CONDITION.exec(text.trimEnd())?.groups;
    if (!groups) continue;
    const { type = '', status = '', reason = '', message } = groups;
    const cited = citeLines(context.doc, lines, line);
    const when = parseStamp(groups['transition'] ?? '');
    sink.fact(
      'node.condition',
      node,
      { type, status, reason, ...(message !== undefined ? { message } : {}) },
      cited,
      when === undefined ? {} : { when },
    );
    if (type === 'Ready') {
      const word = status === 'True' ? 'Ready' : 'NotReady';
      sink.fact('node.status', node, { status: word + blocked, ...(roles !== undefined ? { roles } : {}) }, cited);
    }
    const bad = type === 'Ready' ? status !== 'True' : status === 'True' || status === 'Unknown';
    if (bad && message !== undefined) sink.said({ channel: 'node-status', about: node, text: message, cited, component: 'kubelet' });
  }
}

const INFO = [
  ['Kubelet Version', 'kubeletVersion'],
  ['OS Image', 'osImage'],
  ['Kernel Version', 'kernel'],
  ['Architecture', 'architecture'],
  ['Boot ID', 'bootId'],
] as const;

function emitInfo(section: DescribedSection | undefined, { node, lines, context, sink }: NodePlace): void {
  if (!section) return;
  const values = new Map(
    section.children.map(({ text }) => {
      const [key = '', ...rest] = text.split(':');
      return [key.trim(), rest.join(':').trim()] as const;
    }),
  );
  const plain = INFO.flatMap(([key, name]) => (isNone(values.get(key)) ? [] : [[name, values.get(key)] as const]));
  const info: FactKinds['node.info'] = { ...Object.fromEntries(plain), ...runtimeOf(someText(values.get('Container Runtime Version'))) };
  const last = section.children.at(-1)?.line ?? section.line;
  if (Object.keys(info).length > 0) sink.fact('node.info', node, info, citeLines(context.doc, lines, section.line, last));
}

function emitTaints(description: Description, { node, lines, context, sink }: NodePlace): void {
  for (const { line, text } of linesOf(sectionOf(description, 'Taints'))) {
    const groups = TAINT.exec(text.trim())?.groups;
    if (!groups) continue;
    const { key = '', effect = '', value } = groups;
    sink.fact(
      'node.taint',
      node,
      { key, effect, ...(value !== undefined && value !== '' ? { value } : {}) },
      citeLines(context.doc, lines, line),
    );
  }
}

function emitCoverage(description: Description, node: EntityId, context: Context, scope: Scope, sink: ReadingSink): void {
  const whole = sectionOf(description, 'Name') && sectionOf(description, 'Conditions') && !description.elided && !scope.command?.piped;
  const lines = [description.first + 1, description.next] as const;
  sink.cover({ channel: 'node-status', about: node, extent: whole ? 'whole' : 'excerpt', doc: context.doc, lines });
  if (description.noEvents === undefined) return;
  // Nodes outlive their events, so that an empty list says nothing about the past.
  sink.cover({
    channel: 'node-events',
    about: node,
    extent: 'expired',
    doc: context.doc,
    lines: [description.noEvents + 1, description.noEvents + 1],
  });
}

/** Turns a node's description into facts. */
export function emitNode(description: Description, lines: readonly string[], context: Context, scope: Scope, sink: ReadingSink): void {
  const name =
    someText(sectionOf(description, 'Name')?.value) ??
    (scope.kind === 'Node' && scope.command?.names.length === 1 ? scope.command.names[0] : undefined);
  // Lines grepped out of several nodes belong to nobody in particular.
  if (name === undefined && scope.command?.piped) return;
  const node = nodeId(name !== undefined && isName(name) ? name : undefined);
  const place = { node, lines, context, sink };
  emitConditions(description, place);
  emitInfo(sectionOf(description, 'System Info'), place);
  emitTaints(description, place);
  for (const { text } of sectionOf(description, 'Non-terminated Pods')?.children ?? []) {
    const pod = LISTED_POD.exec(text)?.groups;
    if (pod && name !== undefined) sink.edge({ type: 'runs-on', pod: podId(pod['namespace'], pod['name'] ?? ''), node });
  }
  if (description.events)
    emitBlock(description.events, { subject: { about: node, kind: 'Node' }, certain: true }, lines, context, scope, sink);
  emitCoverage(description, node, context, scope, sink);
}
