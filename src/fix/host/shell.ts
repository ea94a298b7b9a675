/** Bytes as one word of POSIX shell, whatever they are. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A printf that prints exactly these bytes; everything but plain characters as octal, so that a reader sees what is written. */
export function printBytes(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const lines: string[] = [];
  let line = '';
  for (const byte of bytes) {
    // A format that begins with a dash would be taken for an option.
    line += line === '' && byte === 0x2d ? '\\055' : octal(byte);
    if (byte === 0x0a) {
      lines.push(line);
      line = '';
    }
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines.map((part) => `printf '${part}'`).join('\n');
}

function octal(byte: number): string {
  if (byte === 0x0a) return '\\n';
  const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c && byte !== 0x25;
  return plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
}

/** One line that is safe in a comment, a log line and a terminal. */
export function plain(text: string, limit = 200): string {
  const one = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return one.length > limit ? `${one.slice(0, limit - 1)}…` : one;
}
