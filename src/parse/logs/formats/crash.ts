import type { Level, LogLine } from '../log-line.ts';

const STARTS: readonly (readonly [start: string, level: Level])[] = [
  ['panic: ', 'fatal'],
  ['fatal error: ', 'fatal'],
  ['runtime: goroutine stack exceeds', 'fatal'],
  ['Traceback (most recent call last)', 'error'],
  ['Exception in thread "', 'error'],
  ['standard_init_linux.go:', 'fatal'],
  ['Uncaught ', 'error'],
  ["thread '", 'fatal'],
  ['npm ERR! ', 'error'],
  ['terminate called after throwing', 'fatal'],
];

/** The start of what a program prints when it dies, which has no stamp in any language. */
export function parseCrash(line: string): LogLine | undefined {
  for (const [start, level] of STARTS) {
    if (!line.startsWith(start)) continue;
    if (start === "thread '" && !line.includes("' panicked at ")) return undefined;
    return { format: 'crash', level, message: line };
  }
  return undefined;
}
