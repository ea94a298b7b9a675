export interface TarFile {
  /** Without a leading slash. */
  readonly path: string;
  readonly data: string | Uint8Array;
  /** 0644 unless given. */
  readonly mode?: number;
}

const block = 512;

/** A plain ustar archive of files owned by root, padded so that it also serves as a disk. */
export function tar(files: readonly TarFile[]): Buffer {
  const pieces: Buffer[] = [];
  for (const file of files) {
    const data = Buffer.from(file.data);
    pieces.push(header(file, data.length), data, Buffer.alloc((block - (data.length % block)) % block));
  }
  pieces.push(Buffer.alloc(2 * block));
  const archive = Buffer.concat(pieces);
  return Buffer.concat([archive, Buffer.alloc((20 * block - (archive.length % (20 * block))) % (20 * block))]);
}

function header(file: TarFile, size: number): Buffer {
  const { prefix, name } = splitName(file.path);
  const head = Buffer.alloc(block);
  head.write(name, 0, 100, 'utf8');
  head.write(octal(file.mode ?? 0o644, 7), 100);
  head.write(octal(0, 7), 108);
  head.write(octal(0, 7), 116);
  head.write(octal(size, 11), 124);
  head.write(octal(0, 11), 136);
  head.write('        ', 148); // the checksum counts as spaces while it is summed
  head.write('0', 156);
  head.write('ustar\u000000', 257);
  head.write(prefix, 345, 155, 'utf8');
  let sum = 0;
  for (const byte of head) sum += byte;
  head.write(`${octal(sum, 6)} `, 148);
  return head;
}

function splitName(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', name: path };
  const cut = path.lastIndexOf('/', 155);
  const name = path.slice(cut + 1);
  if (cut <= 0 || Buffer.byteLength(name) > 100) throw new Error(`no tar header holds the name ${path}`);
  return { prefix: path.slice(0, cut), name };
}

function octal(value: number, digits: number): string {
  return `${value.toString(8).padStart(digits, '0')}\u0000`;
}
