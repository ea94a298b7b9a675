import type { WriteStream } from 'node:tty';

interface Progress {
  reading(doc: string, bytes: number): void;
  /** What a live diagnosis does at the moment. */
  step(says: string): void;
  done(): void;
}

const QUIET_MS = 1000;

/** One line on stderr, only on a terminal and only when it takes longer than a second. */
export function createProgress(stream: WriteStream): Progress {
  if (stream.isTTY !== true) return { reading() {}, step() {}, done() {} };
  const started = Date.now();
  let shown = false;
  let documents = 0;
  return {
    reading(doc, bytes) {
      documents++;
      if (Date.now() - started < QUIET_MS && bytes < 64 * 1024 * 1024) return;
      shown = true;
      const name = doc.replace(/[^\p{L}\p{N}./_-]/gu, '?').slice(-50);
      stream.write(`\r\u001b[Kreading ${documents}: ${name} (${Math.ceil(bytes / 1024 / 1024)} MB)`);
    },
    step(says) {
      if (Date.now() - started < QUIET_MS) return;
      shown = true;
      stream.write(`\r\u001b[K${says.replace(/[^\p{L}\p{N}./_, -]/gu, '?').slice(0, Math.max(20, (stream.columns ?? 80) - 1))}`);
    },
    done() {
      if (shown) stream.write('\r\u001b[K');
      shown = false;
    },
  };
}
