import type { LineSpec } from '../../model/evidence.ts';
import { NOISE } from './noise-list.ts';
import { createScanner, type Scanner } from './scanner.ts';

let scanner: Scanner | undefined;

/** Why this line, though it sounds like an error, says nothing about what is broken; undefined for all others. */
export function isNoise(text: string): string | undefined {
  scanner ??= createScanner(NOISE.map(asSpec));
  const hit = scanner.match(text)[0];
  return hit === undefined ? undefined : NOISE[hit.index]?.reason;
}

function asSpec({ says, pattern }: (typeof NOISE)[number], index: number): LineSpec {
  return { id: `noise/${index}`, literals: says, channels: [], ...(pattern ? { pattern } : {}) };
}
