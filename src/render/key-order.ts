/** Keys of a report as a reader wants them, names before details; one list serves all its shapes. */
const ORDER = [
  'id',
  'number',
  'clue',
  'role',
  'cause',
  'name',
  'version',
  'tool',
  'verdict',
  'area',
  'doc',
  'title',
  'why',
  'place',
  'placeId',
  'confidence',
  'channel',
  'about',
  'extent',
  'docs',
  'says',
  'tells',
  'say',
  'command',
  'where',
  'on',
  'family',
  'settles',
  'risk',
  'steps',
  'verified',
  'hearsay',
  'symptoms',
  'detail',
  'node',
  'through',
  'at',
  'ago',
  'untilAgo',
  'documents',
  'first',
  'pointer',
  'lines',
  'bytes',
  'firstLine',
  'quote',
  'size',
  'what',
  'tone',
  'chain',
  'victims',
  'victimCount',
  'because',
  'not',
  'open',
  'compared',
  'rivals',
  'fixes',
  'asks',
  'timeline',
  'recovered',
  'incidents',
  'undecided',
  'ruledOut',
  'history',
  'coverage',
  'looked',
  'pieces',
  'unrecognised',
  'unread',
  'pods',
  'nodes',
  'redactions',
  'excerpts',
  'failures',
  'message',
  'timings',
  'milliseconds',
  'lookups',
  'facts',
  'count',
  'cited',
] as const;

const RANK: ReadonlyMap<string, number> = new Map(ORDER.map((key, index) => [key, index]));

/** The same value with its keys in one fixed order, whatever order it was built in; unknown keys come last. */
export function inKeyOrder(value: unknown): unknown {
  // A report repeats few shapes thousands of times: each is put in order once.
  const orders = new Map<string, readonly string[]>();
  const orderOf = (keys: string[]): readonly string[] => {
    const shape = keys.join('\n');
    const known = orders.get(shape);
    if (known !== undefined) return known;
    keys.sort((left, right) => rankOf(left) - rankOf(right) || (left < right ? -1 : 1));
    orders.set(shape, keys);
    return keys;
  };
  const ordered = (inner: unknown): unknown => {
    if (inner === null || typeof inner !== 'object') return inner;
    if (Array.isArray(inner)) return inner.map(ordered);
    const record = inner as Record<string, unknown>;
    const result: Record<string, unknown> = {};
    for (const key of orderOf(Object.keys(record))) {
      const field = record[key];
      if (field === undefined) continue;
      // A plain assignment to this key would change the prototype instead of adding a field.
      if (key === '__proto__') Object.defineProperty(result, key, { value: ordered(field), enumerable: true });
      else result[key] = ordered(field);
    }
    return result;
  };
  return ordered(value);
}

function rankOf(key: string): number {
  return RANK.get(key) ?? ORDER.length;
}
