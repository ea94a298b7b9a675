import { existsSync } from 'node:fs';
import { Bundle } from '../live/bundle.ts';
import { diagnoseLive } from '../live/diagnose-live.ts';
import { EXIT, UsageError, wordNote } from './errors.ts';
import { liveOptions, targetOf, tellBeforehand } from './live-command.ts';
import type { LiveFlags } from './live-flags.ts';
import { openPort } from './open-port.ts';
import { write } from './output.ts';
import { createProgress } from './progress.ts';

export interface CollectFlags extends LiveFlags {
  readonly file?: string;
  readonly force?: boolean;
}

/** Writes what a diagnosis would look at to one redacted archive, for people who may not hand out a kubeconfig. */
export async function collectCommand(words: readonly string[], flags: CollectFlags): Promise<number> {
  const target = targetOf(words);
  if (words.length > 0 && target === undefined) throw new UsageError(`${words[0]} is no object such as pod/NAME or node/NAME.`);
  const port = await openPort(flags);
  const progress = createProgress(process.stderr);
  const bundle = new Bundle();
  try {
    const told = await tellBeforehand(port, target, flags);
    if (told !== undefined) return told;
    const file = flags.file ?? defaultName(port.context);
    if (existsSync(file) && !flags.force) throw new UsageError(`${file} is there already; give another --file, or --force.`);
    const { source, about } = await diagnoseLive(port, {
      ...liveOptions(port, target, flags),
      redact: true,
      keep: bundle,
      onStep: (says) => progress.step(says),
    });
    const { files, missing, redactions } = await bundle.pack(file, { source, ...(about ? { about } : {}) });
    progress.done();
    await write(`${file}\n`);
    const not = missing > 0 ? `, ${missing} could not be had (see manifest.json in it)` : '';
    process.stderr.write(
      `${wordNote(`${files} files, ${redactions} secrets taken out${not}.\n  Read it with: podcause diagnose ${file}`)}\n`,
    );
    return EXIT.healthy;
  } finally {
    progress.done();
    bundle.remove();
    port.close();
  }
}

function defaultName(context: string | undefined): string {
  const where = (context ?? 'cluster').replace(/[^A-Za-z0-9.-]+/g, '-').slice(0, 60);
  const when = new Date().toISOString().slice(0, 19).replaceAll(/[:T-]/g, '');
  return `podcause-${where}-${when}.tgz`;
}
