import type { Cause } from '../model/cause.ts';
import { explainCause, listCauses } from '../render/causes.ts';
import { nearest } from '../text/nearest.ts';
import { EXIT, UsageError } from './errors.ts';
import { write } from './output.ts';
import { causesFor, testOwnCauses } from './own-causes.ts';
import { screen } from './screen.ts';

export interface CausesFlags {
  readonly output: string;
  readonly color: boolean;
  readonly width?: number;
  readonly causes?: string;
}

export const CAUSES_FORMATS = ['terminal', 'json', 'markdown'];

const SUGGESTIONS = 5;

export async function causesCommand(id: string | undefined, folder: string | undefined, flags: CausesFlags): Promise<number> {
  if (id === 'test') return await testOwnCauses(folder ?? flags.causes ?? '.');
  if (folder !== undefined) throw new UsageError('one cause at a time.');
  if (!CAUSES_FORMATS.includes(flags.output)) {
    throw new UsageError(`causes cannot be printed as ${flags.output}. There are: ${CAUSES_FORMATS.join(', ')}`);
  }
  const { width, color } = screen(process.stdout, flags);
  const look = { width, color };
  const causes = await causesFor(flags);
  await write(id === undefined ? listCauses(causes, flags.output, look) : explainCause(causeNamed(id, causes), flags.output, look));
  return EXIT.healthy;
}

function causeNamed(id: string, causes: readonly Cause[]): Cause {
  const cause = causes.find((one) => one.id === id);
  if (cause) return cause;
  const ids = causes.map((one) => one.id);
  const near = [...new Set([...nearest(id, ids), ...ids.filter((one) => sharesWord(one, id))])].slice(0, SUGGESTIONS);
  const hint = near.length > 0 ? `Did you mean: ${near.join(', ')}?` : 'podcause causes lists them all.';
  throw new UsageError(`there is no cause called ${id}.\n  ${hint}`);
}

function sharesWord(known: string, typed: string): boolean {
  return known.includes(typed) || typed.split('-').some((word) => word.length > 3 && known.includes(word));
}
