import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { diagnose } from '../../src/diagnose.ts';
import { render } from '../../src/render/index.ts';

const root = fileURLToPath(new URL('../../cases/', import.meta.url));

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

const evidence = filesBelow(root)
  .filter((path) => path.includes('/evidence/'))
  .map((path) => readFileSync(path));

const NASTY = [
  '\u001b[31m',
  '\u202e',
  '<script>alert(1)</script>',
  '\0',
  '\r',
  '```',
  '\ufffd',
  '{"',
  '---\n',
  '$ kubectl get pods\n',
  '"'.repeat(50),
  '\t'.repeat(80),
  'Events:\n',
  '\ud800',
  '[[[[',
  '- - - -',
];

interface Mutation {
  readonly kind: 'cut' | 'double' | 'insert' | 'flip' | 'shuffle' | 'join' | 'drop-lines' | 'squeeze';
  readonly at: number;
  readonly length: number;
  readonly nasty: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('cut', 'double', 'insert', 'flip', 'shuffle', 'join', 'drop-lines', 'squeeze'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 400 }),
  nasty: fc.nat(NASTY.length - 1),
});

/** Real evidence, damaged the way pipes, editors, chats and enemies damage it. */
export const damaged: fc.Arbitrary<Uint8Array> = fc
  .tuple(fc.nat(evidence.length - 1), fc.array(mutation, { minLength: 1, maxLength: 6 }))
  .map(([index, mutations]) => mutations.reduce<Buffer>((bytes, one) => mutate(bytes, one), evidence[index] as Buffer));

function mutate(bytes: Buffer, { kind, at, length, nasty }: Mutation): Buffer {
  const from = Math.floor(at * bytes.length);
  switch (kind) {
    case 'cut':
      return bytes.subarray(0, from);
    case 'double':
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(Math.max(0, from - length), from), bytes.subarray(from)]);
    case 'insert':
      return Buffer.concat([bytes.subarray(0, from), Buffer.from(NASTY[nasty] ?? ''), bytes.subarray(from)]);
    case 'flip': {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[from % copy.length] = (copy[from % copy.length] ?? 0) ^ (1 << (length % 8));
      return copy;
    }
    case 'shuffle': {
      const lines = bytes.toString('latin1').split('\n');
      const moved = lines.splice(Math.floor(at * lines.length), 1 + (length % 5));
      lines.splice(length % (lines.length + 1), 0, ...moved);
      return Buffer.from(lines.join('\n'), 'latin1');
    }
    case 'join':
      return Buffer.concat([bytes, Buffer.from('\n'), evidence[length % evidence.length] as Buffer]);
    case 'drop-lines': {
      const lines = bytes.toString('latin1').split('\n');
      lines.splice(Math.floor(at * lines.length), length % 10);
      return Buffer.from(lines.join('\n'), 'latin1');
    }
    case 'squeeze':
      return Buffer.from(bytes.toString('latin1').replaceAll(/ {2,}/g, ' '), 'latin1');
  }
}

/** Whatever comes in, a report comes out, and every renderer draws it inert. */
export async function survives(bytes: Uint8Array): Promise<void> {
  const report = await diagnose([{ name: 'evidence.txt', size: bytes.length, bytes }]);
  if (report.failures.length > 0) throw new Error(`a rule failed: ${report.failures[0]?.cause} ${report.failures[0]?.message}`);
  const terminal = render(report, 'terminal', { width: 80, color: false, unicode: true, verbose: true });
  if (hasControls(terminal)) throw new Error('control characters in the terminal report');
  if (/<script>alert/.test(render(report, 'html'))) throw new Error('a script from evidence in the HTML report');
  render(report, 'markdown');
  JSON.parse(render(report, 'json'));
}

function hasControls(text: string): boolean {
  for (const character of text) {
    const code = character.charCodeAt(0);
    if ((code < 32 && code !== 10) || code === 127 || (code >= 0x202a && code <= 0x202e)) return true;
  }
  return false;
}
