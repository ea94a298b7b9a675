import { open } from 'node:fs/promises';
import type { Document } from '../model/document.ts';
import { ByteReader } from './byte-reader.ts';
import { inflate } from './inflate.ts';
import { detectKind, HEAD_BYTES, utf16Of, whyNotText } from './kinds.ts';
import { Budget, ExpansionGuard, type Limits, type ResolvedLimits, resolveLimits } from './limits.ts';
import { Notes } from './notes.ts';
import { memoryBytes, OpenFile, type RandomBytes, Spool } from './spool.ts';
import type { Member } from './tar.ts';
import { inUtf8 } from './utf8.ts';
import { whyStopped } from './why.ts';

/** What one collection shares: its limits, its notes, its one temporary file. */
export interface Run {
  readonly limits: ResolvedLimits;
  readonly budget: Budget;
  readonly notes: Notes;
  readonly spool: Spool;
}

export function startRun(options?: Limits): Run {
  const limits = resolveLimits(options);
  return { limits, budget: new Budget(limits), notes: new Notes(), spool: new Spool(limits.temporaryFolder) };
}

/** Bytes with a name, before it is known what they are. */
export interface Input {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Where the same bytes lie on disk, so that they can be read there again. */
  readonly file?: { readonly path: string; readonly size: number };
  /** Up to how much may be kept in memory; the limit for documents unless given. */
  readonly memory?: number;
  /** Archives around it, and gzip layers since the last of them. */
  readonly depth?: number;
  readonly layers?: number;
}

const GZIP_LAYERS = 2;

/** Turns an input into its documents, opening archives on the way. Never throws: what goes wrong is noted. */
export async function* openInput(input: Input, run: Run): AsyncGenerator<Document> {
  const reader = new ByteReader(input.chunks);
  try {
    const kind = detectKind(await reader.peek(HEAD_BYTES));
    if (kind.kind === 'empty') noteEmpty(input, reader, run);
    else if (kind.kind === 'binary') run.notes.add(input.name, `binary (${kind.what})`, input.file?.size);
    else if (kind.kind === 'gzip') yield* openGzip(input, reader, run);
    else if (kind.kind === 'tar' || kind.kind === 'zip') yield* openArchive(kind.kind, input, reader, run);
    else yield* openText(input, reader, run);
  } catch (error) {
    run.notes.add(input.name, whyStopped(error), input.file?.size);
  } finally {
    await reader.close();
  }
}

function noteEmpty(input: Input, reader: ByteReader, run: Run): void {
  run.notes.add(input.name, reader.failure === undefined ? 'empty' : whyStopped(reader.failure), input.file?.size ?? 0);
}

async function* openGzip(input: Input, reader: ByteReader, run: Run): AsyncGenerator<Document> {
  const layers = (input.layers ?? 0) + 1;
  if (layers > GZIP_LAYERS) {
    run.notes.add(input.name, `gzip inside gzip, more than ${GZIP_LAYERS} layers deep: not opened`);
    return;
  }
  const chunks = inflate(reader.stream(), 'gzip', new ExpansionGuard(run.budget));
  const { name, memory, depth } = input;
  yield* openInput({ name, chunks, layers, ...(memory !== undefined ? { memory } : {}), ...(depth !== undefined ? { depth } : {}) }, run);
  // Damage of the packed file itself surfaces here when unpacking swallowed it as a mere end.
  if (reader.failure !== undefined) run.notes.add(name, whyStopped(reader.failure));
}

