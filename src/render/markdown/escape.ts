import { inert, inertLines } from '../inert.ts';

const TEXT_LIMIT = 2_000;

/** Words that ticket systems turn into something: mentions, references, links, addresses, emoji, math, commands. */
const ACTING = /[@#!~$%](?=[\p{L}\p{N}_"])|&(?=\d)|:\/\/|www\.|javascript:|mailto:|:[\w+-]{1,40}:|^\/[a-z]/iu;
const SPECIAL = /[\\`*_[\]|~$]/g;
/** A first word that would start a list, a heading or a rule. */
const LINE_START = /^(?:[-+=#]+|\d{1,9}[.)])$/;

/** Words of a report as plain Markdown text: nothing in them can format, link, mention or embed. */
export function plain(value: string): string {
  const words = inert(value.slice(0, TEXT_LIMIT)).trim().split(/ +/);
  return words.map((word, index) => plainWord(word, index === 0)).join(' ');
}

function plainWord(word: string, first: boolean): string {
  if (ACTING.test(word)) return code(word);
  const escaped = word.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(SPECIAL, '\\$&');
  return first ? escaped.replace(LINE_START, startMark) : escaped;
}

function startMark(mark: string): string {
  return /^\d/.test(mark) ? `${mark.slice(0, -1)}\\${mark.slice(-1)}` : `\\${mark}`;
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), (run) => run[0].length));
}

/** A code span that its content cannot end. */
export function code(value: string): string {
  const content = inert(value.slice(0, TEXT_LIMIT)).replace(/ {2,}/g, ' ').trim();
  if (content === '') return '';
  const ticks = '`'.repeat(longestRun(content) + 1);
  const pad = content.startsWith('`') || content.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${content}${pad}${ticks}`;
}

/** A fenced block, its fence longer than any run of backticks inside, each line indented as the list needs it. */
export function fence(value: string, language: 'sh' | 'text', indent = ''): string[] {
  const content = inertLines(value);
  const ticks = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return [`${ticks}${language}`, ...content.split('\n').map((line) => line.trimEnd()), ticks].map((line) =>
    line === '' ? line : indent + line,
  );
}
