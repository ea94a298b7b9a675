/** What bytes are, told by the bytes and never by a name. */
type Kind = { readonly kind: 'empty' | 'gzip' | 'tar' | 'zip' | 'text' } | { readonly kind: 'binary'; readonly what: string };

/** Enough for every signature, a tar header and a first look at the text. */
export const HEAD_BYTES = 4096;

type Signature = readonly [bytes: string, what: string, offset?: number];

/** Written as Latin-1 strings. */
const SIGNATURES: readonly Signature[] = [
  ['\x89PNG\r\n\x1a\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['%PDF-', 'PDF document'],
  ['SQLite format 3\0', 'SQLite database'],
  ['LPKSHHRH', 'systemd journal: export it with journalctl --file'],
  ['k8s\0', 'Kubernetes protobuf'],
  ['BZh', 'bzip2: unpack it first'],
  ['\xfd7zXZ\0', 'xz: unpack it first'],
  ['\x28\xb5\x2f\xfd', 'zstd: unpack it first'],
  ['\x04\x22\x4d\x18', 'lz4: unpack it first'],
  ['7z\xbc\xaf\x27\x1c', '7-Zip archive: unpack it first'],
  ['Rar!\x1a\x07', 'RAR archive: unpack it first'],
  ['\xca\xfe\xba\xbe', 'Java class or Mach-O program'],
  ['\xcf\xfa\xed\xfe', 'Mach-O program'],
  ['\0asm', 'WebAssembly'],
  ['\xd4\xc3\xb2\xa1', 'packet capture'],
  ['\xa1\xb2\xc3\xd4', 'packet capture'],
  ['\x0a\x0d\x0d\x0a', 'packet capture'],
  ['\x80\x1e\x4b\x44', 'core dump'],
  ['KDUMP   ', 'kernel crash dump'],
  ['RIFF', 'RIFF media'],
  ['ftyp', 'MP4 media', 4],
  ['\x1f\x9d', 'compress archive: unpack it first'],
];

export function detectKind(head: Uint8Array): Kind {
  if (head.length === 0) return { kind: 'empty' };
  const start = Buffer.from(head.subarray(0, 64)).toString('latin1');
  if (start.startsWith('\x1f\x8b\x08')) return { kind: 'gzip' };
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06') || start.startsWith('PK\x07\x08')) return { kind: 'zip' };
  if (start.startsWith('\x7fELF')) return { kind: 'binary', what: isCoreDump(head) ? 'core dump' : 'ELF program' };
  const signature = SIGNATURES.find(([bytes, what, offset = 0]) => start.startsWith(bytes, offset) && isNoText(head, what));
  if (signature) return { kind: 'binary', what: signature[1] };
  if (looksLikeTar(head)) return { kind: 'tar' };
  return { kind: 'text' };
}

/** Some signatures are plain letters that a log could begin with. */
function isNoText(head: Uint8Array, what: string): boolean {
  return (what !== 'RIFF media' && !what.startsWith('bzip2')) || head.subarray(0, 64).some((byte) => byte < 9 || byte > 0x7e);
}

function isCoreDump(head: Uint8Array): boolean {
  const littleEndian = head[5] !== 2;
  return (littleEndian ? head[16] : head[17]) === 4;
}

function looksLikeTar(head: Uint8Array): boolean {
  if (head.length < 512 || head[0] === 0) return false;
  const stored = Number.parseInt(Buffer.from(head.subarray(148, 156)).toString('latin1').replaceAll('\0', ' ').trim(), 8);
  let sum = 8 * 0x20;
  for (let index = 0; index < 512; index += 1) {
    if (index < 148 || index >= 156) sum += head[index] ?? 0;
  }
  return sum === stored;
}

const HOLE = 64;
const SAMPLE = 4096;

/**
 * Says why bytes are no text, or undefined if they are. Long runs of NUL are holes that a crash or a rotated log leaves
 * in text files, so they do not count.
 */
export function whyNotText(bytes: Uint8Array): string | undefined {
  const middle = Math.max(0, (bytes.length >> 1) & ~1);
  const samples =
    bytes.length <= 3 * SAMPLE ? [bytes] : [bytes.subarray(0, SAMPLE), bytes.subarray(middle, middle + SAMPLE), bytes.subarray(-SAMPLE)];
  if (samples[0] && utf16Of(samples[0]) !== undefined) return undefined;
  let counted = 0;
  let odd = 0;
  for (const sample of samples) {
    const count = countOddBytes(sample);
    counted += count.counted;
    odd += count.odd;
  }
  if (counted === 0) return 'nothing but NUL bytes';
  return odd > counted * 0.05 ? 'not text' : undefined;
}

function countOddBytes(sample: Uint8Array): { counted: number; odd: number } {
  let counted = 0;
  let odd = 0;
  let run = 0;
  for (const byte of sample) {
    if (byte === 0) {
      run += 1;
      continue;
    }
    if (run < HOLE) {
      counted += run;
      odd += run;
    }
    run = 0;
    counted += 1;
    const control = byte < 0x20 && !(byte >= 0x07 && byte <= 0x0d) && byte !== 0x1b;
    if (control || byte === 0x7f) odd += 1;
  }
  return run < HOLE ? { counted: counted + run, odd: odd + run } : { counted, odd };
}

/** Which of the two-byte encodings the text is in, if it is: Windows tools write them without being asked. */
export function utf16Of(sample: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = sample;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const pairs = Math.min(sample.length, SAMPLE) >> 1;
  if (pairs < 2) return undefined;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < pairs; index += 1) {
    if (sample[index * 2] === 0) even += 1;
    if (sample[index * 2 + 1] === 0) odd += 1;
  }
  const [more, less] = even > odd ? [even, odd] : [odd, even];
  if (more <= pairs * 0.2 || less >= pairs * 0.02) return undefined;
  return even > odd ? 'utf-16be' : 'utf-16le';
}
