import { CLUSTER, namespaceId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { entityId, kindOf } from './kinds.ts';
import { isName } from './lines.ts';
import { type Scope, scopeOf } from './scope.ts';

const WAITING =
  /^\s{0,8}Waiting for (?<kind>deployment|daemon ?set|statefulset)(?: spec update)? "(?<name>[^"]{1,253})" (?:rollout|spec update) to (?:finish|be observed)?[: ]{0,2}(?<rest>.{0,300})$|^\s{0,8}Waiting for deployment spec update to be observed\.{3}$/;
const PODS = /^\s{0,8}Waiting for (?<missing>\d{1,6}) pods to be ready\.{3}$/;
const ROLLED =
  /^\s{0,8}(?<kind>deployment|daemon ?set|statefulset) "(?<name>[^"]{1,253})" (?:successfully rolled out|rolling update complete)/;
const UPDATED =
  /(?<updated>\d{1,6}) (?:out )?of (?<desired>\d{1,6}) (?:new replicas|new pods|updated pods are scheduled|new pods have been updated)/;
const AVAILABLE = /(?<available>\d{1,6}) of (?<desired>\d{1,6}) updated (?:replicas|pods) are available/;
const NO_TARGET = { name: '', kind: undefined } as const;

function replicasOf(text: string): FactKinds['workload.replicas'] | undefined {
  const updated = UPDATED.exec(text)?.groups;
  if (updated) return { desired: Number(updated['desired']), updated: Number(updated['updated']) };
  const available = AVAILABLE.exec(text)?.groups;
  return available ? { desired: Number(available['desired']), available: Number(available['available']) } : undefined;
}

function targetOf(groups: Readonly<Record<string, string | undefined>> | undefined): {
  readonly name: string;
  readonly kind: string | undefined;
} {
  if (!groups?.['name'] || !isName(groups['name'])) return NO_TARGET;
  return { name: groups['name'], kind: kindOf((groups['kind'] ?? '').replace(' ', '')) };
}

function emit(line: string, at: number, lines: readonly string[], context: Context, scope: Scope, sink: ReadingSink): boolean {
  const waiting = WAITING.exec(line);
  const rolled = waiting ? undefined : ROLLED.exec(line);
  if (!waiting && !rolled) return PODS.test(line);
  const { name, kind } = targetOf((waiting ?? rolled)?.groups);
  if (kind === undefined) return true;
  const about = entityId(kind, scope.namespace, name);
  const cited = citeLines(context.doc, lines, at);
  sink.fact('object.status', about, { status: waiting ? 'rolling out' : 'rolled out' }, cited);
  const replicas = waiting ? replicasOf(waiting.groups?.['rest'] ?? '') : undefined;
  if (replicas) sink.fact('workload.replicas', about, replicas, cited);
  return true;
}

/** Lines of `kubectl rollout status`; the error it ends with is read elsewhere. */
export const rolloutReader: BlockReader = {
  what: 'kubectl rollout status',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const scope = scopeOf(context);
    let next = from;
    while (next < lines.length && emit((lines[next] ?? '').slice(0, 700), next, lines, context, scope, sink)) next++;
    return next;
  },
};

const ANSWER = /^(?<answer>yes|no)(?: - .{0,300})?$/;
const VALUE_OPTION = /^(?:-n|--namespace|--as|--as-group|--subresource|--context|--kubeconfig)$/;

/** `verb resource [name]` of `kubectl auth can-i`, and for whom it was asked. */
function questionOf(command: string): { readonly verb: string; readonly resource: string; readonly who?: string } | undefined {
  const after = /\bcan-i\s(?<rest>.{1,500})$/.exec(command.slice(0, 1000))?.groups?.['rest'];
  if (after === undefined) return undefined;
  const words = after.split(/[|;&]/, 1)[0]?.trim().split(/\s+/) ?? [];
  const free = words.filter((word, index) => !word.startsWith('-') && !VALUE_OPTION.test(words[index - 1] ?? ''));
  const who = /--as[= ](?<who>\S{1,253})/.exec(after)?.groups?.['who'];
  const [verb, resource] = free;
  return verb === undefined || resource === undefined ? undefined : { verb, resource, ...(who !== undefined ? { who } : {}) };
}

export const canIReader: BlockReader = {
  what: 'kubectl auth can-i',
  read(lines, from, context, sink) {
    const answer = ANSWER.exec((lines[from] ?? '').trim().slice(0, 400))?.groups?.['answer'];
    if (answer === undefined || context.command === undefined) return from;
    const question = questionOf(context.command);
    if (!question) return from;
    const { namespace, command } = scopeOf(context);
    const about = namespace === undefined || command?.allNamespaces ? CLUSTER : namespaceId(namespace);
    sink.fact('object.right', about, { ...question, allowed: answer === 'yes' }, citeLines(context.doc, lines, from));
    return from + 1;
  },
};
