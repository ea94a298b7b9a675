export interface RunArguments {
  readonly ids: readonly string[];
  readonly all: boolean;
  readonly record: boolean;
  /** Leaves the fault in place, to look at it by hand. */
  readonly keep: boolean;
  readonly jobs: number;
  readonly install: boolean;
  /** Leaves out those that `fix` makes and has diagnosed as well. */
  readonly withoutFixes: boolean;
  /** Only those that run on this: `cluster`, `worker-a`, `vm-a`. */
  readonly on: string | undefined;
  /** Begins no scenario after this many minutes; those left out are said to be. */
  readonly minutes: number | undefined;
}

const DEFAULT_JOBS = 8;

export function parseRunArguments(words: readonly string[]): RunArguments {
  const jobs = words.find((word) => word.startsWith('--jobs='))?.slice('--jobs='.length);
  const flags = new Set(words.filter((word) => word.startsWith('-')));
  for (const flag of flags) {
    if (!/^--(?:all|record|keep|install|without-fixes|jobs=[1-9]\d?|on=[a-z-]+|minutes=\d{1,3})$/.test(flag))
      throw new Error(`run does not know ${flag}`);
  }
  const minutes = words.find((word) => word.startsWith('--minutes='))?.slice('--minutes='.length);
  return {
    ids: words.filter((word) => !word.startsWith('-')),
    all: flags.has('--all'),
    record: flags.has('--record'),
    keep: flags.has('--keep'),
    install: flags.has('--install'),
    withoutFixes: flags.has('--without-fixes'),
    on: words.find((word) => word.startsWith('--on='))?.slice('--on='.length),
    minutes: minutes === undefined ? undefined : Number(minutes),
    jobs: jobs === undefined ? DEFAULT_JOBS : Number(jobs),
  };
}

/** The ids to run; a name that is none is an error that lists what there is. */
export function chosenIds(wanted: RunArguments, known: readonly string[]): readonly string[] {
  if (wanted.all || (wanted.on !== undefined && wanted.ids.length === 0)) return known;
  if (wanted.ids.length === 0) throw new Error('run needs the ids of scenarios, or --all');
  const unknown = wanted.ids.filter((id) => !known.includes(id));
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  return wanted.ids;
}
