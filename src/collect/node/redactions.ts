/** A stretch that never leaves the host, written so that `sed -E` and JavaScript read the pattern alike. */
interface Redaction {
  readonly pattern: string;
  /** `\1` keeps the first group. */
  readonly by: string;
}

const MASK = '[redacted]';

/**
 * Secrets that configuration files and journals of a host are known to hold. What reads the evidence redacts far more; these
 * must not even be printed by the script that somebody runs over a shared terminal.
 */
const REDACTIONS: readonly Redaction[] = [
  { pattern: '(://)[^/@ "]+@', by: `\\1${MASK}@` },
  { pattern: '([Bb]earer )[A-Za-z0-9._~+/=-]{8,}', by: `\\1${MASK}` },
  { pattern: 'eyJ[A-Za-z0-9_-]{10,}[.][A-Za-z0-9_-]{10,}[.][A-Za-z0-9_-]*', by: MASK },
  {
    pattern: '(["_-]?([Pp]assword|[Pp]asswd|[Ii]dentity_?[Tt]oken|[Tt]oken|[Aa]uth|[Ss]ecret|[Ss]ecret_?[Kk]ey)"? *[=:] *")[^"]+',
    by: `\\1${MASK}`,
  },
];

const BEGINS = '-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----';
const ENDS = '-----END [A-Z0-9 ]*PRIVATE KEY-----';

/** A `sed` command line that takes the secrets out of what it is fed. */
export function redactionCommand(): string {
  const parts = REDACTIONS.map(({ pattern, by }) => `-e 's#${pattern}#${by}#g'`);
  return ['sed -E', `-e '/${BEGINS}/,/${ENDS}/d'`, ...parts].join(' ');
}

/** The same for text of our own making. */
export function redacted(text: string): string {
  const lines: string[] = [];
  let inKey = false;
  for (const line of text.split('\n')) {
    if (new RegExp(BEGINS).test(line)) inKey = true;
    if (!inKey) lines.push(redactedLine(line));
    if (new RegExp(ENDS).test(line)) inKey = false;
  }
  return lines.join('\n');
}

function redactedLine(line: string): string {
  let text = line;
  for (const { pattern, by } of REDACTIONS) text = text.replace(new RegExp(pattern, 'g'), by.replace('\\1', '$1'));
  return text;
}
