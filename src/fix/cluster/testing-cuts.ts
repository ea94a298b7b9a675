import { expect } from 'vitest';
import { applyCluster } from './apply-cluster.ts';
import type { ClusterOutcome, ClusterPlan } from './cluster-plan.ts';
import { quietly, RECORD, type Shop, startShop, testClock } from './testing-fixes.ts';

/** `refused`: the line stays, but the server says no. */
type Cut = 'before' | 'after' | 'refused';

export interface Line {
  readonly shop: Shop;
  /** A run whose line is cut at the write of that number; for good, as when it is killed, or for that one request. */
  cutting(at: number, cut: Cut, forGood: boolean, work: () => Promise<ClusterOutcome>): Promise<ClusterOutcome>;
  /** How many writes a whole run makes; everything is as before then. */
  counting(work: () => Promise<ClusterOutcome>): Promise<number>;
}

/** Whoever held the lock is known to be dead. */
export const { options: afterwards } = testClock({ gone: () => true });

/** A shop behind a line that can be cut at any write. */
export async function cuttableLine(): Promise<Line> {
  let writes = 0;
  let fault: { readonly at: number; readonly cut: Cut; readonly forGood: boolean } | undefined;
  let isDead = false;
  const isHit = (method: string) =>
    method !== 'GET' && fault !== undefined && (fault.forGood ? writes > fault.at : writes === fault.at + 1);
  const shop = await startShop({
    cuts({ method }) {
      if (isDead) return 'before';
      if (method !== 'GET') writes++;
      if (fault === undefined || fault.cut === 'refused' || !isHit(method)) return undefined;
      isDead = fault.forGood;
      return fault.cut;
    },
    forbids: ({ method }) => fault?.cut === 'refused' && isHit(method),
  });
  return {
    shop,
    async cutting(at, cut, forGood, work) {
      writes = 0;
      fault = { at, cut, forGood };
      const outcome = await work();
      fault = undefined;
      isDead = false;
      return outcome;
    },
    async counting(work) {
      const restore = shop.save();
      writes = 0;
      expect(['done', 'undone']).toContain((await work()).state);
      restore();
      return writes;
    },
  };
}

export const WAYS: readonly (readonly [Cut, boolean])[] = [
  ['before', true],
  ['after', true],
  ['before', false],
  ['after', false],
  ['refused', true],
  ['refused', false],
];

export function applied(shop: Shop, plan: ClusterPlan): Promise<ClusterOutcome> {
  return applyCluster(shop.port, plan, RECORD, quietly, afterwards);
}

/** Paths of the events that tell of a fix, or of its undo. */
export function eventsOf(shop: Shop, reason: 'PodcauseFix' | 'PodcauseUndo'): string[] {
  return shop.paths().filter((path) => path.includes('/events/') && shop.get(path)?.['reason'] === reason);
}
