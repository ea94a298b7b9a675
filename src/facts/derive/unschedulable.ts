import type { EntityId } from '../../model/entity.ts';
import type { Fact, FactKinds } from '../../model/facts.ts';
import type { FactBase } from '../fact-base.ts';
import { citedOf } from './cited.ts';

type Reason = FactKinds['pod.unschedulable']['reasons'][number];
type Counted = Omit<Reason, 'leads'>;

interface Refusal {
  readonly nodes?: number;
  readonly reasons: readonly Reason[];
}

interface Told {
  readonly about: EntityId;
  readonly refusal: Refusal;
  readonly sources: Fact[];
  recent: boolean;
}

/** A pod that still waits is tried again within five minutes: older refusals are of the past. */
const RETRY_SECONDS = 330;
const LONGEST_MESSAGE = 4000;
const LISTED = /(?:\/(?<nodes>\d{1,6}) )?nodes are available[^:\n]{0,60}::? (?<list>[^\n]+)/i;
const NO_NODES = /no nodes available to schedule pods|\b0\/0 nodes are available/i;
const RESERVED =
  /node-role\.kubernetes\.io\/(?:control-plane|controlplane|master|etcd)|eks\.amazonaws\.com\/compute-type|virtual-kubelet\.io\/provider/;
const TAINT = /had untolerated taint|had taints? |PodToleratesNodeTaints/;
/** Newer releases no longer say which taint; on up to three nodes it is most often that of the control planes. */
const UNNAMED_TAINT = /had untolerated taint\(s\)/;
const CONTROL_PLANES = 3;
const CORDON = /node\.kubernetes\.io\/unschedulable/;
const SELECTION = /didn't match (?:Pod's )?node (?:affinity|selector)|MatchNodeSelector/;
/** What the scheduler looks at after the labels of a node: a node out for one of these has the labels. */
const AFTER_SELECTION =
  /^(?:Insufficient |Too many pods)|free ports|volume node affinity conflict|no available volume zone|available persistent volumes? to bind|exceed max volume count|pod (?:anti-)?affinity|topology spread constraints/;
const SHORT = /^Insufficient /;
/** Set by the control plane on nodes in trouble. */
const TROUBLE = /node\.kubernetes\.io\/(?:not-ready|unreachable|(?:disk|memory|pid)-pressure|network-unavailable)/;

/** Why the scheduler refuses pods, taken apart once for all rules. */
export function deriveUnschedulable(base: FactBase): void {
  const told = new Map<string, Told>();
  for (const event of base.all('pod.event'))
    if (event.reason === 'FailedScheduling') tell(told, event, event.message, (event.lastAgo ?? 0) < RETRY_SECONDS);
  for (const condition of base.all('pod.condition'))
    if (condition.type === 'PodScheduled' && condition.status === 'False' && condition.message)
      tell(told, condition, condition.message, true);
  for (const line of base.all('log.signature')) {
    const message = line.fields['refusal'];
    // The scanner reads the messages of events too, and once for each rule that declares the line.
    if (message !== undefined && !told.has(keyOf(line.about, refusalOf(message)))) tell(told, line, message, false);
  }
  for (const { about, refusal, sources, recent } of told.values())
    base.add({
      kind: 'pod.unschedulable',
      about,
      cited: citedOf(sources),
      ...refusal,
      recent,
      ...(sources.every(({ hearsay }) => hearsay) ? { hearsay: true } : {}),
    });
}

function tell(told: Map<string, Told>, source: Fact, message: string, recent: boolean): void {
  const refusal = refusalOf(message);
  const key = keyOf(source.about, refusal);
  const same = told.get(key);
  if (!same) {
    told.set(key, { about: source.about, refusal, sources: [source], recent });
    return;
  }
  same.sources.push(source);
  same.recent ||= recent;
}

function keyOf(about: EntityId, refusal: Refusal): string {
  return `${about}|${JSON.stringify(refusal)}`;
}

function refusalOf(message: string): Refusal {
  const text = message.slice(0, LONGEST_MESSAGE);
  if (NO_NODES.test(text)) return { nodes: 0, reasons: [] };
  const listed = LISTED.exec(text)?.groups;
  const nodes = listed?.['nodes'] === undefined ? undefined : Number(listed['nodes']);
  const [list = ''] = (listed?.['list'] ?? text).split(/\.?(?: no new claims to deallocate,| still not schedulable,)? preemption: /);
  const counted = trimmed(list)
    .split(/, (?=[\dA-Z])/)
    .map((reason) => countedIn(reason, nodes ?? 1));
  return { ...(nodes !== undefined ? { nodes } : {}), reasons: withLeads(counted, nodes) };
}

/** Without the full stop, and the quote that ends it in a log line. */
function trimmed(list: string): string {
  let end = list.length;
  while (end > 0 && '."\\ '.includes(list[end - 1] as string)) end--;
  return list.slice(0, end);
}

/** "2 Insufficient cpu"; releases before 1.10 put the number behind, in brackets; without one it holds for all nodes. */
function countedIn(reason: string, all: number): Counted {
  const before = /^(?<count>\d{1,6}) (?<text>[^\n]+)$/.exec(reason)?.groups;
  const behind = before ?? /^(?<text>[^\n(]{1,200}) \((?<count>\d{1,6})\)$/.exec(reason)?.groups;
  return { count: Number(behind?.['count'] ?? all), text: behind?.['text'] ?? reason };
}

function withLeads(reasons: readonly Counted[], nodes: number | undefined): Reason[] {
  const isTaint = ({ text }: Counted) => TAINT.test(text) && !CORDON.test(text);
  // Control planes and virtual nodes are meant to be tainted, and nodes that were not chosen are meant to stay out while those that were chosen
  // are in trouble or full: that outweighs no reason that holds back the rest.
  const aside = reasons.some(({ text }) => TROUBLE.test(text)) || someWereChosen(reasons, nodes);
  const isReserved = ({ count, text }: Counted) => RESERVED.test(text) || (UNNAMED_TAINT.test(text) && count <= CONTROL_PLANES);
  const meant = reasons.filter((reason) => !isReserved(reason) && !(aside && SELECTION.test(reason.text)));
  const others = reasons.filter((reason) => !isTaint(reason) && (!aside || !SELECTION.test(reason.text)));
  const tainted = meant.filter(isTaint).reduce((sum, { count }) => sum + count, 0);
  const taintsLead = others.length === 0 || tainted >= most(others);
  return reasons.map((reason) => ({
    ...reason,
    leads: isTaint(reason) ? taintsLead : meant.includes(reason) && reason.count >= most(meant),
  }));
}

/** Every node has its reason; where the counts add up to no more than the nodes, no node is counted twice. */
function someWereChosen(reasons: readonly Counted[], nodes: number | undefined): boolean {
  if (nodes === undefined || !reasons.some(({ text }) => AFTER_SELECTION.test(text))) return false;
  const short = reasons.filter(({ text }) => SHORT.test(text));
  const rest = reasons.filter(({ text }) => !SHORT.test(text)).reduce((sum, { count }) => sum + count, 0);
  return rest + (short.length > 0 ? most(short) : 0) <= nodes;
}

function most(reasons: readonly Counted[]): number {
  return reasons.reduce((top, { count }) => Math.max(top, count), 1);
}
