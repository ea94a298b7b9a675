import { collectHost } from '../collect/node/collect-host.ts';
import { hostScript } from '../collect/node/host-script.ts';
import { diagnose } from '../diagnose.ts';
import type { Unread } from '../model/document.ts';
import { type DiagnoseFlags, exitCodeOf, print } from './diagnose-command.ts';
import { EXIT, UsageError, wordNote } from './errors.ts';
import { languageFor } from './language.ts';
import { write } from './output.ts';
import { causesFor } from './own-causes.ts';
import { createProgress } from './progress.ts';

export interface NodeFlags extends DiagnoseFlags {
  /** Print what was read instead of a report: for a pipe to podcause elsewhere. */
  readonly evidence?: boolean;
  /** Print the shell script that reads the same on a host without Node.js. */
  readonly script?: boolean;
}

/** Looks at the host it runs on, reading only. */
export async function nodeCommand(flags: NodeFlags): Promise<number> {
  if (flags.evidence && flags.script) throw new UsageError('--evidence and --script are two ways to do the same; choose one.');
  if (flags.script) {
    await write(hostScript());
    return EXIT.healthy;
  }
  if (process.platform !== 'linux') {
    throw new UsageError(
      'podcause node looks at the Linux host it runs on, and this is none.\n  From here: podcause node --script | ssh HOST sudo sh -s | podcause -',
    );
  }
  const progress = createProgress(process.stderr);
  const named = process.env['PODCAUSE_NODE'];
  const { documents, unread, text } = await collectHost({
    ...(named ? { node: named } : {}),
    onProbe: (shows) => progress.step(shows),
  }).finally(() => progress.done());
  tellMissed(unread);
  if (flags.evidence) {
    await write(text);
    return EXIT.healthy;
  }
  const report = await diagnose(documents, {
    causes: await causesFor(flags),
    unread,
    redact: flags.redact,
    translate: languageFor(flags).translate,
    ...(flags.focus ? { focus: flags.focus } : {}),
  });
  await print(report, flags);
  return exitCodeOf(report);
}

const SHOWN = 6;

/** Root sees more than others: what was not seen is said before a report that rests on the rest. */
function tellMissed(unread: readonly Unread[]): void {
  const root = process.getuid?.() === 0;
  if (!root) process.stderr.write(`${wordNote('not run as root: a host shows much of itself only to root (try sudo).')}\n`);
  for (const { command, doc, why } of unread.slice(0, SHOWN)) {
    process.stderr.write(`${wordNote(`could not read: ${(command ?? doc).slice(0, 120)}: ${why}`)}\n`);
  }
  if (unread.length > SHOWN) process.stderr.write(`${wordNote(`… and ${unread.length - SHOWN} more.`)}\n`);
}
