import pc from 'picocolors';
import type { Cause } from '../model/cause.ts';

interface Look {
  readonly width: number;
  readonly color: boolean;
}

const PRINTS: Readonly<Record<string, (causes: readonly Cause[], look: Look) => string>> = {
  json: (causes) => `${JSON.stringify(causes.map(summary), null, 2)}\n`,
  markdown: (causes) => `${causes.map(({ id, area, text }) => `- \`${id}\` (${area}): ${text.name}`).join('\n')}\n`,
  terminal: listOnTerminal,
};

export function listCauses(causes: readonly Cause[], format: string, look: Look): string {
  return (PRINTS[format] ?? listOnTerminal)(causes, look);
}

function listOnTerminal(causes: readonly Cause[], { color }: Look): string {
  const paint = pc.createColors(color);
  const areas = [...new Set(causes.map(({ area }) => area))].sort();
  const widest = Math.max(...causes.map(({ id }) => id.length));
  const blocks = areas.map((area) => {
    const own = causes.filter((cause) => cause.area === area);
    return [paint.bold(area), ...own.map(({ id, text }) => `  ${id.padEnd(widest)}  ${paint.dim(text.name)}`)].join('\n');
  });
  return `${blocks.join('\n\n')}\n\n${causes.length} causes. podcause causes ID explains one.\n`;
}

export function explainCause(cause: Cause, format: string, look: Look): string {
  if (format === 'json') return `${JSON.stringify(summary(cause), null, 2)}\n`;
  const heading = format === 'markdown' ? (text: string) => `## ${text}` : pc.createColors(look.color).bold;
  const bullet = format === 'markdown' ? '- ' : '  ';
  const wrap = (text: string) => (format === 'markdown' ? text : wrapWords(text, look.width - 2, '  '));
  const sections: string[] = [
    `${format === 'markdown' ? '# ' : ''}${format === 'markdown' ? cause.text.name : heading(cause.text.name)}  (${cause.id})`,
    `${heading('How it happens')}\n${wrap(plain(cause.text.why))}`,
    `${heading('What settles it')}\n${clueLines(cause, bullet, (role) => role !== 'excludes')}`,
  ];
  const others = clueLines(cause, bullet, (role) => role === 'excludes');
  if (others) sections.push(`${heading('How it is told apart: then it is not this')}\n${others}`);
  for (const fix of cause.fixes) {
    const steps = fix.steps.map(
      ({ say, run }) =>
        `${bullet}${plain(say)}${run ? `\n${bullet}  $ ${run.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => name.toUpperCase())}` : ''}`,
    );
    sections.push(`${heading(`Fix (${fix.risk}): ${plain(fix.say)}`)}\n${steps.join('\n')}`);
  }
  if (cause.sources?.length) sections.push(`${heading('Sources')}\n${cause.sources.map((source) => `${bullet}${source}`).join('\n')}`);
  return `${sections.join('\n\n')}\n`;
}

const ROLE_WORDS = { needs: 'must hold', proves: 'proof', supports: 'sign', excludes: 'against' } as const;

function clueLines(cause: Cause, bullet: string, wanted: (role: keyof typeof ROLE_WORDS) => boolean): string {
  return Object.entries(cause.clues)
    .filter(([, { role }]) => wanted(role))
    .map(
      ([name, { role, line }]) =>
        `${bullet}${ROLE_WORDS[role].padEnd(9)}  ${plain(cause.says[name] ?? name)}${line ? `\n${bullet}           "${line.literals[0]}" (${line.channels.join(', ')})` : ''}`,
    )
    .join('\n');
}

/** A text before its slots are filled shows their names instead. */
function plain(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `<${name}>`);
}

function wrapWords(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  if (line) lines.push(line);
  return lines.map((one) => `${indent}${one}`).join('\n');
}

function summary({ id, area, at, maturity, explains, effectOf, text, says, clues, fixes, sources }: Cause) {
  return {
    id,
    area,
    at,
    maturity,
    explains,
    effectOf: effectOf ?? [],
    ...text,
    clues: Object.entries(clues).map(([name, { role, from, line }]) => ({
      name,
      role,
      from,
      says: says[name],
      ...(line ? { literals: line.literals, channels: line.channels } : {}),
    })),
    fixes,
    sources: sources ?? [],
  };
}
