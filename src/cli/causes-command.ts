import { catalogue } from '../causes/catalogue.ts';
import type { Cause } from '../model/cause.ts';
import { explainCause, listCauses } from '../render/causes.ts';
import { EXIT, UsageError } from './errors.ts';
import { nearest } from './nearest.ts';
import { write } from './output.ts';
import { screen } from './screen.ts';

export interface CausesFlags {
  readonly output: string;
  readonly color: boolean;
  readonly width?: number;
}

export const CAUSES_FORMATS = ['terminal', 'json', 'markdown'];

const SUGGESTIONS = 5;

export async function causesCommand(id: string | undefined, flags: CausesFlags): Promise<number> {
  if (!CAUSES_FORMATS.includes(flags.output)) {
    throw new UsageError(`causes cannot be printed as ${flags.output}. There are: ${CAUSES_FORMATS.join(', ')}`);
  }
  const { width, color } = screen(process.stdout, flags);
  const look = { width, color };
  await write(id === undefined ? listCauses(catalogue, flags.output, look) : explainCause(causeNamed(id), flags.output, look));
  return EXIT.healthy;
}

function causeNamed(id: string): Cause {
  const cause = catalogue.find((one) => one.id === id);
  if (cause) return cause;
  const ids = catalogue.map((one) => one.id);
  const near = [...new Set([...nearest(id, ids), ...ids.filter((one) => sharesWord(one, id))])].slice(0, SUGGESTIONS);
  const hint = near.length > 0 ? `Did you mean: ${near.join(', ')}?` : 'podcause causes lists them all.';
  throw new UsageError(`there is no cause called ${id}.\n  ${hint}`);
}

function sharesWord(known: string, typed: string): boolean {
  return known.includes(typed) || typed.split('-').some((word) => word.length > 3 && known.includes(word));
}
