import type { BlockReader } from '../../model/reading.ts';
import type { Attempt } from './attempt-results.ts';
import { sayAttempt, tellAttempt } from './attempts.ts';
import { isBoundary } from './text.ts';

const STARTS =
  /^(?:CONNECTED\([\dA-F]{8}\)|depth=\d{1,2} \S|verify error:num=\d{1,4}:|Connecting to [\da-fA-F.:]{2,45}$|connect:errno=\d{1,5})/;
const ERROR = /^verify error:num=\d{1,4}:(?<why>.{1,120})$/;
const RETURNED = /^\s{0,8}Verify (?:return code|error): (?:(?<code>\d{1,4}) \((?<words>[^)]{1,120})\)|(?<why>\S.{0,120}))\s*$/;
const CONNECT = /\s-connect\s+\[?(?<host>[\w.:-]{1,253}?)\]?:(?<port>\d{1,5})(?=\s|$)/;
/** A certificate and its chain stand between the lines that matter. */
const FARTHEST = 80;
const ALONE = 6;

function resultOf(
  code: string | undefined,
  why: string | undefined,
  lines: readonly string[],
  from: number,
): Attempt['result'] | undefined {
  if (/^connect:errno=(?:111|61)$/.test((lines[from] ?? '').trim())) return 'refused';
  if (why !== undefined || (code !== undefined && code !== '0')) return 'untrusted';
  return code === '0' ? 'ok' : undefined;
}

/** `openssl s_client -connect HOST:PORT`: whether the certificate shown there is accepted. */
export const tlsReader: BlockReader = {
  what: 'openssl s_client',
  read(lines, from, context, sink) {
    if (context.channel !== undefined || !STARTS.test((lines[from] ?? '').slice(0, 300).trimEnd())) return from;
    const command = (context.command ?? '').slice(0, 600);
    if (!/\bs_client\b/.test(command) && !ERROR.test((lines[from] ?? '').slice(0, 300))) return from;
    let [last, code, why]: [number, string | undefined, string | undefined] = [from, undefined, undefined];
    const farthest = /\bs_client\b/.test(command) ? FARTHEST : ALONE;
    for (let index = from; index < lines.length && index <= last + farthest; index++) {
      const line = (lines[index] ?? '').slice(0, 300);
      if (isBoundary(line)) break;
      const error = ERROR.exec(line)?.groups?.['why'];
      const returned = RETURNED.exec(line)?.groups;
      if (error === undefined && !returned && !STARTS.test(line)) continue;
      why ??= error ?? returned?.['why'];
      code = returned?.['code'] ?? code;
      last = index;
      sayAttempt(lines, context, sink, index, error !== undefined || (returned?.['code'] ?? '0') !== '0');
    }
    const target = CONNECT.exec(command)?.groups;
    const result = resultOf(code, why, lines, from);
    if (target && result !== undefined) {
      const attempt = { tool: 'openssl', target: target['host'] ?? '', port: Number(target['port']), result };
      tellAttempt(lines, context, sink, { attempt, first: from, last });
    }
    return last + 1;
  },
};
