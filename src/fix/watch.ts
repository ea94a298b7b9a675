import { setTimeout as wait } from 'node:timers/promises';
import { type Judgement, judge, type Look, restartedSince } from './judge.ts';

export interface WatchSettings {
  /** The symptoms must stay away for this long. */
  readonly quietSeconds: number;
  /** How long the pods may take to recover before the quiet time begins. */
  readonly patienceSeconds: number;
  readonly everySeconds: number;
  readonly onLook?: (look: Look, quietFor: number) => void;
  readonly now?: () => number;
  readonly pause?: (milliseconds: number) => Promise<void>;
}

export interface Watched {
  readonly judgement: Judgement;
  readonly says: string;
  readonly looks: readonly Look[];
  readonly quietSeconds: number;
}

/** A whole look reads hosts as well. What was written down before `since` is the past, even if it is newer than the fix began. */
export type Looker = (whole: boolean, since?: number) => Promise<Look>;

/** Looks again and again until the trouble has stayed away for its quiet time, or will not go. */
export async function watch(look: Looker, settings: WatchSettings): Promise<Watched> {
  const { now = Date.now, pause = wait, quietSeconds, patienceSeconds, everySeconds, onLook } = settings;
  const began = now();
  let looks: Look[] = [];
  let quietFrom: number | undefined;
  let restarted: string | undefined;
  let lookedAt: number | undefined;
  for (;;) {
    const at = now();
    const seen = await look(false, quietFrom ?? lookedAt);
    lookedAt = at;
    looks.push(seen);
    const again = restartedSince(looks);
    const isWell = !seen.shows && seen.sick.length === 0;
    // A restart begins the quiet time anew: it is what has to stay away.
    if (!isWell || again !== undefined) {
      quietFrom = undefined;
      looks = [seen];
    }
    restarted = again ?? restarted;
    if (isWell) quietFrom ??= now();
    const quietFor = quietFrom === undefined ? 0 : (now() - quietFrom) / 1000;
    const passed = (now() - began) / 1000;
    onLook?.(seen, quietFor);
    if (isWell && quietFor >= quietSeconds) {
      // Hosts are read once, at the end: it costs a pod each time.
      looks.push(await look(true, quietFrom));
      return { ...judge(looks), looks, quietSeconds: Math.round(quietFor) };
    }
    if (!isWell && passed >= patienceSeconds) return { ...judge([seen]), looks, quietSeconds: 0 };
    if (passed >= patienceSeconds + 2 * quietSeconds) {
      return { judgement: 'not-fixed', says: `${restarted ?? 'something'} restarts again and again`, looks, quietSeconds: 0 };
    }
    await pause(Math.min(everySeconds, Math.max(1, quietSeconds)) * 1000);
  }
}
