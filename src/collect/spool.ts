import { close, closeSync, mkdtempSync, openSync, read, rmSync, write } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const readAt = promisify(read);
const writeAt = promisify(write);

const CHUNK = 256 * 1024;

const openFiles = new FinalizationRegistry<number>((descriptor) => close(descriptor, () => {}));

/** A stretch of bytes that can be read at any place, any number of times. */
export interface RandomBytes {
  readonly size: number;
  read(position: number, length: number): Promise<Buffer>;
  range(start: number, end: number): AsyncIterable<Uint8Array>;
}

export function memoryBytes(bytes: Uint8Array): RandomBytes {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size: buffer.length,
    read: async (position, length) => buffer.subarray(position, position + length),
    async *range(start, end) {
      for (let at = start; at < end; at += CHUNK) yield buffer.subarray(at, Math.min(at + CHUNK, end));
    },
  };
}

/** A file's descriptor, closed when nothing can read through it any more. */
export class OpenFile {
  readonly descriptor: number;

  constructor(path: string, flags = 'r') {
    this.descriptor = openSync(path, flags, 0o600);
    openFiles.register(this, this.descriptor, this);
  }

  close(): void {
    if (openFiles.unregister(this)) closeSync(this.descriptor);
  }

  slice(base: number, size: number): RandomBytes {
    const readBytes = async (position: number, length: number): Promise<Buffer> => {
      const wanted = Math.max(0, Math.min(length, size - position));
      const buffer = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await readAt(this.descriptor, buffer, filled, wanted - filled, base + position + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    };
    return {
      size,
      read: readBytes,
      async *range(start, end) {
        let at = start;
        while (at < end) {
          const bytes = await readBytes(at, Math.min(CHUNK, end - at));
          if (bytes.length === 0) return;
          at += bytes.length;
          yield bytes;
        }
      },
    };
  }
}

const leftFolders = new Set<string>();

/** Some systems refuse to unlink an open file; what is left then goes when the process ends. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
    leftFolders.delete(folder);
  } catch {
    if (leftFolders.size === 0) process.once('exit', () => [...leftFolders].forEach(removeFolder));
    leftFolders.add(folder);
  }
}

/**
 * One nameless temporary file for everything too large to hold. It is unlinked as soon as it is open, so that it goes
 * away with the process however that ends; evidence must not stay behind.
 */
export class Spool {
  readonly #folder: string | undefined;
  #file: OpenFile | undefined;
  #end = 0;

  constructor(folder?: string) {
    this.#folder = folder;
  }

  async append(chunks: AsyncIterable<Uint8Array>): Promise<RandomBytes> {
    const file = this.#open();
    const start = this.#end;
    for await (const chunk of chunks) {
      let written = 0;
      while (written < chunk.length) {
        const { bytesWritten } = await writeAt(file.descriptor, chunk, written, chunk.length - written, this.#end);
        written += bytesWritten;
        this.#end += bytesWritten;
      }
    }
    return file.slice(start, this.#end - start);
  }

  #open(): OpenFile {
    if (this.#file) return this.#file;
    const folder = mkdtempSync(join(this.#folder ?? tmpdir(), 'podcause-'));
    try {
      this.#file = new OpenFile(join(folder, 'spool'), 'wx+');
    } finally {
      removeFolder(folder);
    }
    return this.#file;
  }
}
