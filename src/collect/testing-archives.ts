import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { Header } from 'tar';
import type { Collected, Document } from '../model/document.ts';

/** Archives written byte by byte, so that tests can also write the ones no honest tool would. */
export interface TarEntry {
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly type?: 'File' | 'Directory' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'FIFO';
  readonly linkpath?: string;
  /** The size to claim, where it is not that of the body. */
  readonly size?: number;
}

export function tarBytes(entries: readonly TarEntry[]): Buffer {
  const blocks: Buffer[] = [];
  for (const entry of entries) {
    const body = Buffer.from(entry.body ?? '');
    const header = new Header({
      path: entry.path,
      size: entry.size ?? body.length,
      type: entry.type ?? 'File',
      mode: 0o644,
      linkpath: entry.linkpath ?? '',
      mtime: new Date(0),
    });
    const block = Buffer.alloc(512);
    header.encode(block);
    blocks.push(block, body, Buffer.alloc((512 - (body.length % 512)) % 512));
  }
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

export interface ZipEntry {
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly stored?: boolean;
  readonly encrypted?: boolean;
  readonly symlink?: boolean;
  readonly method?: number;
}

export function zipBytes(entries: readonly ZipEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, central } = zipEntry(entry, offset);
    locals.push(local);
    directory.push(central);
    offset += local.length;
  }
  const size = directory.reduce((sum, record) => sum + record.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

function zipEntry(entry: ZipEntry, offset: number): { local: Buffer; central: Buffer } {
  const name = Buffer.from(entry.path);
  const body = Buffer.from(entry.body ?? '');
  const data = entry.stored ? body : deflateRawSync(body);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(0x800 | (entry.encrypted ? 1 : 0), 2);
  fields.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 4);

  fields.writeUInt32LE(data.length, 14);
  fields.writeUInt32LE(body.length, 18);
  fields.writeUInt16LE(name.length, 22);
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(entry.symlink ? (0o120777 << 16) >>> 0 : (0o100644 << 16) >>> 0, 6);
  tail.writeUInt32LE(offset, 10);
  const madeBy = Buffer.from([20, 3]);
  return {
    local: Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, name, data]),
    central: Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, fields, tail, name]),
  };
}

/** Runs with a folder of its own that is gone afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'collect-test-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Gathered {
  /** Content by document name. */
  readonly texts: Record<string, string>;
  readonly names: string[];
  readonly documents: Document[];
  /** Reasons by document name. */
  readonly unread: Record<string, string>;
}

export async function gather(collected: Collected): Promise<Gathered> {
  const texts: Record<string, string> = {};
  const documents: Document[] = [];
  for await (const document of collected.documents) {
    documents.push(document);
    texts[document.name] = (await contentOf(document)).toString('utf8');
  }
  const unread = Object.fromEntries(collected.unread.map(({ doc, why }) => [doc, why]));
  return { texts, names: documents.map(({ name }) => name), documents, unread };
}

export async function contentOf(document: Document): Promise<Buffer> {
  if (document.bytes) return Buffer.from(document.bytes);
  const chunks: Buffer[] = [];
  for await (const chunk of document.read?.() ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
