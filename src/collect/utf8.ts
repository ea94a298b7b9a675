import type { Document } from '../model/document.ts';

/** A large document is looked at as it streams by, and whoever looks expects UTF-8; a held one is decoded as a whole. */
export function inUtf8(document: Document, encoding: 'utf-16le' | 'utf-16be' | undefined): Document {
  const { read } = document;
  return encoding === undefined || read === undefined ? document : { ...document, read: () => recoded(read(), encoding) };
}

async function* recoded(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(decoder.decode(chunk, { stream: true }));
    if (bytes.length > 0) yield bytes;
  }
  const rest = Buffer.from(decoder.decode());
  if (rest.length > 0) yield rest;
}
