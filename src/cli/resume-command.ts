import type { FixOutcome } from '../model/plan-view.ts';
import { EXIT, UsageError } from './errors.ts';
import { consent } from './fix-consent.ts';
import type { FixFlags } from './fix-flags.ts';
import { portIfAny, type Recorded, recordedFixes } from './fix-journals.ts';
import { printOutcome } from './fix-print.ts';
import { goOn } from './fix-retrace.ts';
import { write } from './output.ts';

const OPEN: ReadonlySet<string> = new Set(['begun', 'stopped']);
const ENDED: ReadonlySet<string> = new Set(['done', 'already', 'skipped']);

/** Goes on with a fix that was interrupted, from its journals. */
export async function resumeCommand(wanted: string | true, flags: FixFlags): Promise<number> {
  const port = await portIfAny(flags);
  try {
    const parts = openParts(await recordedFixes(port, flags), wanted);
    const [first] = parts;
    if (first === undefined) throw new UsageError('no interrupted fix is in the journals of this host or of the cluster.');
    const { id, title } = first;
    if (!flags.apply) {
      await write(
        `${id}  ${title}\nNothing was changed. podcause fix --resume ${id} --apply goes on with it, podcause undo ${id} --apply takes it back.\n`,
      );
      return EXIT.healthy;
    }
    if (!(await consent(`go on with ${id} (${title})`, 'touches-node', flags.yes))) return EXIT.found;
    const steps = await goOn({ id, parts, port, flags });
    const failed = steps.find(({ state }) => !ENDED.has(state) && state !== 'undone');
    // What was cut off in the middle of an undo goes on with that.
    const wentBack = failed === undefined && steps.some(({ state }) => state === 'undone');
    const outcome: FixOutcome = {
      version: 1,
      id,
      outcome: failed !== undefined ? 'stopped' : wentBack ? 'undone' : 'unknown',
      says:
        failed !== undefined
          ? `${failed.where}: ${failed.says}`
          : wentBack
            ? 'the undo that was cut off is finished: everything is as it was before'
            : 'finished, and not verified: podcause verify REPORT tells',
      steps,
      changed: [],
      ...(wentBack ? {} : { next: `podcause undo ${id} --apply` }),
    };
    await printOutcome(outcome, flags);
    return failed === undefined ? EXIT.healthy : EXIT.found;
  } finally {
    port?.close();
  }
}

function openParts(recorded: readonly Recorded[], wanted: string | true): readonly Recorded[] {
  const open = recorded.filter(({ id, state }) => OPEN.has(state) && (wanted === true || id === wanted));
  const ids = [...new Set(open.map(({ id }) => id))];
  if (ids.length > 1) throw new UsageError(`several fixes were interrupted; choose one: ${ids.join(', ')}`);
  return open;
}
