import { cite, cover, type Scope } from './scope.ts';

/** Beyond this many of a kind, a listing is a dump; the first ones tell enough. */
export const MOST_TOLD = 300;

/** Takes lines that facts were read from: each is said as well, since causes know single lines of them. */
export function takeLines(scope: Scope, from: number, end: number): number {
  for (let line = from; line < end; line++) {
    const text = (scope.lines[line] ?? '').slice(0, 4000).trim();
    if (text) scope.sink.said({ channel: 'host-tools', about: scope.node, text, cited: cite(scope, line), level: 'info' });
  }
  cover(scope, 'host-state', 'excerpt', from, end);
  cover(scope, 'host-tools', 'excerpt', from, end);
  return end;
}

const UNIT: Readonly<Record<string, number>> = { '': 1, B: 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4, P: 1024 ** 5 };

/** `15Gi`, `512M` or a bare number of `unit` bytes. */
export function bytesOf(text: string, unit = 1): number | undefined {
  const groups = /^(?<number>\d{1,15}(?:\.\d{1,6})?)(?<unit>[BKMGTP]?)(?:i?B?)$/.exec(text)?.groups;
  if (!groups) return undefined;
  const factor = groups['unit'] ? (UNIT[groups['unit']] ?? 1) : unit;
  return Math.round(Number(groups['number']) * factor);
}

/** `10.0.0.5:6443`, `[::]:6443`, `:::6443`, `*:6443` apart; undefined when it has no port by number. */
export function splitAddress(text: string): { address: string; port: number } | undefined {
  const groups = /^(?<address>\S{0,80}):(?<port>\d{1,5})$/.exec(text)?.groups;
  const port = Number(groups?.['port'] ?? 0);
  if (!groups || port === 0 || port > 65_535) return undefined;
  const address = (groups['address'] ?? '').replace(/%[\w.-]{1,20}$/, '').replace(/^\[(.{0,60})\]$/, '$1');
  return { address: address === '' || address === '*' ? '*' : address, port };
}
