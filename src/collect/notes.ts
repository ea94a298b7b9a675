import type { Unread } from '../model/document.ts';

const NOTES_PER_REASON = 100;
const NOTES_IN_ALL = 2000;

/** Collects what was not read; a million empty files must not become a million notes. */
export class Notes {
  readonly unread: Unread[] = [];
  readonly #reasons = new Map<string, { count: number; summary: number }>();

  add(doc: string, why: string, size?: number): void {
    const known = this.unread.length < NOTES_IN_ALL || this.#reasons.has(why);
    const key = known ? why : 'could not be read';
    const reason = this.#reasons.get(key) ?? { count: 0, summary: -1 };
    this.#reasons.set(key, reason);
    reason.count += 1;
    if (known && reason.summary < 0 && reason.count <= NOTES_PER_REASON && this.unread.length < NOTES_IN_ALL) {
      this.unread.push({ doc, why, ...(size !== undefined ? { size } : {}) });
      return;
    }
    this.#summarise(reason, key, doc);
  }

  #summarise(reason: { count: number; summary: number }, why: string, doc: string): void {
    if (reason.summary < 0) {
      reason.summary = this.unread.length;
      reason.count = 1;
    }
    const shown = this.unread[reason.summary]?.doc ?? doc;
    const others = reason.count - 1;
    this.unread[reason.summary] = { doc: shown, why: others === 0 ? why : `${why} (and ${others} more like it)` };
  }
}
