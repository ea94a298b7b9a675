import picocolors from 'picocolors';
import type { Confidence } from '../../model/report.ts';
import { type Text, text } from '../../text/messages.ts';
import { inert, inertLines } from '../inert.ts';
import { widthOf } from './pad.ts';
import { wrapTo } from './wrap.ts';

export interface TerminalOptions {
  readonly width: number;
  readonly color: boolean;
  readonly unicode: boolean;
  readonly verbose: boolean;
  /** Opens this incident and no other. */
  readonly incident?: number;
  readonly say?: Text;
}

const MIN_WIDTH = 40;
const DEFAULT_WIDTH = 80;
const MAX_WIDTH = 120;
/** No sentence of ours is longer; evidence is capped before. */
const TEXT_LIMIT = 2_000;
/** Under these, headings stand above what they head instead of beside it; claims need more room than names. */
const GUTTER_FROM = 56;
const CLAIM_GUTTER_FROM = 72;
const STACKED_COLUMN = 4;
const GUTTER = 11;
const TITLE_LINES = 3;

interface Glyphs {
  readonly bullet: string;
  readonly open: string;
  readonly good: string;
  readonly dot: string;
  readonly ellipsis: string;
  readonly arrow: string;
}

const UNICODE: Glyphs = { bullet: '●', open: '?', good: '✓', dot: '·', ellipsis: '…', arrow: '→' };
const ASCII: Glyphs = { bullet: '*', open: '?', good: '+', dot: '-', ellipsis: '...', arrow: '->' };

const FOLDS: Readonly<Record<string, string>> = {
  '…': '...',
  '→': '->',
  '←': '<-',
  '·': '-',
  '–': '-',
  '—': '-',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '×': 'x',
  '≥': '>=',
  '≤': '<=',
  '●': '*',
  '✓': '+',
};
const FOLDABLE = /[…→←·–—‘’“”×≥≤●✓]/g;

/** How much of each section is shown before the rest is only counted. */
interface Limits {
  readonly claims: number;
  readonly nots: number;
  readonly rivals: number;
  readonly asks: number;
  readonly victimLines: number;
}

const ALONE: Limits = { claims: 5, nots: 4, rivals: 2, asks: 2, victimLines: 3 };
const AMONG_OTHERS: Limits = { claims: 3, nots: 2, rivals: 1, asks: 1, victimLines: 2 };
const ALL: Limits = { claims: Infinity, nots: Infinity, rivals: Infinity, asks: Infinity, victimLines: Infinity };

export interface Context {
  readonly width: number;
  readonly verbose: boolean;
  /** One incident was asked for by number. */
  readonly single: boolean;
  readonly limits: Limits;
  readonly color: ReturnType<typeof picocolors.createColors>;
  readonly glyphs: Glyphs;
  readonly say: Text;
  /** Makes a text of the report safe to print, on one line. */
  readonly clean: (value: string) => string;
  /** The same for commands, whose line breaks count. */
  readonly cleanCommand: (value: string) => string[];
}

export function createContext(options: TerminalOptions, incidents = 1): Context {
  const fold = options.unicode ? (value: string) => value : (value: string) => value.replace(FOLDABLE, (found) => FOLDS[found] ?? found);
  return {
    width: clampWidth(options.width),
    verbose: options.verbose,
    single: options.incident !== undefined,
    limits: options.verbose ? ALL : incidents > 1 && options.incident === undefined ? AMONG_OTHERS : ALONE,
    color: picocolors.createColors(options.color),
    glyphs: options.unicode ? UNICODE : ASCII,
    say: options.say ?? text,
    clean: (value) => fold(inert(value.slice(0, TEXT_LIMIT)).replace(/ {2,}/g, ' ').trim()),
    cleanCommand: (value) =>
      inertLines(value)
        .split('\n')
        .map((line) => line.trimEnd()),
  };
}

function clampWidth(width: number): number {
  if (!Number.isFinite(width)) return DEFAULT_WIDTH;
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, Math.floor(width)));
}

/** Column at which the content of sections starts. */
function contentColumn(context: Context): number {
  return context.width < GUTTER_FROM ? STACKED_COLUMN : GUTTER;
}

export function contentWidth(context: Context): number {
  return context.width - contentColumn(context);
}

/** Column at which claims start. */
export function claimColumn(context: Context): number {
  return context.width < CLAIM_GUTTER_FROM ? STACKED_COLUMN : GUTTER;
}

/** Puts a heading into the gutter beside the first line, or above all lines where there is no room for one. */
export function section(context: Context, heading: string, lines: readonly string[], column = contentColumn(context)): string[] {
  if (lines.length === 0) return [];
  const margin = ' '.repeat(column);
  const title = context.color.dim(heading);
  if (widthOf(heading) + 3 > column) return [`  ${title}`, ...lines.map((line) => margin + line)];
  return lines.map((line, index) => (index === 0 ? `  ${title}${' '.repeat(column - 2 - widthOf(heading))}${line}` : margin + line));
}

export function confidenceWord(context: Context, confidence: Confidence | 'unknown'): string {
  const word = context.say(`confidence.${confidence}`).toLocaleUpperCase(context.say.language);
  return context.color.bold(confidencePaint(context, confidence)(word));
}

/** Beside the answer itself confidence is a quiet word, so that the loud ones mark the answers. */
export function withQuietConfidence(context: Context, title: string, confidence: Confidence, width: number): string[] {
  const word = context.say(`confidence.${confidence}`);
  const whole = context.say('chain.link', { title, confidence: word });
  const lines = wrapTo(whole, width, TITLE_LINES, context.glyphs.ellipsis);
  const marked = context.say('chain.link', { title: '', confidence: word }).trim();
  return lines.map((line, index) =>
    index === lines.length - 1 && line.endsWith(marked)
      ? line.slice(0, -marked.length) + confidencePaint(context, confidence)(marked)
      : line,
  );
}

function confidencePaint(context: Context, confidence: Confidence | 'unknown'): (word: string) => string {
  const { color } = context;
  return { certain: color.green, probable: color.yellow, possible: color.magenta, unknown: color.cyan }[confidence];
}

/** A text on the left, wrapped so that its first line leaves room for a word at the right margin. */
export function withRightWord(context: Context, text: string, right: string, width: number, paint: (line: string) => string): string[] {
  const room = width - widthOf(right) - 2;
  const lines = wrapTo(text, room, TITLE_LINES, context.glyphs.ellipsis);
  return lines.map((line, index) => {
    if (index > 0 || right === '') return paint(line);
    return `${paint(line)}${' '.repeat(Math.max(1, width - widthOf(line) - widthOf(right)))}${right}`;
  });
}

/** A command as it has to be typed: never wrapped, and flush left when its lines depend on each other. */
export function commandLines(context: Context, command: string, margin: number): string[] {
  const lines = context.cleanCommand(command);
  if (lines.length > 1) return lines.map((line) => (line === '' ? line : context.color.cyan(line)));
  return lines.map((line) => ' '.repeat(margin) + context.color.cyan(line));
}