async function* openArchive(kind: 'tar' | 'zip', input: Input, reader: ByteReader, run: Run): AsyncGenerator<Document> {
  const depth = (input.depth ?? 0) + 1;
  if (depth > run.limits.depth) {
    run.notes.add(input.name, `an archive inside ${run.limits.depth} others: not opened`);
    return;
  }
  // Most evidence is no archive, and loading the libraries costs more than reading it.
  if (kind === 'tar') {
    const { tarMembers } = await import('./tar.ts');
    yield* openMembers(tarMembers(reader, input.name, run.budget, run.notes), depth, run);
    return;
  }
  const { zipMembers } = await import('./zip.ts');
  const file = input.file ? new OpenFile(input.file.path) : undefined;
  try {
    const bytes = file ? file.slice(0, input.file?.size ?? 0) : await holdBytes(reader, run.limits.stdinHeldBytes, run);
    yield* openMembers(zipMembers(bytes, input.name, run.budget, run.notes), depth, run);
  } finally {
    file?.close();
  }
}

async function* openMembers(members: AsyncIterable<Member>, depth: number, run: Run): AsyncGenerator<Document> {
  for await (const member of members) yield* openInput({ ...member, depth }, run);
}

async function holdBytes(reader: ByteReader, memory: number, run: Run): Promise<RandomBytes> {
  const held = await reader.peek(memory + 1);
  return held.length <= memory ? memoryBytes(await reader.take(held.length)) : run.spool.append(reader.stream());
}

async function* openText(input: Input, reader: ByteReader, run: Run): AsyncGenerator<Document> {
  const { heldBytes } = run.limits;
  const onDisk = input.file !== undefined && input.file.size > heldBytes;
  const held = onDisk ? await sampleFile(input.file) : await reader.peek(Math.max(heldBytes, input.memory ?? 0) + 1);
  const why = whyNotText(held);
  if (why !== undefined) {
    run.notes.add(input.name, `binary (${why})`, input.file?.size);
    return;
  }
  const found = onDisk ? fileDocument(input.name, input.file, run) : await heldDocument(input, held, reader, run);
  const document = inUtf8(found, utf16Of(held));
  if (reader.failure !== undefined) run.notes.add(input.name, whyStopped(reader.failure), document.size);
  yield document;
}

async function heldDocument(input: Input, held: Buffer, reader: ByteReader, run: Run): Promise<Document> {
  const { name } = input;
  if (held.length <= run.limits.heldBytes) return { name, size: held.length, bytes: held };
  if (held.length <= (input.memory ?? 0)) return streamed(name, memoryBytes(held), run);
  try {
    return streamed(name, await run.spool.append(reader.stream()), run);
  } catch (error) {
    const bytes = held.subarray(0, run.limits.heldBytes);
    run.notes.add(name, `only its first ${bytes.length} bytes were read: ${whyStopped(error)}`);
    return { name, size: bytes.length, bytes };
  }
}

function streamed(name: string, bytes: RandomBytes, run: Run): Document {
  return { name, size: bytes.size, read: () => noting(name, bytes.range(0, bytes.size), run) };
}

function fileDocument(name: string, file: { readonly path: string; readonly size: number }, run: Run): Document {
  return {
    name,
    size: file.size,
    read: () => noting(name, readAgain(file), run),
  };
}

const CHUNK = 1 << 20;

/** Through one buffer: fresh ones for each chunk of a large file cost more than reading it. */
async function* readAgain(file: { readonly path: string; readonly size: number }): AsyncGenerator<Uint8Array> {
  const handle = await open(file.path, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK);
    for (let at = 0; at < file.size; ) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK, file.size - at), at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
}

/** Reading again may fail long after the document was handed out; that, too, is a note. */
async function* noting(name: string, chunks: AsyncIterable<Uint8Array>, run: Run): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    run.notes.add(name, `not read to the end: ${whyStopped(error)}`);
  }
}

const SAMPLE = 4096;

async function sampleFile(file: { readonly path: string; readonly size: number }): Promise<Buffer> {
  const handle = await open(file.path, 'r');
  try {
    const buffer = Buffer.alloc(3 * SAMPLE);
    const places = [0, Math.floor(file.size / 2) & ~1, file.size - SAMPLE];
    let filled = 0;
    for (const place of places) filled += (await handle.read(buffer, filled, SAMPLE, place)).bytesRead;
    return buffer.subarray(0, filled);
  } finally {
    await handle.close();
  }
}
