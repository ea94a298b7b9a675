import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, scopeOf } from './scope.ts';
import { unitName } from './systemctl-status.ts';
import { commandIs, isBlank, isFiltered } from './text.ts';

type UnitState = FactKinds['unit.state'];

const ROW =
  /^\s{0,40}(?:[●○×*x�]\s+)?(?<unit>[\w@.\\:-]{1,200}\.(?:service|socket|timer|mount|automount|path|swap|slice|scope|target|device))\s+(?<load>loaded|not-found|masked|error|bad-setting)\s+(?<active>active|inactive|failed|activating|deactivating|reloading|maintenance)\s+(?<sub>[a-z-]{2,30})(?:\s+\S.{0,300})?\s*$/;
const HEADER = /^\s{0,40}UNIT\s+LOAD\s+ACTIVE\s+SUB\s+(?:JOB\s+)?DESCRIPTION\s*$/;
const LEGEND =
  /^\s{0,40}(?:Legend: )?(?:LOAD|ACTIVE|SUB|JOB)\s+(?:=|→)|^\s{0,40}\d{1,5} (?:loaded )?units? listed\b|^To show all installed unit files/;
/** Units that matter to pods; of all others only the failed ones are told. */
const RELEVANT =
  /^(?:kubelet|containerd|docker|crio|cri-docker\w*|k3s(?:-agent)?|rke2-\w+|iscsid?|open-iscsi|multipathd|rpcbind|rpc-statd|nfs-\w+|chronyd?|ntpd?|systemd-(?:timesyncd|resolved|networkd|logind|oomd|modules-load)|firewalld|ufw|nftables|apparmor|auditd|networking|NetworkManager|dbus|etcd|kube-\w+|cloud-init|snap\..+)(?:\.\w+)?$/;

export function isRelevantUnit(unit: string): boolean {
  return RELEVANT.test(unit);
}

export const systemctlListReader: BlockReader = {
  what: 'systemctl list-units',
  read(lines, from, context, sink) {
    const first = lines[from] ?? '';
    const headed = HEADER.test(first.slice(0, 400));
    if (!headed && !ROW.test(first.slice(0, 700))) return from;
    const scope = scopeOf(lines, context, sink);
    let end = headed ? from + 1 : from;
    for (let index = end; index < lines.length; index++) {
      const line = (lines[index] ?? '').slice(0, 700);
      if (isBlank(line)) continue;
      const groups = ROW.exec(line)?.groups;
      if (!groups && !LEGEND.test(line)) break;
      end = index + 1;
      if (!groups) continue;
      const unit = unitName(groups['unit'] ?? '');
      const active = groups['active'] ?? '';
      if (active !== 'failed' && !RELEVANT.test(unit)) continue;
      const enabled = groups['load'] === 'loaded' ? undefined : groups['load'];
      const state: UnitState = { unit, active, sub: groups['sub'] ?? '', ...(enabled !== undefined ? { enabled } : {}) };
      sink.fact('unit.state', scope.node, state, cite(scope, index));
    }
    cover(scope, 'unit-state', headed && !isFiltered(context) ? 'whole' : 'excerpt', from, end);
    return end;
  },
};

const ANSWERS = /^(?:active|inactive|failed|activating|deactivating|reloading|unknown)$/;
const ENABLED = /^(?:enabled|disabled|static|masked|indirect|enabled-runtime|generated|alias|not-found)$/;

/** `systemctl is-active a b` answers with one word per unit, in order. */
export const systemctlIsReader: BlockReader = {
  what: 'systemctl is-active',
  read(lines, from, context, sink) {
    const groups = /\bsystemctl\s+is-(?<what>active|enabled|failed)\s+(?<units>[^|;&]{1,300})/.exec(
      (context.command ?? '').slice(0, 600),
    )?.groups;
    if (!groups) return from;
    const units = (groups['units'] ?? '')
      .trim()
      .split(/\s+/)
      .filter((word) => !word.startsWith('-'));
    const words = groups['what'] === 'enabled' ? ENABLED : ANSWERS;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (const unit of units) {
      const answer = (lines[end] ?? '').slice(0, 60).trim();
      if (!words.test(answer)) break;
      const state: UnitState =
        groups['what'] === 'enabled'
          ? { unit: unitName(unit), active: 'unknown', enabled: answer }
          : { unit: unitName(unit), active: answer };
      sink.fact('unit.state', scope.node, state, cite(scope, end));
      end++;
    }
    if (end > from) cover(scope, 'unit-state', 'excerpt', from, end);
    return end;
  },
};

