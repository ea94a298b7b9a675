import { UsageError } from './errors.ts';

/** The reader went away (`| head`): no failure. */
const GONE: ReadonlySet<string> = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/** Without a listener a closed pipe ends the process with a stack trace; whoever writes hears of errors anyway. */
export function guardStreams(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}

export function write(text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(text, (error: NodeJS.ErrnoException | null | undefined) => {
      if (!error || GONE.has(error.code ?? '')) resolve();
      else reject(new UsageError(`cannot write the output: ${error.message}.`));
    });
  });
}
