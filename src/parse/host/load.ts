import type { BlockReader } from '../../model/reading.ts';
import { bytesOf, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, scopeOf } from './scope.ts';

const LOAD = /^(?:top - |\s{0,4})\d\d:\d\d(?::\d\d)? up .{1,80}load average: (?<one>\d{1,6}[.,]\d{1,3}), /;
const TOP = /^(?:Tasks: |Threads: |%?Cpu\d{0,4}(?:\(s\))?\s{0,2}: |(?<unit>[KMG]i?B) (?<what>Mem|Swap)\s{0,2}: )/;
const TOTAL = /(?<total>\d{1,15}[.,]\d{1,3}|\d{1,15}) total/;
const AVAILABLE = /(?<available>\d{1,15}[.,]\d{1,3}|\d{1,15}) avail Mem/;

function tellMemory(scope: Scope, from: number, end: number): void {
  let memory: number | undefined;
  let available: number | undefined;
  for (let index = from; index < end; index++) {
    const line = (scope.lines[index] ?? '').slice(0, 300);
    const { unit, what } = TOP.exec(line)?.groups ?? {};
    const total = bytesOf(`${(TOTAL.exec(line)?.groups?.['total'] ?? '').replace(',', '.')}${(unit ?? '').slice(0, 1)}`);
    if (what === 'Mem') memory = total;
    if (what !== 'Swap' || total === undefined) continue;
    available = bytesOf(`${(AVAILABLE.exec(line)?.groups?.['available'] ?? '').replace(',', '.')}${(unit ?? '').slice(0, 1)}`);
    scope.sink.fact('host.swap', scope.node, { active: total > 0 }, cite(scope, index));
  }
  if (memory === undefined) return;
  const free = available === undefined ? {} : { availableBytes: available };
  scope.sink.fact('host.memory', scope.node, { totalBytes: memory, ...free }, cite(scope, from));
}

/** `uptime`, `w` and the head of `top`. */
export const loadReader: BlockReader = {
  what: 'load of the host',
  read(lines, from, context, sink) {
    const one = LOAD.exec((lines[from] ?? '').slice(0, 300))?.groups?.['one'];
    if (one === undefined || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    sink.fact('host.load', scope.node, { oneMinute: Number(one.replace(',', '.')) }, cite(scope, from));
    let end = from + 1;
    while (end < lines.length && TOP.test((lines[end] ?? '').slice(0, 300))) end++;
    tellMemory(scope, from, end);
    return takeLines(scope, from, end);
  },
};
