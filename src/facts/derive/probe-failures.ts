import { type EntityId, entityOf } from '../../model/entity.ts';
import type { Fact, FactKinds } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

type Probe = FactKinds['container.probe']['probe'];

interface Told {
  readonly pod: EntityId;
  readonly probe: Probe;
  readonly sources: Fact[];
  container?: string;
  text?: string;
  /** How recent the text is, and how often it was seen. */
  lastAgo?: number;
  count?: number;
}

const UNHEALTHY = /^(?<probe>Liveness|Readiness|Startup) probe (?:failed|errored[^:\n]{0,80}): ?(?<text>[\s\S]{0,400})/;
const KILLED_BY: { readonly [by in NonNullable<Fact<'pod.event'>['killedBy']>]?: Probe } = {
  'liveness-probe': 'liveness',
  'startup-probe': 'startup',
};

/** How the probes of a pod fail and at what: from events, and from lines whose pattern names the groups `probe` and `unhealthy`. */
export function deriveProbeFailures(base: FactBase): void {
  const told = new Map<string, Told>();
  for (const event of base.all('pod.event')) tellEvent(told, event);
  const byEvents = new Set(told.keys());
  for (const line of base.all('log.signature')) tellLine(told, line, byEvents);
  if (told.size === 0) return;
  const specs = specsByPod(base);
  for (const one of told.values()) {
    const spec = specOf(base, specs.get(`${one.pod}|${one.probe}`) ?? [], one.container);
    const container = one.container ?? (spec ? entityOf(spec.about).name : undefined);
    const target = targetIn(one.text ?? '') ?? targetIn(spec?.text ?? '');
    base.add({
      kind: 'pod.probe-failure',
      about: one.pod,
      cited: citedOf(one.sources),
      probe: one.probe,
      failure: failureIn(one.text ?? ''),
      ...(container !== undefined ? { container } : {}),
      ...(target !== undefined ? { target } : {}),
      ...(one.sources.every(({ hearsay }) => hearsay) ? { hearsay: true } : {}),
    });
  }
}

function tellEvent(told: Map<string, Told>, event: Fact<'pod.event'>): void {
  const killed = event.killedBy === undefined ? undefined : KILLED_BY[event.killedBy];
  if (killed !== undefined) tell(told, event, event.about, killed, event.container);
  const unhealthy = UNHEALTHY.exec(event.message)?.groups;
  const probe = probeNamed(unhealthy?.['probe']);
  if (probe !== undefined) tell(told, event, event.about, probe, event.container, unhealthy?.['text'], event);
}

function tellLine(told: Map<string, Told>, line: Fact<'log.signature'>, byEvents: ReadonlySet<string>): void {
  const text = line.fields['unhealthy'];
  const probe = probeNamed(line.fields['probe']);
  if (text === undefined || probe === undefined) return;
  const { kind, name, parent } = entityOf(line.about);
  const pod = kind === 'Container' ? parent : kind === 'Pod' ? line.about : undefined;
  if (pod === undefined || byEvents.has(`${pod}|${probe}`)) return;
  tell(told, line, pod, probe, kind === 'Container' ? name : undefined, text);
}

type Weight = Pick<Told, 'lastAgo' | 'count'>;

/** A program that starts refuses connections before it answers: what was seen last, and oftener, is how it fails now. */
function isNewer(text: Weight, than: Weight): boolean {
  const ago = (text.lastAgo ?? Number.MAX_SAFE_INTEGER) - (than.lastAgo ?? Number.MAX_SAFE_INTEGER);
  return ago === 0 ? (text.count ?? 1) > (than.count ?? 1) : ago < 0;
}

/** The newest words and the first name count; the rest are further citations. */
function tell(
  told: Map<string, Told>,
  source: Fact,
  pod: EntityId,
  probe: Probe,
  container?: string,
  text?: string,
  weight: Weight = {},
): void {
  const key = `${pod}|${probe}`;
  const one = told.get(key) ?? { pod, probe, sources: [] };
  told.set(key, one);
  one.sources.push(source);
  if (container !== undefined) one.container ??= container;
  if (text === undefined || (one.text !== undefined && !isNewer(weight, one))) return;
  one.text = text;
  if (weight.lastAgo !== undefined) one.lastAgo = weight.lastAgo;
  if (weight.count !== undefined) one.count = weight.count;
}

function probeNamed(word: string | undefined): Probe | undefined {
  const probe = word?.toLowerCase();
  return probe === 'liveness' || probe === 'readiness' || probe === 'startup' ? probe : undefined;
}

function specsByPod(base: FactBase): Map<string, Fact<'container.probe'>[]> {
  const specs = new Map<string, Fact<'container.probe'>[]>();
  for (const spec of base.all('container.probe')) {
    const key = `${entityOf(spec.about).parent}|${spec.probe}`;
    const same = specs.get(key);
    if (same) same.push(spec);
    else specs.set(key, [spec]);
  }
  return specs;
}

/** The specification of the named container; without a name the only one, or the only one that is not ready. */
function specOf(base: FactBase, specs: readonly Fact<'container.probe'>[], container?: string): Fact<'container.probe'> | undefined {
  if (container !== undefined) return specs.find(({ about }) => entityOf(about).name === container);
  if (specs.length <= 1) return specs[0];
  const unready = specs.filter(({ about }) => base.of('container.running', about).some(({ ready }) => ready === false));
  return unready.length === 1 ? unready[0] : undefined;
}

/** A command of a probe that tells of a connection of its own: neither the address nor the error is one of the kubelet's. */
function isOfCommand(text: string): boolean {
  return (
    /https?:\/\/|dial tcp /.test(text) &&
    !/^\s{0,8}[\\"]{0,4}(?:Get|Head|dial|read|write|HTTP|https?:|timeout:|rpc|failed to connect|command|http-get|tcp-socket|grpc) ?/i.test(
      text,
    )
  );
}

/** How the probe failed, in a few words. */
function failureIn(text: string): string {
  if (isOfCommand(text)) return text.replace(/\s+/g, ' ').trim().slice(0, 120);
  const code = /statuscode: (?<code>\d{3})/.exec(text)?.groups?.['code'];
  if (code !== undefined) return `HTTP ${code}`;
  if (text.includes('connection refused')) return 'connection refused';
  if (/deadline exceeded|timeout|timed out/i.test(text)) return 'timeout';
  if (text.includes('no route to host')) return 'no route to host';
  return text.replace(/\s+/g, ' ').trim().slice(0, 120) || 'it fails';
}

/** What is probed: the address in an error, or in a specification as `kubectl describe` writes it. */
function targetIn(text: string): string | undefined {
  const specified =
    /^(?:http-get \w{1,10}:\/\/|tcp-socket |grpc )[^\s:]{0,260}(?<target>:\S{1,260})|^exec \[(?<command>[^\]]{1,200})\]/.exec(text)?.groups;
  if (specified) return specified['target'] ?? specified['command'];
  if (isOfCommand(text)) return undefined;
  const url = /https?:\/\/[^\s"/]{0,260}?(?<rest>:\d{1,5}(?:\/[^\s"]{0,200})?)(?=["\s]|:? |$)/.exec(text)?.groups?.['rest'];
  return url?.replace(/:$/, '') ?? /dial tcp [^\s"]{1,260}?(?<port>:\d{1,5}): /.exec(text)?.groups?.['port'];
}
