import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { tellProgram } from './kubelet-flags.ts';
import { cite, cover, namedNode, type Scope, say, scopeOf } from './scope.ts';
import { isBlank } from './text.ts';

type UnitState = FactKinds['unit.state'];

const UNIT_TYPES = 'service|socket|timer|mount|automount|path|swap|slice|scope|target|device';
const HEADER = new RegExp(`^\\s{0,40}(?:[●○×↻◌*x�?]\\s+)?(?<unit>[\\w@.\\\\:-]{1,200}\\.(?:${UNIT_TYPES}))(?:\\s+-\\s.{0,300})?\\s*$`);
const FIELD =
  /^\s{0,40}(?<key>Loaded|Active|Main PID|Process|Drop-In|Docs|Tasks|Memory|CPU|CGroup|Status|IP|IO|TriggeredBy|Triggers|Trigger|Invocation|FD Store|Until|Listen|Accepted|Where|What|Device|Follow|Condition|Assert|Error|Transient|Duration|Job|Mem peak|Tasks peak)(?: \w{1,20})?:\s(?<value>.*)$/;
const TREE = /^\s{0,60}(?:[├└│─]|[|`]-|\/(?:etc|usr|run|lib)\/systemd\/|└─|├─)/;
const ACTIVE =
  /^(?<active>[a-z-]{4,20})(?: \((?<sub>[\w -]{1,40})\))?(?: \(Result: (?<result>[\w-]{1,40})\))?(?: since (?<since>.{1,120}))?/;
const EXIT = /\bcode=(?<code>[a-z]+), (?:status=(?<status>[\w/-]{1,40})|signal=(?<signal>\w{1,20}))/;
/** A command around the daemon that failed, or a program that could not be run at all: the daemon had no chance to speak. */
const FAILED_COMMAND =
  /^\s{0,40}Process: \d{1,8} Exec(?:(?:StartPre|StartPost|Condition)=.{1,600}\(code=exited, status=(?!0)|Start=.{1,2000}\(code=exited, status=203\/)/;
const CHANGED = /^\s{0,40}Warning: .{0,200}changed on disk\./;
const MISSING =
  /^\s{0,40}(?:Unit (?<unit>[\w@.-]{1,120}) could not be found\.|Failed to \w+ (?<failed>[\w@.-]{1,120}): Unit [\w@.-]{1,120} (?:not found|not loaded|is masked|could not be found)\.?)/;

export function unitName(name: string): string {
  return name.endsWith('.service') ? name.slice(0, -'.service'.length) : name;
}

function exitStatus(value: string): string | undefined {
  const groups = EXIT.exec(value)?.groups;
  if (!groups || (groups['code'] === 'exited' && groups['status']?.startsWith('0/'))) return undefined;
  return groups['signal'] ? `signal=${groups['signal']}` : groups['status'];
}

function activeState(value: string): Partial<UnitState> & { active: string } {
  const groups = ACTIVE.exec(value.trim())?.groups;
  const { sub, result, since } = groups ?? {};
  return {
    active: groups?.['active'] ?? 'unknown',
    ...(sub !== undefined ? { sub } : {}),
    ...(result !== undefined ? { result } : {}),
    ...(since !== undefined ? { since: since.trim() } : {}),
  };
}

function enablement(loaded: string): string | undefined {
  const state = /^(?<state>[a-z-]+) \((?:[^;)]{1,300}); (?<enabled>[a-z-]+)/.exec(loaded)?.groups;
  if (state) return state['enabled'];
  return /^(?<state>masked|not-found|error|bad-setting)\b/.exec(loaded)?.groups?.['state'];
}

interface Found {
  readonly value: string;
  readonly line: number;
}

/** Collects the fields below a header; what follows them is the journal's and left alone. */
function collect(scope: Scope, from: number): { fields: Map<string, Found>; end: number } {
  const fields = new Map<string, Found>();
  let end = from;
  for (let index = from; index < scope.lines.length; index++) {
    const line = scope.lines[index] ?? '';
    if (isBlank(line) || line.length > 4000) break;
    const groups = FIELD.exec(line)?.groups;
    if (groups) {
      const key = groups['key'] ?? '';
      if (key === 'Active' && fields.has('Active')) break;
      if (key === 'Process' && FAILED_COMMAND.test(line)) say(scope, 'unit-state', line, index, { level: 'error', component: 'systemd' });
      if (!fields.has(key)) fields.set(key, { value: groups['value'] ?? '', line: index });
    } else if (CHANGED.test(line)) say(scope, 'unit-state', line, index, { level: 'warning', component: 'systemd' });
    else if (TREE.test(line)) tellProgram(scope, line, index);
    else break;
    end = index + 1;
  }
  return { fields, end };
}

function tellState(scope: Scope, unit: string, fields: ReadonlyMap<string, Found>, from: number): boolean {
  const active = fields.get('Active');
  if (!active) return false;
  const status = exitStatus(fields.get('Main PID')?.value ?? '') ?? exitStatus(fields.get('Process')?.value ?? '');
  const enabled = enablement(fields.get('Loaded')?.value ?? '');
  const state: UnitState = {
    unit: unitName(unit),
    ...activeState(active.value),
    ...(status !== undefined ? { exitStatus: status } : {}),
    ...(enabled !== undefined ? { enabled } : {}),
  };
  scope.sink.fact('unit.state', scope.node, state, cite(scope, Math.min(from, active.line), active.line));
  return true;
}

export const systemctlStatusReader: BlockReader = {
  what: 'systemctl status',
  read(lines, from, context, sink) {
    const first = lines[from] ?? '';
    if (first.length > 1000) return from;
    const scope = scopeOf(lines, context, sink);
    const missing = MISSING.exec(first)?.groups;
    if (missing) return tellMissing(scope, missing['unit'] ?? missing['failed'] ?? '', from);
    const header = HEADER.exec(first)?.groups?.['unit'];
    const bare =
      header === undefined &&
      /^\s{0,40}(?:Loaded: (?:loaded|masked|not-found|error|bad-setting) \(|Active: (?:active|inactive|failed|activating|deactivating|reloading) \()/.test(
        first,
      );
    if (header === undefined && !bare) return from;
    const start = header === undefined ? from : from + 1;
    if (!bare && !FIELD.test(lines[start] ?? '') && !CHANGED.test(lines[start] ?? '')) return from;
    const named = withHost(scope, start);
    const { fields, end } = collect(named, start);
    const unit = header ?? context.unit ?? unitOf(fields, lines, from);
    if (end === start || unit === undefined) return end === start ? from : end;
    if (tellState(named, unit, fields, from)) cover(named, 'unit-state', 'excerpt', from, end);
    return end;
  },
};

const DAEMONS = 'kubelet|containerd|dockerd?|crio|cri-dockerd?|k3s|etcd';
const RUN_BY = new RegExp(`(?:ExecStart=\\S{0,200}/|\\d \\()(?<program>${DAEMONS})\\b`);
const MENTIONED = new RegExp(`(?:^|[^\\w./-])(?<program>${DAEMONS})(?![\\w/-])`, 'i');

/** A status pasted without its heading: the program it runs tells the unit, or the words just above it. */
function unitOf(fields: ReadonlyMap<string, Found>, lines: readonly string[], from: number): string | undefined {
  const own = `${fields.get('Process')?.value ?? ''} ${fields.get('Main PID')?.value ?? ''}`.slice(0, 4000);
  const run = RUN_BY.exec(own)?.groups?.['program'];
  const above = lines
    .slice(Math.max(0, from - 3), from)
    .findLast((line) => MENTIONED.test(line.slice(0, 300)))
    ?.slice(0, 300);
  const program = run ?? MENTIONED.exec(above ?? '')?.groups?.['program']?.toLowerCase();
  return program === 'dockerd' ? 'docker' : program;
}

/** The journal lines below a status name the host they come from. */
function withHost(scope: Scope, from: number): Scope {
  for (let index = from; index < scope.lines.length && index < from + 60; index++) {
    const line = (scope.lines[index] ?? '').slice(0, 200);
    const host = /^\s{0,40}[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?<host>[\w.-]{1,253}) [\w.@()-]{1,80}\[\d+\]: /.exec(line)?.groups?.[
      'host'
    ];
    if (host) return { ...scope, node: namedNode(scope.context, host) };
    if (index > from && HEADER.test(line) && !TREE.test(line)) break;
  }
  return scope;
}

function tellMissing(scope: Scope, unit: string, line: number): number {
  const masked = /is masked/.test(scope.lines[line] ?? '');
  const state: UnitState = { unit: unitName(unit), active: masked ? 'inactive' : 'not-found', enabled: masked ? 'masked' : 'not-found' };
  scope.sink.fact('unit.state', scope.node, state, cite(scope, line));
  say(scope, 'unit-state', scope.lines[line] ?? '', line, { component: 'systemd' });
  return line + 1;
}
