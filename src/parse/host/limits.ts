import type { BlockReader } from '../../model/reading.ts';
import { takeLines } from './output.ts';
import { cite, scopeOf } from './scope.ts';

const SHELL = /^(?<name>[a-z][a-z -]{2,30}[a-z])\s{1,30}\((?:[\w -]{1,30}, )?-\w\) (?<soft>\d{1,20}|unlimited)\s*$/;
const PROCESS =
  /^Max (?<name>[a-z][a-z ]{2,24}[a-z])\s{2,30}(?<soft>\d{1,20}|unlimited)\s{2,30}(?<hard>\d{1,20}|unlimited)(?:\s{1,20}\w{2,12})?\s*$/;
const HEADER = /^Limit\s+Soft Limit\s+Hard Limit\s+Units\s*$/;
const TOLD =
  /^(?:open files|max user processes|processes|max locked memory|locked memory|core file size|stack size|file size|virtual memory|address space)$/;

/** `ulimit -a` and `/proc/PID/limits`; inside a container too, since its limits are the point. */
export const limitReader: BlockReader = {
  what: 'limits',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 200);
    if (!SHELL.test(first) && !PROCESS.test(first) && !HEADER.test(first)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (; end < lines.length; end++) {
      const line = (lines[end] ?? '').slice(0, 200);
      const groups = SHELL.exec(line)?.groups ?? PROCESS.exec(line)?.groups;
      if (!groups && !HEADER.test(line)) break;
      if (!groups || !TOLD.test(groups['name'] ?? '')) continue;
      const hard = groups['hard'];
      sink.fact(
        'host.limit',
        scope.node,
        { name: groups['name'] ?? '', soft: groups['soft'] ?? '', ...(hard ? { hard } : {}) },
        cite(scope, end),
      );
    }
    return takeLines(scope, from, end);
  },
};
