import type { Citation } from '../../model/citation.ts';
import type { EntityId } from '../../model/entity.ts';
import type { Sink } from '../../model/evidence.ts';
import type { Level } from './log-line.ts';
import { soundsBad } from './say.ts';

const MOST_LINES = 5;
const GRAVITY: Readonly<Record<Level, number>> = { info: 0, warning: 1, error: 2, fatal: 3 };

interface Word {
  readonly text: string;
  readonly level: Level | undefined;
  readonly cited: Citation;
}

/** Keeps the last lines each container wrote. */
export interface LastWords {
  see(container: EntityId, text: string, level: Level | undefined, cited: Citation): void;
  tell(sink: Pick<Sink, 'fact'>): void;
}

export function createLastWords(): LastWords {
  const words = new Map<EntityId, Word[]>();
  return {
    see(container, text, level, cited) {
      const kept = words.get(container) ?? [];
      kept.push({ text, level, cited });
      if (kept.length > MOST_LINES) kept.shift();
      words.set(container, kept);
    },
    tell(sink) {
      for (const [container, kept] of words) tellOne(container, kept, sink);
    },
  };
}

function tellOne(container: EntityId, kept: readonly Word[], sink: Pick<Sink, 'fact'>): void {
  const last = kept.at(-1);
  if (!last) return;
  const worst = kept.reduce<Level | undefined>((grave, { level }) => {
    if (level === undefined) return grave;
    return grave === undefined || GRAVITY[level] > GRAVITY[grave] ? level : grave;
  }, undefined);
  const clean = kept.every(({ text, level }) => (level === undefined ? !soundsBad(text) : GRAVITY[level] < GRAVITY.error));
  const lines = kept.map(({ text }) => clipMiddle(text));
  sink.fact('container.last-words', container, { lines, clean, ...(worst ? { level: worst } : {}) }, spanning(kept, last));
}

function spanning(kept: readonly Word[], last: Word): Citation {
  const from = kept[0]?.cited.at.lines?.[0];
  const to = last.cited.at.lines?.[1];
  return from === undefined || to === undefined ? last.cited : { ...last.cited, at: { lines: [from, to] } };
}

const HEAD = 600;
const TAIL = 1400;

/** A trace says what happened at its end and where at its beginning. */
function clipMiddle(text: string): string {
  return text.length <= HEAD + TAIL ? text : `${text.slice(0, HEAD)} … ${text.slice(-TAIL)}`;
}
