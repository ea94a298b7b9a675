import { type EntityId, UNKNOWN } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { type Description, sectionOf } from './describe-sections.ts';
import { backendsOf, statusOfDescription } from './describe-status.ts';
import { emitBlock } from './events-reader.ts';
import { entityId, isWorkload } from './kinds.ts';
import { isName } from './lines.ts';
import type { Scope } from './scope.ts';
import { someText, wholeNumber } from './values.ts';

const CONDITION =
  /^\s*(?<type>[A-Z][\w./-]{1,80})\s+(?<status>True|False|Unknown)(?:\s+(?<reason>[A-Za-z]\w{0,100}))?(?:\s+(?<message>\S.*))?$/;

/** The number before a word: `3 desired | 2 updated | 3 total`. */
function numberOf(text: string, word: string): number | undefined {
  return wholeNumber(new RegExp(String.raw`(?:^|\s)(?<count>\d{1,9}) ${word}\b`).exec(text)?.groups?.['count']);
}

/** Replica counts as each kind words them. */
function replicasOf(description: Description): { readonly payload: FactKinds['workload.replicas']; readonly line: number } | undefined {
  const replicas = sectionOf(description, 'Replicas');
  const scheduled = sectionOf(description, 'Desired Number of Nodes Scheduled');
  const line = replicas?.line ?? scheduled?.line;
  if (line === undefined) return undefined;
  const text = replicas?.value ?? '';
  const count = (key: string) => wholeNumber(sectionOf(description, key)?.value);
  const desired = numberOf(text, 'desired') ?? count('Desired Number of Nodes Scheduled');
  const updated = numberOf(text, 'updated') ?? count('Number of Nodes Scheduled with Up-to-date Pods');
  const available = numberOf(text, 'available') ?? count('Number of Nodes Scheduled with Available Pods');
  const payload = {
    ...(desired !== undefined ? { desired } : {}),
    ...(updated !== undefined ? { updated } : {}),
    ...(available !== undefined ? { available } : {}),
  };
  return { payload, line };
}

/** Conditions of any object; their reasons and messages are also free text of the object. */
function emitConditions(
  description: Description,
  kind: string,
  about: EntityId,
  lines: readonly string[],
  context: Context,
  sink: ReadingSink,
): void {
  for (const { line, text } of sectionOf(description, 'Conditions')?.children ?? []) {
    const groups = CONDITION.exec(text.trimEnd())?.groups;
    if (!groups) continue;
    const { type = '', status = '', reason, message } = groups;
    const cited = citeLines(context.doc, lines, line);
    const payload = { type, status, ...(reason !== undefined ? { reason } : {}), ...(message !== undefined ? { message } : {}) };
    if (isWorkload(kind)) sink.fact('workload.condition', about, payload, cited);
    else sink.said({ channel: 'objects', about, text: text.trim(), cited });
  }
}

/** What an ingress shows of the services behind it. */
function emitBackends(
  description: Description,
  namespace: string | undefined,
  lines: readonly string[],
  context: Context,
  sink: ReadingSink,
): void {
  for (const { service, line, missing } of backendsOf(description)) {
    const about = entityId('Service', namespace, service);
    const cited = citeLines(context.doc, lines, line);
    if (missing) sink.fact('object.missing', about, { type: missing }, cited);
    else sink.fact('object.status', about, { status: '<none>', detail: 'backend of an Ingress', asked: true }, cited);
  }
}

const TELLING = /<error:|^\s*(?:Message|Reason|Error):\s+\S/;
const SILENT = new Set(['Conditions', 'Annotations', 'Labels']);
const MOST_LINES = 400;

/** Every line is matched against what is known; those that tell an error are kept as such. */
function emitTexts(description: Description, about: EntityId, lines: readonly string[], context: Context, sink: ReadingSink): void {
  const shown = description.sections
    .filter(({ key }) => !SILENT.has(key))
    .flatMap(({ key, value, line, children }) => [{ line, text: `${key}: ${value}` }, ...children])
    .slice(0, MOST_LINES);
  for (const { line, text } of shown) {
    const cited = citeLines(context.doc, lines, line);
    if (TELLING.test(text)) sink.said({ channel: 'objects', about, text: text.trim().replace(/^(?:Message|Reason|Error):\s+/, ''), cited });
    else sink.said({ channel: 'objects', about, text: text.trim(), cited, level: 'info' });
  }
}

/** Its events, and what of the object was read. */
function emitCoverage(
  kind: string,
  about: EntityId,
  named: boolean,
  description: Description,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): void {
  if (description.events) emitBlock(description.events, { subject: { about, kind }, certain: true }, lines, context, scope, sink);
  else if (description.noEvents !== undefined)
    sink.cover({
      channel: 'object-events',
      about,
      extent: 'expired',
      doc: context.doc,
      lines: [description.noEvents + 1, description.noEvents + 1],
    });
  const channel = isWorkload(kind) ? 'workload' : 'objects';
  const extent = description.elided || scope.command?.piped || !named ? 'excerpt' : 'whole';
  sink.cover({ channel, about, extent, doc: context.doc, lines: [description.first + 1, description.next] });
}

/** Turns the description of anything but pods and nodes into facts. */
export function emitOther(
  kind: string,
  description: Description,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): void {
  const asked = scope.kind === kind && scope.command?.names.length === 1 ? scope.command.names[0] : undefined;
  const name = someText(sectionOf(description, 'Name')?.value)?.replace(/\s.*$/, '') ?? asked ?? UNKNOWN;
  const namespace = someText(sectionOf(description, 'Namespace')?.value) ?? scope.namespace;
  const about = entityId(kind, namespace, name);
  const nameLine = sectionOf(description, 'Name')?.line;
  if (nameLine !== undefined && isName(name)) sink.fact('object.exists', about, { type: kind }, citeLines(context.doc, lines, nameLine));
  const replicas = isWorkload(kind) ? replicasOf(description) : undefined;
  if (replicas) sink.fact('workload.replicas', about, replicas.payload, citeLines(context.doc, lines, replicas.line));
  const status = statusOfDescription(kind, description);
  const statusLine = status?.line ?? nameLine;
  if (status && statusLine !== undefined)
    sink.fact(
      'object.status',
      about,
      { ...status.payload, ...(nameLine === undefined ? {} : { asked: true }) },
      citeLines(context.doc, lines, statusLine),
    );
  if (kind === 'Ingress') emitBackends(description, namespace, lines, context, sink);
  emitConditions(description, kind, about, lines, context, sink);
  emitTexts(description, about, lines, context, sink);
  emitCoverage(kind, about, nameLine !== undefined, description, lines, context, scope, sink);
}
