import { createGunzip, createInflateRaw, type Gunzip, type InflateRaw } from 'node:zlib';
import { CutShort, type ExpansionGuard } from './limits.ts';

/** Small enough that a thousandfold expansion of one slice stays small. */
const SLICE = 16 * 1024;

/** Unpacks a stream. What came out before damage is handed on before the damage is thrown. */
export async function* inflate(
  source: AsyncIterable<Uint8Array>,
  format: 'gzip' | 'deflate-raw',
  guard: ExpansionGuard,
): AsyncGenerator<Uint8Array> {
  const unpacker = format === 'gzip' ? createGunzip() : createInflateRaw();
  const state: State = { ready: [], failure: undefined, finished: false, wake: () => {} };
  listen(unpacker, state);
  try {
    for await (const chunk of source) {
      for (let at = 0; at < chunk.length && !state.finished; at += SLICE) {
        const slice = chunk.subarray(at, at + SLICE);
        guard.took(slice.length);
        await step(state, (done) => unpacker.write(slice, done));
        yield* drain(state, guard);
      }
      if (state.finished) break;
    }
    // Only its end, or an error, tells that everything came out.
    while (!state.finished) await step(state, () => unpacker.end());
    yield* drain(state, guard);
    if (state.failure) throw new CutShort(damage(state.failure));
  } finally {
    unpacker.destroy();
  }
}

interface State {
  ready: Buffer[];
  failure: Error | undefined;
  finished: boolean;
  wake: () => void;
}

function listen(unpacker: Gunzip | InflateRaw, state: State): void {
  const finish = (failure?: Error) => {
    state.failure ??= failure;
    state.finished = true;
    state.wake();
  };
  unpacker.on('data', (chunk: Buffer) => state.ready.push(chunk));
  unpacker.on('error', finish);
  unpacker.on('end', () => finish());
  unpacker.on('close', () => finish());
}

/** Data behind the end of the packed stream is never acknowledged, so the end itself must wake as well. */
function step(state: State, act: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    state.wake = resolve;
    act(resolve);
  });
}

function* drain(state: State, guard: ExpansionGuard): Generator<Uint8Array> {
  const chunks = state.ready;
  state.ready = [];
  for (const chunk of chunks) {
    guard.gave(chunk.length);
    yield chunk;
  }
}

function damage(error: Error): string {
  const early = error.message.includes('unexpected end of file');
  return early ? 'cut short: the compressed data ends too early' : `damaged: the compressed data is broken (${error.message})`;
}
