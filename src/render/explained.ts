import pc from 'picocolors';
import { type Explained, GLOSSARY } from '../explain/explain.ts';
import { nearest } from '../text/nearest.ts';
import { inert } from './inert.ts';
import { wrap } from './terminal/wrap.ts';

interface Look {
  readonly width: number;
  readonly color: boolean;
}

const BEHIND_SHOWN = 10;
const GIVE_MORE = 'Give podcause the describe of the pod, its log or the journal, and it tells which.';

/** The explanation of one line or word, for a terminal or as JSON. */
export function renderExplained(explained: Explained, format: string, look: Look): string {
  return format === 'json' ? `${JSON.stringify(plainOf(explained), null, 2)}\n` : onTerminal(explained, look);
}

function onTerminal(explained: Explained, { width, color }: Look): string {
  const paint = pc.createColors(color);
  const room = Math.max(40, Math.min(width, 100)) - 2;
  const indented = (text: string) => wrap(inert(text), room).map((line) => `  ${line}`);
  const blocks: string[][] = [];
  for (const { terms, kind, says, behind, ask } of explained.entries) {
    blocks.push([
      `${paint.bold(terms[0])}  ${paint.dim(kind)}`,
      ...indented(says),
      ...(behind === undefined ? [] : indented(behind)),
      ...(ask === undefined ? [] : [`  ${paint.dim('$')} ${ask}`]),
    ]);
  }
  if (explained.innermost !== undefined) blocks.push([paint.bold('the error inside'), ...indented(explained.innermost)]);
  if (explained.codes.length > 0)
    blocks.push([paint.bold('codes'), ...explained.codes.flatMap(({ id, says }) => indented(`${codeName(id)}: ${says}`))]);
  if (explained.known.length > 0) {
    const lines = explained.known.flatMap(({ cause, confidence }) => [
      ...indented(`${cause.text.name} (${confidence} by this line alone)`),
      `    ${paint.dim(`podcause causes ${cause.id}`)}`,
    ]);
    blocks.push([paint.bold('causes that know this line'), ...lines]);
  }
  if (explained.behind.length > 0) blocks.push(behindBlock(explained, paint, indented));
  else if (explained.alike > 0 && explained.known.length === 0)
    blocks.push(indented(`${explained.alike} causes show this way. ${GIVE_MORE}`));
  if (blocks.length === 0) return nothingKnown(explained.text, room);
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}

const CODE_KINDS: Readonly<Record<string, string>> = {
  exit: 'exit code',
  signal: 'signal',
  errno: 'errno',
  grpc: 'gRPC code',
  http: 'HTTP',
  mount: 'mount, exit status',
  systemd: 'systemd status',
};

/** `exit-137` as people say it. */
function codeName(id: string): string {
  const dash = id.indexOf('-');
  const kind = CODE_KINDS[id.slice(0, dash)] ?? id.slice(0, dash);
  const code = id.slice(dash + 1);
  return code === 'other' ? kind : `${kind} ${code}`;
}

function behindBlock({ behind }: Explained, paint: ReturnType<typeof pc.createColors>, indented: (text: string) => string[]): string[] {
  const shown = behind.slice(0, BEHIND_SHOWN).map(({ text }) => text.name);
  const left = behind.length - shown.length;
  const list = `${shown.join(' · ')}${left > 0 ? ` · and ${left} more` : ''}`;
  return [paint.bold('may stand behind it'), ...indented(list), ...indented(GIVE_MORE)];
}

function nothingKnown(text: string, room: number): string {
  const meant = nearest(
    text,
    GLOSSARY.flatMap(({ terms }) => terms),
  )[0];
  const says =
    meant !== undefined
      ? `Nothing is known of ${inert(text)}. Did you mean ${meant}?`
      : 'No status, reason, code or line that is known here. A whole log or describe tells more than one line: podcause FILE, or paste it to podcause -.';
  return `${wrap(says, room).join('\n')}\n`;
}

function plainOf({ text, entries, codes, innermost, known, behind, alike }: Explained) {
  return {
    text,
    entries,
    codes,
    ...(innermost === undefined ? {} : { innermost }),
    known: known.map(({ cause, confidence, says }) => ({ cause: cause.id, name: cause.text.name, confidence, says })),
    behind: behind.map(({ id, text: { name } }) => ({ cause: id, name })),
    alike,
  };
}
