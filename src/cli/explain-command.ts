import { catalogue } from '../causes/catalogue.ts';
import { explain } from '../explain/explain.ts';
import { renderExplained } from '../render/explained.ts';
import { EXIT, UsageError } from './errors.ts';
import { write } from './output.ts';
import { screen } from './screen.ts';

export interface ExplainFlags {
  readonly output: string;
  readonly color: boolean;
  readonly width?: number;
}

export const EXPLAIN_FORMATS = ['terminal', 'json'];

/** Exits 0 when something is known of it, 3 when not. */
export async function explainCommand(words: readonly string[], flags: ExplainFlags): Promise<number> {
  const text = words.join(' ').trim();
  if (text === '') throw new UsageError("say what to explain, e.g. podcause explain CrashLoopBackOff or podcause explain 'exit code 137'.");
  const explained = await explain(text, catalogue);
  const { width, color } = screen(process.stdout, flags);
  await write(renderExplained(explained, flags.output, { width, color }));
  const { entries, codes, known } = explained;
  return entries.length + codes.length + known.length > 0 ? EXIT.healthy : EXIT.undecided;
}
