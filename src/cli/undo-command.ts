import type { FixOutcome } from '../model/plan-view.ts';
import { EXIT, UsageError } from './errors.ts';
import { consent } from './fix-consent.ts';
import { type JournalFlags, listed, portIfAny, recordedFixes } from './fix-journals.ts';
import { printOutcome } from './fix-print.ts';
import { takeBack } from './fix-retrace.ts';
import { write } from './output.ts';

export interface UndoFlags extends JournalFlags {
  readonly apply?: boolean;
  readonly force?: boolean;
  readonly output: 'terminal' | 'json';
  readonly width?: number;
  readonly color: boolean;
  readonly lang?: string;
}

const TAKEN_BACK: ReadonlySet<string> = new Set(['undone', 'rolled-back']);
/** Steps of the cluster that stay on purpose say so; they are no failure. */
const SETTLED: ReadonlySet<string> = new Set([...TAKEN_BACK, 'skipped', 'kept', 'planned']);

/** Lists what was done, and with an id and `--apply` takes it back. */
export async function undoCommand(id: string | undefined, flags: UndoFlags): Promise<number> {
  const port = await portIfAny(flags);
  try {
    const recorded = await recordedFixes(port, flags);
    if (id === undefined) {
      await write(flags.output === 'json' ? `${JSON.stringify(recorded, null, 2)}\n` : listed(recorded));
      return EXIT.healthy;
    }
    const all = recorded.filter((one) => one.id === id);
    const parts = all.filter(({ state }) => !TAKEN_BACK.has(state));
    if (parts.length === 0) throw new UsageError(all.length > 0 ? `${id} has been taken back already.` : unknownFix(id));
    if (!flags.apply) {
      await write(
        flags.output === 'json'
          ? `${JSON.stringify(parts, null, 2)}\n`
          : `${listed(parts)}\nNothing was changed. podcause undo ${id} --apply takes it back.\n`,
      );
      return EXIT.healthy;
    }
    process.stderr.write(listed(parts));
    if (!(await consent(`take back ${id} as listed above`, 'touches-node', flags.yes))) return EXIT.found;
    const steps = await takeBack({ id, parts, port, flags });
    const failed = steps.find(({ state }) => !SETTLED.has(state));
    const outcome: FixOutcome = {
      version: 1,
      id,
      outcome: failed === undefined ? 'undone' : 'stopped',
      says: failed === undefined ? `${parts[0]?.title ?? id}: everything is as it was before` : `${failed.where}: ${failed.says}`,
      steps,
      changed: [],
    };
    await printOutcome(outcome, flags);
    return failed === undefined ? EXIT.healthy : EXIT.found;
  } finally {
    port?.close();
  }
}

function unknownFix(id: string): string {
  return `no journal at hand has a fix ${id}.\n  podcause undo lists them; --node NAME reads the journal of a host.`;
}
