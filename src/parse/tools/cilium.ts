import { objectId, workloadId } from '../../model/entity.ts';
import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';
import { isTool } from './command.ts';

/** The logo that `cilium status` draws beside its first lines. */
const LOGO = /^[\s/\\_¯]{1,24}/;
const START =
  /^[\s/\\_¯]{0,24}(?:Cilium|Operator|Envoy DaemonSet|Hubble Relay|ClusterMesh):\s{2,}\S|^\s{0,8}(?:KVStore|KubeProxyReplacement|Cilium health daemon|Cluster health|Controller Status|Kubernetes APIs):\s{2,}\S/;
const FIELD = /^\s{0,8}(?<key>[A-Z][A-Za-z ]{1,40}?):\s{1,60}(?<value>\S.*)$/;
const WORKLOAD =
  /^\s{0,8}(?<kind>DaemonSet|Deployment)\s{1,40}(?<name>[a-z0-9][-a-z0-9.]{0,252})\s{1,40}Desired: (?<desired>\d{1,6})(?:, Ready: (?<ready>\d{1,6})\/\d{1,6})?(?:, Available: (?<available>\d{1,6})\/)?/;
const ISSUE = /^(?:Errors|Warnings):\s{1,60}(?<first>\S.*)$/;
const MOST_LINES = 400;

const FINE =
  /^(?:ok\b|disabled\b|true\b|false\b|strict\b|probe\b|partial\b|listening\b|iptables|bpf\b|native|tunnel|vxlan|geneve|\[|encryption)/i;
const BAD = /^(?:failure|warning|err|degraded|down|unreachable|not\s?ok|\d{1,6} errors|stale|timeout)/i;

interface Walk {
  readonly lines: readonly string[];
  readonly context: Context;
  readonly sink: ReadingSink;
  /** Below `Errors:` or `Warnings:`, or a table of controllers or nodes. */
  mode: 'errors' | 'warnings' | 'controllers' | 'nodes' | 'fields';
}

function say(walk: Walk, text: string, at: number, level: 'error' | 'warning' | 'info', subject = 'status'): void {
  const cited = citeLines(walk.context.doc, walk.lines, at);
  walk.sink.said({ channel: 'objects', about: objectId('Cilium', undefined, subject), text, cited, level, component: 'cilium' });
}

function state(walk: Walk, key: string, status: string, at: number, detail?: string): void {
  const cited = citeLines(walk.context.doc, walk.lines, at);
  walk.sink.fact('object.status', objectId('Cilium', undefined, key), { status, ...(detail !== undefined ? { detail } : {}) }, cited);
}

/** `44/46 healthy`, `1/3 reachable`: all of them or not. */
function isShort(value: string): boolean {
  const pair = /^(?<some>\d{1,9})\/(?<all>\d{1,9}) (?:healthy|reachable)/.exec(value)?.groups;
  return pair !== undefined && Number(pair['some']) < Number(pair['all']);
}

function takeField(walk: Walk, key: string, value: string, at: number): void {
  if (key === 'Controller Status') walk.mode = 'controllers';
  else if (key === 'Cluster health') walk.mode = 'nodes';
  else walk.mode = 'fields';
  const full = /IPv4: (?<used>\d{1,9})\/(?<all>\d{1,9}) allocated/.exec(value)?.groups;
  const exhausted = full !== undefined && full['used'] === full['all'];
  const bad = isShort(value) || BAD.test(value) || exhausted;
  if (bad || FINE.test(value)) state(walk, key, bad ? 'trouble' : 'ok', at, value.slice(0, 300));
  // A count of errors says less than the errors listed below it.
  const level = /^\d{1,6} errors/.test(value) ? 'info' : BAD.test(value) || exhausted ? 'error' : isShort(value) ? 'warning' : 'info';
  say(walk, `${key}: ${value}`, at, level, key);
}

function takeIssue(walk: Walk, text: string, at: number): void {
  say(walk, text.replace(/\s{2,40}/g, ' ').trim(), at, walk.mode === 'errors' ? 'error' : 'warning');
}

function takeWorkload(walk: Walk, line: string, at: number): boolean {
  const groups = WORKLOAD.exec(line)?.groups;
  if (!groups) return false;
  const number = (name: string) => (groups[name] === undefined ? undefined : Number(groups[name]));
  const [ready, available] = [number('ready'), number('available')];
  const payload = {
    desired: number('desired') ?? 0,
    ...(ready !== undefined ? { ready } : {}),
    ...(available !== undefined ? { available } : {}),
  };
  const about = workloadId(groups['kind'] ?? '', walk.context.namespace, groups['name'] ?? '');
  walk.sink.fact('workload.replicas', about, payload, citeLines(walk.context.doc, walk.lines, at));
  walk.mode = 'fields';
  return true;
}

/** Indented rows belong to what stands above them. */
function takeIndented(walk: Walk, line: string, at: number): void {
  if (walk.mode === 'errors' || walk.mode === 'warnings') takeIssue(walk, line, at);
  else if (
    walk.mode === 'controllers' &&
    /\s(?:never|\d{1,6}[smhd]\d?\S{0,8} ago)\s/.test(line) &&
    !/ (?:0|never) {2,40}\d{1,9} {2,40}no error\s*$/.test(line)
  )
    say(walk, line.replace(/\s{2,40}/g, ' ').trim(), at, 'warning');
  else if (walk.mode === 'nodes' && /unreachable/.test(line)) say(walk, line.replace(/\s{2,40}/g, ' ').trim(), at, 'warning');
}

function take(walk: Walk, text: string, at: number): boolean {
  const bare = text.replace(LOGO, '');
  if (bare === '') return true;
  const drawn = /[\\¯]/.test(text.slice(0, 24));
  const line = drawn ? bare : text;
  if (takeWorkload(walk, line, at)) return true;
  const issue = ISSUE.exec(line)?.groups?.['first'];
  if (issue !== undefined) {
    walk.mode = line.startsWith('Errors') ? 'errors' : 'warnings';
    takeIssue(walk, issue, at);
    return true;
  }
  if (/^\s/.test(line)) {
    takeIndented(walk, line, at);
    return true;
  }
  const field = FIELD.exec(line)?.groups;
  if (field) takeField(walk, field['key'] ?? '', field['value'] ?? '', at);
  return field !== undefined || /^(?:Containers|Image versions|Cluster Pods|Helm chart version)\b/.test(line);
}

/** `cilium status`, of the command line tool and of the agent. */
export const ciliumReader: BlockReader = {
  what: 'cilium status',
  read(lines, from, context, sink) {
    if (context.channel !== undefined) return from;
    const named = isTool(context, 'cilium') || isTool(context, 'cilium-dbg');
    const first = (lines[from] ?? '').slice(0, 2000);
    if (!START.test(first) && !(named && /^[\s/\\_¯]{4,24}$/.test(first))) return from;
    const walk: Walk = { lines, context, sink, mode: 'fields' };
    let next = from;
    for (; next < Math.min(lines.length, from + MOST_LINES); next++) {
      const line = (lines[next] ?? '').slice(0, 2000);
      if (line.trim() === '' && !/^\s{0,8}(?:DaemonSet|Deployment|[A-Z][A-Za-z ]{1,40}:)/.test(lines[next + 1] ?? '')) break;
      if (!take(walk, line, next)) break;
    }
    return next;
  },
};
export const CILIUM_SIGN =
  /[¯]|^\s{0,24}(?:Cilium|Operator|Envoy|Hubble|ClusterMesh|KVStore|KubeProxyReplacement|Cluster health|Controller Status|Kubernetes APIs)[\w ]{0,20}:\s/;
