import type { BlockReader, Context } from '../../model/reading.ts';
import { bytesOf, takeLines } from './output.ts';
import { cite, insideContainer, type Scope, say, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const SWAPS = /^Filename\s+Type\s+Size\s+Used\s+Priority\s*$/;
const SHOWN = /^NAME\s+TYPE\s+SIZE\s+USED\s+PRIO(?:\s+\S.{0,40})?\s*$/;
const AREA = /^(?<area>\/\S{1,200})\s+(?:file|partition)\s+\d/;

function saySwaps(scope: Scope, from: number): number {
  let end = from;
  for (let area = areaAt(scope, end); area !== undefined; area = areaAt(scope, end)) {
    say(scope, 'host-tools', scope.lines[end] ?? '', end, { level: 'info', component: 'swap' });
    scope.sink.fact('host.swap', scope.node, { active: true, area }, cite(scope, end));
    end++;
  }
  return end;
}

function areaAt(scope: Scope, line: number): string | undefined {
  return AREA.exec((scope.lines[line] ?? '').slice(0, 400))?.groups?.['area'];
}

/** `/proc/swaps`, `swapon -s`, `swapon --show`: a header alone says that there is no swap. */
export const swapReader: BlockReader = {
  what: 'swap areas',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 200);
    const headed = SWAPS.test(first) || SHOWN.test(first);
    if (insideContainer(context) || (!commandIs(context, /swap/) && context.command !== undefined)) return from;
    if (!headed && !(commandIs(context, /\bswapon\b|\/proc\/swaps/) && AREA.test(first))) return from;
    const scope = scopeOf(lines, context, sink);
    const start = headed ? from + 1 : from;
    const end = saySwaps(scope, start);
    if (headed && end === start && SWAPS.test(first)) sink.fact('host.swap', scope.node, { active: false }, cite(scope, from));
    takeLines(scope, from, start);
    return end;
  },
};

const FREE_HEADER = /^\s{1,30}(?:total|总计|합계|всего|合計)\s+(?:used|已用|사용|занято|使用)\s/;
const FREE_ROW =
  /^(?<what>Mem|Swap|内存|交换|メモリ|스왑|메모리|Память|Подкачка|-\/\+ buffers\/cache|Low|High|Total)[:：]\s*(?<numbers>\d[\d.A-Za-z\s-]{1,200})$/;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/\bfree\b.{0,40}\s(?:-\w*b|--bytes)/, 1],
  [/\bfree\b.{0,40}\s(?:-\w*m|--mebi)/, 1024 ** 2],
  [/\bfree\b.{0,40}\s(?:-\w*g|--gibi)/, 1024 ** 3],
  [/\bfree\b/, 1024],
];

function unitOf(context: Context): number | undefined {
  return UNITS.find(([command]) => commandIs(context, command))?.[1];
}

function tellFree(scope: Scope, line: string, index: number, available: boolean): void {
  const groups = FREE_ROW.exec(line)?.groups;
  const numbers = (groups?.['numbers'] ?? '').trim().split(/\s+/, 8);
  const what = groups?.['what'] ?? '';
  if (/^(?:Swap|交换|스왑|Подкачка)$/.test(what)) {
    scope.sink.fact('host.swap', scope.node, { active: !/^0(?:\.0)?[BKMG]?i?$/.test(numbers[0] ?? '') }, cite(scope, index));
    return;
  }
  const unit = unitOf(scope.context);
  const total = /[A-Z]/.test(numbers[0] ?? '') || unit !== undefined ? bytesOf(numbers[0] ?? '', unit) : undefined;
  if (!/^(?:Mem|内存|メモリ|메모리|Память)$/.test(what) || total === undefined) return;
  const free = available ? bytesOf(numbers.at(-1) ?? '', unit) : undefined;
  scope.sink.fact(
    'host.memory',
    scope.node,
    { totalBytes: total, ...(free !== undefined ? { availableBytes: free } : {}) },
    cite(scope, index),
  );
}

/** `free`: how much memory there is, and whether any swap. */
export const freeReader: BlockReader = {
  what: 'free output',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 300);
    const headed = FREE_HEADER.test(first);
    const named = FREE_ROW.exec(first)?.groups;
    if (insideContainer(context) || (!headed && !(named && (named['numbers'] ?? '').trim().split(/\s+/, 4).length >= 3))) return from;
    const scope = scopeOf(lines, context, sink);
    const available = /available|可用|使用可能|가용|доступно/.test(first);
    let end = headed ? from + 1 : from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 300);
      if (!FREE_ROW.test(line)) break;
      tellFree(scope, line, end, available);
    }
    return takeLines(scope, from, end);
  },
};

const MEMINFO = /^(?<key>[A-Z][\w()]{2,30}):\s+(?<kilobytes>\d{1,15}) kB\s*$/;

/** `/proc/meminfo` */
export const meminfoReader: BlockReader = {
  what: 'memory of the host',
  read(lines, from, context, sink) {
    if (insideContainer(context) || !/^MemTotal:/.test(lines[from] ?? '')) return from;
    const found = new Map<string, number>();
    let end = from;
    for (; end < lines.length; end++) {
      const groups = MEMINFO.exec((lines[end] ?? '').slice(0, 100))?.groups;
      if (!groups && !/^HugePages_\w{2,10}:\s+\d{1,12}\s*$/.test((lines[end] ?? '').slice(0, 60))) break;
      if (groups) found.set(groups['key'] ?? '', Number(groups['kilobytes']) * 1024);
    }
    const scope = scopeOf(lines, context, sink);
    const [total, available, swap] = [found.get('MemTotal'), found.get('MemAvailable'), found.get('SwapTotal')];
    const cited = cite(scope, from);
    if (total !== undefined) {
      sink.fact('host.memory', scope.node, { totalBytes: total, ...(available !== undefined ? { availableBytes: available } : {}) }, cited);
    }
    if (swap !== undefined) sink.fact('host.swap', scope.node, { active: swap > 0 }, cited);
    return takeLines(scope, from, end);
  },
};
