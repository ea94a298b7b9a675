/** Numbers that are the same in every run, so that a failure can be seen again: it names its seed. */
export interface Random {
  /** From 0 up to, without, `below`. */
  number(below: number): number;
  chance(share: number): boolean;
  pick<T>(choices: readonly T[]): T;
  shuffle<T>(items: readonly T[]): readonly T[];
}

export function randomFrom(seed: number): Random {
  let state = (seed + 1) * 0x9e3779b9;
  // The mixing steps of splitmix32.
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const number = (below: number) => next() % below;
  const pick = <T>(choices: readonly T[]): T => {
    const [first] = choices.slice(number(choices.length));
    if (first === undefined) throw new RangeError('nothing to pick from');
    return first;
  };
  const shuffle = <T>(items: readonly T[]): readonly T[] => {
    const rest = [...items];
    return items.flatMap(() => rest.splice(number(rest.length), 1));
  };
  return { number, chance: (share) => next() < share * 2 ** 32, pick, shuffle };
}

const REMARKS = [
  '# plain',
  '# SystemdCgroup = false',
  '# cgroupDriver: cgroupfs',
  '# "exec-opts": []',
  '# [plugins.cri] é 日本 🙂',
  '#\t"""',
  "# '''",
  '#',
];

export function remark(random: Random): string {
  return random.pick(REMARKS);
}

/** Lines joined with one ending or a mix of both, with or without a byte order mark and a last newline. */
export function asFile(random: Random, lines: readonly string[]): string {
  const style = random.pick(['\n', '\r\n', 'mixed'] as const);
  const ending = (): string => (style === 'mixed' ? random.pick(['\n', '\r\n']) : style);
  const body = lines.map((line, index) => (index === lines.length - 1 && random.chance(0.3) ? line : line + ending())).join('');
  return (random.chance(0.1) ? '\uFEFF' : '') + body;
}
