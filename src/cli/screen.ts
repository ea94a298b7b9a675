import type { WriteStream } from 'node:tty';

interface Screen {
  readonly width: number;
  readonly color: boolean;
  readonly unicode: boolean;
}

const PIPED_WIDTH = 80;

/** What the output can show: colours only on a terminal, and never against NO_COLOR. */
export function screen(stream: Partial<WriteStream>, flags: { readonly width?: number; readonly color: boolean }): Screen {
  const terminal = stream.isTTY === true;
  const env = process.env;
  const refused = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '';
  const forced = env['FORCE_COLOR'] !== undefined && !['0', 'false'].includes(env['FORCE_COLOR']);
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8';
  return {
    width: flags.width ?? (columnsOf(env['COLUMNS']) || (terminal && stream.columns) || PIPED_WIDTH),
    color: flags.color && !refused && (forced || (terminal && env['TERM'] !== 'dumb')),
    unicode: /utf-?8/i.test(locale) || !terminal,
  };
}

function columnsOf(text: string | undefined): number {
  const columns = Number(text);
  return Number.isInteger(columns) && columns > 0 ? columns : 0;
}