const PROPERTY = /^\s{0,40}(?<key>[A-Z][A-Za-z]{1,60})=(?<value>.{0,2000})$/;
const SHOW_LINES = 600;
const SEVERAL = /\bshow(?:\s+[A-Za-z][\w@.-]{1,80}){2}/;
const SHOWN = /^\s{0,40}(?:ActiveState|SubState|NRestarts|ExecMainStatus|UnitFileState|LoadState)=/;

/** `systemctl show`: properties, one per line, a blank line between units. */
export const systemctlShowReader: BlockReader = {
  what: 'systemctl show',
  read(lines, from, context, sink) {
    const first = lines[from] ?? '';
    const asked = commandIs(context, /\bsystemctl\s(?:.{0,100}\s)?show\b/);
    if (first.length > 3000 || !(asked ? PROPERTY : SHOWN).test(first)) return from;
    const found = new Map<string, string>();
    let end = from;
    let at = from;
    for (; end < lines.length && end < from + SHOW_LINES; end++) {
      const groups = (lines[end] ?? '').length < 3000 ? PROPERTY.exec(lines[end] ?? '')?.groups : undefined;
      if (!groups) break;
      if (groups['key'] === 'ActiveState') at = end;
      if (!found.has(groups['key'] ?? '')) found.set(groups['key'] ?? '', (groups['value'] ?? '').trim());
    }
    const unit = found.get('Id') ?? context.unit;
    const active = found.get('ActiveState');
    if (unit === undefined || active === undefined) return asked ? end : from;
    const scope = scopeOf(lines, context, sink);
    const state = shownState(unitName(unit), active, found);
    const idle = commandIs(context, SEVERAL) && isIdle(state, found, lines);
    if (!idle) sink.fact('unit.state', scope.node, state, cite(scope, at));
    cover(scope, 'unit-state', 'excerpt', from, end);
    return end;
  },
};

const RUNTIMES = /^(?:containerd|docker|crio|cri-docker)$/;
const RUNTIME_SHOWN = /^Id=(?:containerd|docker|crio|cri-docker)\.service$/;

/**
 * Whoever asks for many units at once takes stock: that one is not installed says nothing, nor that a runtime was never started
 * since the boot while another one was.
 */
function isIdle({ unit, active, since }: UnitState, found: ReadonlyMap<string, string>, lines: readonly string[]): boolean {
  if (found.get('LoadState') === 'not-found') return true;
  return RUNTIMES.test(unit) && active === 'inactive' && since === undefined && someRuntimeStarted(lines);
}

function someRuntimeStarted(lines: readonly string[]): boolean {
  let runtime = false;
  let runs = false;
  for (const line of [...lines.slice(0, SHOW_LINES), '']) {
    if (line.trim() === '') {
      if (runtime && runs) return true;
      runtime = false;
      runs = false;
    } else if (line.length < 200) {
      runtime ||= RUNTIME_SHOWN.test(line.trim());
      runs ||= /^(?:ActiveState=(?!inactive)|ActiveEnterTimestamp=)\S/.test(line.trim());
    }
  }
  return false;
}

function shownState(unit: string, active: string, found: ReadonlyMap<string, string>): UnitState {
  const restarts = Number(found.get('NRestarts') ?? Number.NaN);
  const [sub, result, status, since] = ['SubState', 'Result', 'ExecMainStatus', 'ActiveEnterTimestamp'].map((key) => found.get(key));
  const enabled = found.get('LoadState') === 'not-found' ? 'not-found' : found.get('UnitFileState');
  return {
    unit,
    active,
    ...(sub ? { sub } : {}),
    ...(result && result !== 'success' ? { result } : {}),
    ...(status && status !== '0' ? { exitStatus: status } : {}),
    ...(since ? { since } : {}),
    ...(Number.isFinite(restarts) ? { restarts } : {}),
    ...(enabled ? { enabled } : {}),
  };
}
