import type { BlockReader } from '../../model/reading.ts';
import { takeLines } from './output.ts';
import { cite, cover, insideContainer, scopeOf } from './scope.ts';
import { commandIs, isBlank } from './text.ts';

const UFW = /^(?:Status|状态|狀態|Статус): (?<state>active|inactive|激活|不活动|не активен|активен)\s*$/;
const UFW_MORE =
  /^(?:Logging: |Default: |New profiles: |To\s+Action\s+From|--\s+------\s+----|.{1,80}\s{2,}(?:ALLOW|DENY|REJECT|LIMIT)(?: IN| OUT| FWD)?\s{2,})/;

/** `ufw status` and `firewall-cmd --state`: whether such a firewall runs. */
export const firewallServiceReader: BlockReader = {
  what: 'firewall service',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 100).trim();
    if (!/^(?:Status|状态|狀態|Статус|(?:not )?running$)/.test(first) || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    const state = UFW.exec(first)?.groups?.['state'];
    const rules = UFW_MORE.test((lines.slice(from + 1, from + 4).find((line) => !isBlank(line)) ?? '').slice(0, 200));
    if (state !== undefined && (rules || commandIs(context, /\bufw\b/))) {
      const active = /^(?:active|激活|активен)$/.test(state) ? 'active' : 'inactive';
      sink.fact('unit.state', scope.node, { unit: 'ufw', active }, cite(scope, from));
      cover(scope, 'unit-state', 'excerpt', from, from + 1);
      let end = from + 1;
      while (end < lines.length && (isBlank(lines[end] ?? '') || UFW_MORE.test((lines[end] ?? '').slice(0, 300)))) end++;
      return takeLines(scope, from, end);
    }
    if (!/^(?:not )?running$/.test(first) || !commandIs(context, /\bfirewall-cmd\s+--state\b/)) return from;
    sink.fact('unit.state', scope.node, { unit: 'firewalld', active: first === 'running' ? 'active' : 'inactive' }, cite(scope, from));
    cover(scope, 'unit-state', 'excerpt', from, from + 1);
    return takeLines(scope, from, from + 1);
  },
};
