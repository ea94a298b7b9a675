import type { Collected } from '../model/document.ts';
import type { Limits } from './limits.ts';
import { type Input, openInput, type Run, startRun } from './open.ts';

type Chunks = AsyncIterable<Uint8Array | string>;

/** Reads one stream, such as `process.stdin`: text, or any archive that `collectPaths` would open. */
export function collectStdin(stream: Chunks, options?: Limits): Collected {
  const run = startRun(options);
  return { documents: openInput(stdinInput(stream, run), run), unread: run.notes.unread };
}

export function stdinInput(stream: Chunks, run: Run): Input {
  return { name: 'stdin', chunks: metered(stream, run), memory: run.limits.stdinHeldBytes };
}

/** A pipe may never end, so it counts against the budget. */
async function* metered(stream: Chunks, run: Run): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    run.budget.spend(chunk.length);
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}
