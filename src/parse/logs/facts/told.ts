import type { Citation } from '../../../model/citation.ts';
import type { Sink } from '../../../model/evidence.ts';
import type { Attribution } from '../attribute.ts';
import type { LogLine } from '../log-line.ts';
import type { LineMemory } from './memory.ts';

/** One line with all that is known about it, on its way to becoming facts. */
export interface Told {
  readonly line: LogLine;
  readonly attribution: Attribution;
  readonly cited: Citation;
  readonly sink: Pick<Sink, 'fact'>;
  readonly more: { when?: number };
  readonly memory?: LineMemory;
}
