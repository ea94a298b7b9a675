import type { Fact } from '../model/facts.ts';

type Refusal = Fact<'pod.unschedulable'>;
type Match = (refusal: Refusal) => boolean;

/** Every cluster keeps ordinary pods off its control planes and off the nodes that stand for Fargate and the like. */
const RESERVED =
  /node-role\.kubernetes\.io\/(?:control-plane|controlplane|master|etcd)|eks\.amazonaws\.com\/compute-type|virtual-kubelet\.io\/provider/;

/** No other reason of the scheduler holds back more nodes. */
export function leadsIn(own: RegExp): Match {
  return ({ reasons }) => reasons.some(({ text, leads }) => leads && own.test(text));
}

/** The reason keeps the pod from every node on which ordinary pods may run: without it the pod would have a node. */
export function accountsForAll(own: RegExp): Match {
  return (refusal) => leadsIn(own)(refusal) && (othersOf(refusal, own).length === 0 || holdsBackAll(refusal, own));
}

/** The reason leads, and some nodes are out for another one: to lift either might do. */
export function leadsAmongOthers(own: RegExp): Match {
  return (refusal) => leadsIn(own)(refusal) && !accountsForAll(own)(refusal);
}

/** The reasons beside the own one, as the scheduler counts them. */
export function othersIn(refusal: Refusal | undefined, own: RegExp): string {
  const others = refusal === undefined ? [] : othersOf(refusal, own);
  return others.map(({ count, text }) => `${count} ${text}`).join(', ') || 'none';
}

function othersOf({ reasons }: Refusal, own: RegExp): Refusal['reasons'] {
  return reasons.filter(({ text }) => !own.test(text) && !RESERVED.test(text));
}

/** One node may be short of several resources at once, so the counts of a refusal may add up to more than its nodes. */
function holdsBackAll({ nodes, reasons }: Refusal, own: RegExp): boolean {
  if (nodes === undefined) return false;
  const most = Math.max(0, ...reasons.filter(({ text }) => own.test(text)).map(({ count }) => count));
  const usual = reasons.filter(({ text }) => !own.test(text) && RESERVED.test(text));
  return most + usual.reduce((sum, { count }) => sum + count, 0) >= nodes;
}
