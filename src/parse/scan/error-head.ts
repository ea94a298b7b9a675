export type Level = 'fatal' | 'error' | 'warning' | 'info';

const LEVELS: Readonly<Record<string, Level>> = {
  emerg: 'fatal',
  emergency: 'fatal',
  alert: 'fatal',
  crit: 'fatal',
  critical: 'fatal',
  fatal: 'fatal',
  panic: 'fatal',
  f: 'fatal',
  dpanic: 'fatal',
  error: 'error',
  err: 'error',
  severe: 'error',
  e: 'error',
  eror: 'error',
  warning: 'warning',
  warn: 'warning',
  w: 'warning',
  notice: 'info',
  info: 'info',
  information: 'info',
  debug: 'info',
  trace: 'info',
  log: 'info',
  i: 'info',
  d: 'info',
  // pino and bunyan write numbers
  10: 'info',
  20: 'info',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};

export function levelOf(word: string | undefined): Level | undefined {
  return word === undefined ? undefined : LEVELS[word.toLowerCase()];
}

const LEVEL_WORDS = 'emerg|alert|crit|critical|fatal|severe|error|err|warning|warn|notice|info|debug|trace';
const CAPITALS = LEVEL_WORDS.toUpperCase();

/** What stands before a message, each form anchored where the one before it ended; group `level` where it tells one. */
const HEADS: readonly RegExp[] = [
  /\(combined from similar events\): /y,
  /ERROR: logging before flag\.Parse: /y,
  /\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(?: ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})\b)?\]?[:,]?\s{1,8}/y,
  /(?:[A-Z][a-z]{2} {1,2}\d{1,2}|\d{1,2}月 {1,2}\d{1,2}) \d{2}:\d{2}:\d{2}(?:\.\d{1,9})? [\w.-]{1,100} [\w.@/-]{1,60}(?:\[\d{1,10}\])?: /y,
  /(?:[\w.-]{1,100} )?[\w.@/-]{1,60}\[\d{1,10}\]: /y,
  /[\w.@-]{1,60}: (?=[IWEF]\d{4} \d{2}:)/y,
  /(?<level>[IWEF])\d{4} \d{2}:\d{2}:\d{2}\.\d{1,9} {1,10}\d{1,10} (?:[\w./-]{1,100}:\d{1,6}\] )?/y,
  /\[?\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?\]?\s{1,8}/y,
  /std(?:out|err) [FP] /y,
  /\[\s{0,10}\d{1,9}\.\d{1,9}\] /y,
  /[\w.-]{1,40}: (?=\[(?:emerg|alert|crit|error|warn)\])/y,
  /npm (?<level>ERR)! /y,
  /\d{1,7}#\d{1,7}: (?:\*\d{1,10} )?/y,
  /\[\d{1,10}(?:-\d{1,10})?\]:? {0,4}/y,
  /(?<level>[EW]): (?=[A-Z])/y,
  /\d{1,10} --- \[[^\]]{0,60}\] [\w.$[\]]{1,100}\s{1,40}: /y,
  new RegExp(`(?<level>${CAPITALS}):[\\w.]{1,60}:`, 'y'),
  new RegExp(`[[<(](?<level>${LEVEL_WORDS})[\\]>)]:?\\s{0,8}`, 'iy'),
  new RegExp(`(?<level>${CAPITALS})(?::\\s{0,8}|\\s{1,8}[|-]?\\s{0,8})`, 'y'),
  new RegExp(`(?<level>${LEVEL_WORDS}):\\s{1,8}`, 'iy'),
];

/** These belong to the head only after some other part of one: alone they could be the message. */
const LATER_HEADS: readonly RegExp[] = [
  /\d{1,7} (?=\[[A-Z])/y,
  /\[[\w .:#*/-]{1,40}\]:? {0,4}/y,
  /[a-z][\w.$]{2,100} - /y,
  /[0-9a-f]{4,20}\.[0-9a-f]{1,10} \d{1,4}\s{1,8}/y,
];

const ALL_HEADS: readonly RegExp[] = [...HEADS, ...LATER_HEADS];

const LEVEL_FIELD = /(?:^|[\s,{])"?(?:level|lvl|severity|log\.level)"?\s?[=:]\s?"?(?<level>[A-Za-z]{1,12}|\d0\b)/i;

export interface Head {
  readonly rest: string;
  readonly level?: Level;
}

/** Takes stamps, host, program, source position and level off a line. */
export function readHead(text: string, component?: string): Head {
  let at = /^\s{0,200}/.exec(text)?.[0].length ?? 0;
  let level: Level | undefined;
  for (let parts = 0; parts < 10; parts++) {
    const match = headAt(text, at, parts > 0);
    if (!match) {
      const afterName = component && text.startsWith(`${component}: `, at) ? component.length + 2 : 0;
      if (afterName === 0) break;
      at += afterName;
      continue;
    }
    at += match[0].length;
    level = levelOf(match.groups?.['level']) ?? level;
  }
  const rest = text.slice(at);
  level ??= levelOf(LEVEL_FIELD.exec(rest.slice(0, 600))?.groups?.['level']);
  return { rest, ...(level ? { level } : {}) };
}

function headAt(text: string, at: number, later: boolean): RegExpExecArray | undefined {
  for (const head of later ? ALL_HEADS : HEADS) {
    head.lastIndex = at;
    const match = head.exec(text);
    if (match) return match;
  }
  return undefined;
}
