import type { Channel } from '../../model/channel.ts';
import { CLUSTER, type EntityId, namespaceId, objectId, UNKNOWN } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink, Saying } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { entityId, isClusterWide, isWorkload, kindOf } from './kinds.ts';
import { isName, viewFrom } from './lines.ts';
import { type Scope, scopeOf } from './scope.ts';

/** Sentences only kubectl and its relatives print, so that they count without the command, and behind a few words of somebody's own. */
const SENTENCE =
  /The connection to the server \S{1,300} was refused - did you specify|Unable to connect to the server: \S|Error from server(?: \([A-Z][A-Za-z]{2,40}\))?: \S|error: You must be logged in to the server|Error in configuration: |The [A-Z]\w{1,60} "[^"]{1,253}" is invalid: |error: unable to upgrade connection: |Warning: would violate PodSecurity /;
/** What may stand before it: nothing, a mark, or words that announce a quotation. */
const BEFORE = /^[\s>*•-]{0,12}$|[:：“"'`(（]\s{0,4}$|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]\s{0,2}$/;
const FARTHEST = 60;

/** Errors that say `error:` like those of any program, told apart by what follows. */
const OWN_ERROR =
  /^error: (?:the server doesn't have a resource type|no matches for kind|resource mapping not found|error (?:validating|parsing|loading|converting|when|executing|from server|retrieving|trying to reach service)|unable to (?:recognize|decode|forward port|drain node|retrieve|read client|load|list|parse)|[Mm]etrics (?:API )?not available|timed out waiting for the condition|context "[^"]{1,200}" does not exist|current-context must exist|no configuration has been provided|a container name must be specified|container \S{1,200} is not valid for pod|exec plugin|getting credentials|cannot delete (?:Pods|Daemon)|lost connection to pod|Internal error occurred|Internal Server Error|dial tcp |(?:deployment|statefulset|daemon ?set|replicaset|job|pods?)\S{0,20} "[^"]{1,253}" |the path "|must specify one of|couldn't get |cannot attach|request to convert|You must be)|^error when evicting pods?\/|^OCI runtime exec failed: /;
const WITH_COMMAND =
  /^(?:error|Error|Warning): \S|^unable to recognize "|^Internal error occurred: |^command terminated with (?:non-zero )?exit code/;
const EMPTY = /^No resources found(?: in (?<namespace>[a-z0-9][-a-z0-9]{0,62}) namespace)?\.?$/;
/** kubectl adds these to the error above. */
const AFTER = /^(?:ensure CRDs are installed first|See '?kubectl \S.{0,200}|\s{0,4}\* \S.{0,2000})$/;
const MOST_AFTER = 40;

const UNREACHABLE =
  /The connection to the server (?!(?:localhost|127\.0\.0\.1):8080\b)\S{1,300} was refused|Unable to connect to the server: (?:.{0,400}(?:connection refused|i\/o timeout|no route to host|TLS handshake timeout|Client\.Timeout exceeded|connection reset by peer|x509: )|(?:unexpected )?EOF$|net\/http: request canceled)/;

interface ClientError {
  /** From where kubectl itself speaks. */
  readonly text: string;
  readonly level: Saying['level'];
}

function errorAt(line: string, scope: Scope): ClientError | undefined {
  const at = line.slice(0, 800).search(SENTENCE);
  if (at >= 0 && at <= FARTHEST && BEFORE.test(line.slice(0, at))) return leveled(line.slice(at).replace(/[”’`]{1,3}$/, ''));
  const text = line.trim();
  if (OWN_ERROR.test(text)) return leveled(text);
  // Below `kubectl logs` it is the program that speaks.
  const isOwn = scope.command !== undefined && scope.command.verb !== 'logs';
  return isOwn && WITH_COMMAND.test(text) ? leveled(text) : undefined;
}

/** A warning of the API server is advice, unless it says that pods will be refused; an exit code is told by what went before. */
function leveled(text: string): ClientError {
  if (text.startsWith('command terminated')) return { text, level: 'info' };
  if (!text.startsWith('Warning: ')) return { text, level: 'error' };
  return { text, level: text.startsWith('Warning: would violate') ? 'warning' : 'info' };
}

const NAMED =
  /(?:^|[\s:])(?<resource>[a-z][a-z0-9.]{2,120}) "(?<name>[^"]{1,253})" (?:is forbidden|not found|already exists|is invalid|cannot be|is waiting)/;
const INVALID = /^The (?<resource>[A-Z]\w{1,60}) "(?<name>[^"]{1,253})" is invalid/;
const NAMESPACE = /in the namespace "(?<namespace>[a-z0-9][-a-z0-9]{0,62})"|, namespace: "?(?<other>[a-z0-9][-a-z0-9]{0,62})/;

/** The object an error names, else the namespace it was asked in, else the cluster. */
function subjectOf(text: string, scope: Scope): { readonly about: EntityId; readonly kind?: string } {
  const near = text.slice(0, 2000);
  const place = NAMESPACE.exec(near)?.groups;
  const namespace = place?.['namespace'] ?? place?.['other'] ?? scope.namespace;
  const named = (INVALID.exec(near) ?? NAMED.exec(near))?.groups;
  const kind = kindOf(named?.['resource']);
  const name = named?.['name'] ?? '';
  if (kind !== undefined && isName(name)) return { about: entityId(kind, namespace, name), kind };
  return { about: namespace === undefined || !/^Error from server/.test(text) ? CLUSTER : namespaceId(namespace) };
}

function channelOfKind(kind: string | undefined): Channel {
  if (kind === 'Pod') return 'pod-status';
  if (kind === 'Node') return 'node-status';
  return kind !== undefined && isWorkload(kind) ? 'workload' : 'objects';
}

function tell(
  error: ClientError,
  first: number,
  last: number,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): void {
  const { about, kind } = subjectOf(error.text, scope);
  const cited = citeLines(context.doc, lines, first, last);
  const more = lines.slice(first + 1, last + 1).map((line) => line.trim());
  const text = [error.text.trim(), ...more].join('\n');
  sink.said({ channel: 'objects', about, text, cited, component: 'kubectl', ...(error.level ? { level: error.level } : {}) });
  const asked = scope.command?.verb === 'get' || scope.command?.verb === 'describe' || scope.command === undefined;
  if (kind !== undefined && asked && /^Error from server \(NotFound\): [a-z][\w.]{1,120} "[^"]{1,253}" not found\s*$/.test(error.text))
    sink.fact('object.missing', about, { type: kind }, cited);
  if (UNREACHABLE.test(error.text.slice(0, 1000)))
    sink.fact('object.status', objectId('APIServer', undefined, serverOf(error.text)), { status: 'unreachable' }, cited);
  const denied = /^Error from server \((?:Forbidden|Unauthorized)\): \S{1,200} is forbidden: User /.test(error.text);
  if (denied && scope.kind !== undefined)
    sink.cover({ channel: channelOfKind(scope.kind), about, extent: 'denied', doc: context.doc, lines: [first + 1, last + 1] });
}

function serverOf(text: string): string {
  const server = /to the server (?<server>[^\s:]\S{0,300}) was|https?:\/\/(?<host>[^\s/"]{1,300})|dial tcp (?<address>[^\s]{1,300}): /.exec(
    text.slice(0, 1000),
  )?.groups;
  return server?.['server'] ?? server?.['host'] ?? server?.['address'] ?? UNKNOWN;
}

/** A listing that came back empty: all there is was looked at. */
function tellEmpty(
  namespace: string | undefined,
  at: number,
  lines: readonly string[],
  context: Context,
  scope: Scope,
  sink: ReadingSink,
): void {
  const { command, kind } = scope;
  if (kind === undefined || command?.verb !== 'get' || command.filtered) return;
  const wide = isClusterWide(kind) || command.allNamespaces || kind === 'Node';
  const about = wide ? CLUSTER : namespaceId(namespace ?? scope.namespace ?? 'default');
  sink.fact('object.missing', about, { type: kind, every: true }, citeLines(context.doc, lines, at));
  sink.cover({
    channel: channelOfKind(kind),
    about,
    extent: kind === 'Pod' ? 'whole' : 'excerpt',
    doc: context.doc,
    lines: [at + 1, at + 1],
  });
}

/** What a kubelet answers through the API server is about that kubelet. */
const OF_KUBELET = /\/proxy\/(?:healthz|configz)/;

function read(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  // In a log somebody else quotes kubectl, and `kubectl logs` has answers of its own.
  if (context.channel !== undefined || OF_KUBELET.test(context.command?.slice(0, 1000) ?? '')) return from;
  const view = viewFrom(lines, from);
  const line = view.at(from);
  const scope = scopeOf(context);
  const empty = EMPTY.exec(line.trim());
  if (empty) {
    tellEmpty(empty.groups?.['namespace'], from, lines, context, scope, sink);
    return from + 1;
  }
  const error = errorAt(line, scope);
  if (!error) return from;
  let next = from + 1;
  while (next < Math.min(view.count, from + MOST_AFTER) && AFTER.test(view.at(next).slice(0, 2100))) next++;
  tell(error, from, next - 1, lines, context, scope, sink);
  return next;
}

/** What kubectl says instead of its output. */
export const clientErrorReader: BlockReader = { what: 'answer of kubectl', read };
export const CLIENT_ERROR_SIGN = new RegExp(
  `${SENTENCE.source}|^\\W{0,12}(?:error|Error|Warning): |No resources found|unable to recognize|Internal error|command terminated|^\\W{0,12}(?:error when evicting|OCI runtime exec)`,
);
