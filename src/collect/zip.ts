import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, getFileNameLowLevel, RandomAccessReader, type ZipFile } from 'yauzl';
import { inflate } from './inflate.ts';
import { type Budget, ExpansionGuard } from './limits.ts';
import { memberName } from './names.ts';
import type { Notes } from './notes.ts';
import type { RandomBytes } from './spool.ts';
import type { Member } from './tar.ts';
import { whyStopped } from './why.ts';

const WINDOW = 256 * 1024;
const SMALL = 16 * 1024;

interface Window {
  readonly start: number;
  readonly bytes: Buffer;
}

/** Hands a zip's bytes to the library, with a window so that its directory is not read in tiny pieces. */
class ZipReader extends RandomAccessReader {
  readonly #bytes: RandomBytes;
  /** One follows the directory, the other the members. */
  #windows: Window[] = [];

  constructor(bytes: RandomBytes) {
    super();
    this.#bytes = bytes;
  }

  override read(buffer: Buffer, offset: number, length: number, position: number, callback: (error: Error | null) => void): void {
    this.#copy(buffer, offset, length, position).then(
      () => setImmediate(callback, null),
      (error: unknown) => setImmediate(callback, error instanceof Error ? error : new Error(String(error))),
    );
  }

  async #copy(buffer: Buffer, offset: number, length: number, position: number): Promise<void> {
    // Offsets are numbers a stranger wrote into the archive.
    if (!(position >= 0 && position + length <= this.#bytes.size)) throw new Error('unexpected end of the archive');
    const window = await this.#windowFor(position, length);
    const from = position - window.start;
    if (window.bytes.copy(buffer, offset, from, from + length) < length) throw new Error('unexpected end of the archive');
  }

  async #windowFor(position: number, length: number): Promise<Window> {
    const known = this.#windows.find(({ start, bytes }) => position >= start && position + length <= start + bytes.length);
    const window = known ?? { start: position, bytes: await this.#bytes.read(position, Math.max(length, WINDOW)) };
    const other = this.#windows.find((candidate) => candidate !== window);
    this.#windows = other ? [window, other] : [window];
    return window;
  }
}

export async function* zipMembers(bytes: RandomBytes, archive: string, budget: Budget, notes: Notes): AsyncGenerator<Member> {
  let zip: ZipFile | undefined;
  try {
    zip = await fromRandomAccessReaderPromise(new ZipReader(bytes), bytes.size, { autoClose: false, decodeStrings: false });
    zip.on('error', () => {});
    const guard = new ExpansionGuard(budget, bytes.size);
    for await (const entry of zip.eachEntry()) {
      if (!budget.countEntry()) {
        notes.add(archive, `${zip.entryCount} entries, of which only the first ${zip.entriesRead - 1} were read`);
        return;
      }
      const name = takeMember(entry, archive, notes);
      if (name === undefined) continue;
      const start = await dataStart(zip, entry, name, notes);
      if (start !== undefined) yield { name, chunks: entryChunks(bytes, start, entry, guard) };
    }
  } catch (error) {
    notes.add(archive, zip ? `damaged: ${whyStopped(error)}` : 'damaged or cut short: the directory at its end is missing');
  } finally {
    zip?.close();
  }
}

async function dataStart(zip: ZipFile, entry: Entry, name: string, notes: Notes): Promise<number | undefined> {
  try {
    return (await zip.readLocalFileHeaderPromise(entry, { minimal: true })).fileDataStart;
  } catch (error) {
    notes.add(name, `damaged: ${whyStopped(error)}`);
    return undefined;
  }
}

async function* entryChunks(bytes: RandomBytes, start: number, entry: Entry, guard: ExpansionGuard): AsyncGenerator<Uint8Array> {
  const deflated = entry.compressionMethod === 8;
  const atOnce = deflated && entry.compressedSize <= SMALL ? inflateAtOnce(await bytes.read(start, entry.compressedSize)) : undefined;
  const stored = bytes.range(start, start + entry.compressedSize);
  if (deflated && !atOnce) {
    yield* inflate(stored, 'deflate-raw', guard);
    return;
  }
  for await (const chunk of atOnce ? [atOnce] : stored) {
    guard.gave(chunk.length);
    yield chunk;
  }
}

/** Streams cost more to set up than a small member takes to unpack; a damaged one is left to the stream, which keeps its beginning. */
function inflateAtOnce(packed: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(packed);
  } catch {
    return undefined;
  }
}

/** The name to show for an entry that can be read; anything else is noted or, for folders, passed over. */
function takeMember(entry: Entry, archive: string, notes: Notes): string | undefined {
  const raw: Buffer = entry.fileNameRaw;
  const stored = isUtf8(raw) ? raw.toString('utf8') : getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false);
  if (stored.endsWith('/') || stored.endsWith('\\')) return undefined;
  const { name, strays } = memberName(archive, stored);
  const why = whySkipped(entry);
  if (why !== undefined) {
    notes.add(name, why, entry.uncompressedSize);
    return undefined;
  }
  if (strays) notes.add(name, 'its name points outside the archive: read under this name, written nowhere');
  return name;
}

function whySkipped(entry: Entry): string | undefined {
  if (entry.isEncrypted()) return 'encrypted: unpack it with its password first';
  const madeOnUnix = entry.versionMadeBy >>> 8 === 3;
  const fileType = madeOnUnix ? (entry.externalFileAttributes >>> 16) & 0o170000 : 0;
  if (fileType === 0o120000) return 'a link inside an archive: not followed';
  if (fileType !== 0 && fileType !== 0o100000) return 'a device: not read';
  if (!entry.canDecodeFileData()) return `packed with a method this tool does not know (${entry.compressionMethod}): unpack it first`;
  return undefined;
}
