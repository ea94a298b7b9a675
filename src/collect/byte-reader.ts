const EMPTY = Buffer.alloc(0);

/** Reads a stream of chunks by counts of bytes. A failing source ends it; the failure is kept for whoever asks. */
export class ByteReader {
  /** Why the source broke off, if it did. */
  failure: unknown;
  /** How many bytes were handed out. */
  position = 0;
  readonly #source: AsyncIterator<Uint8Array>;
  #chunks: Uint8Array[] = [];
  #first = 0;
  #buffered = 0;
  #ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Up to `count` bytes from here on, without taking them. */
  async peek(count: number): Promise<Buffer> {
    await this.#fill(count);
    const wanted: Uint8Array[] = [];
    let length = 0;
    for (let index = this.#first; index < this.#chunks.length && length < count; index += 1) {
      const chunk = this.#chunks[index] ?? EMPTY;
      wanted.push(chunk);
      length += chunk.length;
    }
    return Buffer.concat(wanted, Math.min(length, count));
  }

  async take(count: number): Promise<Buffer> {
    const bytes = await this.peek(count);
    this.#drop(bytes.length);
    return bytes;
  }

  /** Chunks as they come, at most `limit` bytes. */
  async *stream(limit = Number.POSITIVE_INFINITY): AsyncGenerator<Uint8Array> {
    let left = limit;
    while (left > 0 && (await this.#fill(1))) {
      const chunk = this.#chunks[this.#first] ?? EMPTY;
      const piece = chunk.length <= left ? chunk : chunk.subarray(0, left);
      left -= piece.length;
      this.#drop(piece.length);
      yield piece;
    }
  }

  async skip(count: number): Promise<void> {
    for await (const _ of this.stream(count)) {
      // Reading is all that is wanted.
    }
  }

  async close(): Promise<void> {
    this.#ended = true;
    try {
      await this.#source.return?.();
    } catch {
      // The source is being given up; how it ends no longer matters.
    }
  }

  async #fill(count: number): Promise<boolean> {
    while (this.#buffered < count && !this.#ended) {
      try {
        const next = await this.#source.next();
        if (next.done) this.#ended = true;
        else if (next.value.length > 0) {
          this.#chunks.push(next.value);
          this.#buffered += next.value.length;
        }
      } catch (error) {
        this.#ended = true;
        this.failure = error;
      }
    }
    return this.#buffered > 0;
  }

  #drop(count: number): void {
    let left = count;
    this.position += count;
    this.#buffered -= count;
    while (left > 0) {
      const chunk = this.#chunks[this.#first] ?? EMPTY;
      if (chunk.length > left) {
        this.#chunks[this.#first] = chunk.subarray(left);
        return;
      }
      left -= chunk.length;
      this.#chunks[this.#first] = EMPTY;
      this.#first += 1;
      if (this.#first * 2 > this.#chunks.length) {
        this.#chunks = this.#chunks.slice(this.#first);
        this.#first = 0;
      }
    }
  }
}
