import { harmless } from './words.ts';

const MOST = 8;

/** Some of the names for a message, those most like the wanted one first. */
export function nearNames(wanted: string, names: readonly string[]): string {
  const pairs = pairsOf(wanted);
  const ranked = names
    .map((name) => ({ name, likeness: likeness(pairs, pairsOf(name)) }))
    .sort((a, b) => b.likeness - a.likeness || a.name.localeCompare(b.name))
    .map(({ name }) => harmless(name, 120));
  const shown = ranked.slice(0, MOST).join(', ');
  return ranked.length > MOST ? `${shown} and ${ranked.length - MOST} more` : shown;
}

/** Pairs of neighbouring letters: they survive a swapped, missing or doubled letter elsewhere in a long name. */
function pairsOf(name: string): Set<string> {
  const text = ` ${name.slice(0, 200).toLowerCase()} `;
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / (one.size + other.size);
}
