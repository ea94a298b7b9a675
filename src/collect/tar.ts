import { Header, Pax } from 'tar';
import type { ByteReader } from './byte-reader.ts';
import type { Budget } from './limits.ts';
import { memberName } from './names.ts';
import type { Notes } from './notes.ts';
import { whyStopped } from './why.ts';

const BLOCK = 512;
const META_LIMIT = 1024 * 1024;

/** A file inside an archive; its chunks can be read once, before the next member is asked for. */
export interface Member {
  readonly name: string;
  readonly chunks: AsyncIterable<Uint8Array>;
}

interface Extensions {
  pax: Pax | undefined;
  globalPax: Pax | undefined;
  longPath: string | undefined;
}

const FILES: ReadonlySet<string> = new Set(['File', 'OldFile', 'ContiguousFile']);

const SKIPPED: ReadonlyMap<string, string> = new Map([
  ['Link', 'a link inside an archive: not followed'],
  ['SymbolicLink', 'a link inside an archive: not followed'],
  ['CharacterDevice', 'a device: not read'],
  ['BlockDevice', 'a device: not read'],
  ['FIFO', 'a named pipe: not read'],
  ['SparseFile', 'a sparse file inside an archive: not read'],
]);

const SILENT: ReadonlySet<string> = new Set(['Directory', 'GNUDumpDir', 'TapeVolumeHeader', 'SolarisACL']);

/** Walks a tar stream header by header; only names and bytes are looked at, nothing is unpacked to disk. */
export async function* tarMembers(reader: ByteReader, archive: string, budget: Budget, notes: Notes): AsyncGenerator<Member> {
  const extensions: Extensions = { pax: undefined, globalPax: undefined, longPath: undefined };
  let entries = 0;
  let entriesRead = 0;
  for (;;) {
    const header = await nextHeader(reader, archive, extensions, entries, notes);
    if (!header) break;
    const size = header.size ?? 0;
    if (await readExtension(header, size, reader, extensions)) continue;
    const stored = extensions.pax?.path ?? extensions.longPath ?? header.path ?? '';
    extensions.pax = undefined;
    extensions.longPath = undefined;
    entries += 1;
    const dataEnd = reader.position + size;
    let name: string | undefined;
    if (budget.countEntry()) {
      entriesRead += 1;
      name = takeMember(header.type, stored, archive, notes);
      if (name !== undefined) yield { name, chunks: reader.stream(size) };
    }
    await reader.skip(dataEnd + padding(size) - reader.position);
    if (reader.position < dataEnd) {
      noteEnd(reader, true, name ?? archive, notes);
      break;
    }
  }
  if (entriesRead < entries) notes.add(archive, `${entries} entries, of which only the first ${entriesRead} were read`);
}

/** The next sound header, or undefined at the end of the archive; after damage it looks for the next one. */
async function nextHeader(
  reader: ByteReader,
  archive: string,
  extensions: Extensions,
  entries: number,
  notes: Notes,
): Promise<Header | undefined> {
  let emptyBlocks = 0;
  let damaged = false;
  while (emptyBlocks < 2) {
    const block = await reader.take(BLOCK);
    if (block.length < BLOCK) {
      noteEnd(reader, block.length > 0 || entries === 0, archive, notes);
      return undefined;
    }
    emptyBlocks = block.every((byte) => byte === 0) ? emptyBlocks + 1 : 0;
    if (emptyBlocks > 0) continue;
    const header = decodeHeader(block, extensions);
    if (header) return header;
    if (!damaged) notes.add(archive, 'damaged: a header inside the archive is broken, what follows it may be missing');
    damaged = true;
  }
  return undefined;
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function noteEnd(reader: ByteReader, early: boolean, archive: string, notes: Notes): void {
  if (reader.failure !== undefined) notes.add(archive, whyStopped(reader.failure));
  else if (early) notes.add(archive, 'cut short: the archive ends too early');
}

function decodeHeader(block: Buffer, extensions: Extensions): Header | undefined {
  try {
    const header = new Header(block, 0, extensions.pax, extensions.globalPax);
    const sane = header.cksumValid && (header.size === undefined || Number.isSafeInteger(header.size));
    return sane ? header : undefined;
  } catch {
    return undefined;
  }
}

/** Headers that only say something about the entry after them. */
async function readExtension(header: Header, size: number, reader: ByteReader, extensions: Extensions): Promise<boolean> {
  const type = header.type;
  const isPax = type === 'ExtendedHeader' || type === 'OldExtendedHeader' || type === 'GlobalExtendedHeader';
  const isLongPath = type === 'NextFileHasLongPath' || type === 'OldGnuLongPath';
  if (!isPax && !isLongPath && type !== 'NextFileHasLongLinkpath') return false;
  const end = reader.position + size + padding(size);
  const body = size <= META_LIMIT ? (await reader.take(size)).toString('utf8') : '';
  await reader.skip(end - reader.position);
  if (isLongPath) extensions.longPath = body.split('\0', 1)[0];
  if (isPax && type === 'GlobalExtendedHeader') extensions.globalPax = Pax.parse(body, extensions.globalPax, true);
  else if (isPax) extensions.pax = Pax.parse(body, extensions.pax, false);
  return true;
}

/** The name to show for an entry that is a file; anything else is noted or passed over. */
function takeMember(type: string, stored: string, archive: string, notes: Notes): string | undefined {
  if (SILENT.has(type)) return undefined;
  const { name, strays } = memberName(archive, stored);
  if (!FILES.has(type)) {
    notes.add(name, SKIPPED.get(type) ?? 'an unknown kind of entry: not read');
    return undefined;
  }
  if (strays) notes.add(name, 'its name points outside the archive: read under this name, written nowhere');
  return name;
}
