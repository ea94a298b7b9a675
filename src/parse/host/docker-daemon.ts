import type { BlockReader, Context } from '../../model/reading.ts';
import { type JsonBlock, type JsonNode, jsonOpening, readJson, textOf } from './json.ts';
import { cite, cover, type Scope, scopeOf } from './scope.ts';
import { announced, commandIs, isFiltered } from './text.ts';

const FILE = /daemon\.json\b/;
/** Keys that only dockerd's file has. */
const OWN_KEY =
  /"(?:exec-opts|registry-mirrors|insecure-registries|live-restore|data-root|log-opts|default-runtime|storage-opts|userns-remap|native\.cgroupdriver|default-address-pools|max-concurrent-downloads|default-cgroupns-mode)"\s*:/;
const MEMBER = /^\s{0,200}"(?:exec-opts|live-restore|data-root|registry-mirrors|default-runtime)"\s{0,20}:/;
const SETTINGS: ReadonlySet<string> = new Set([
  'live-restore',
  'data-root',
  'graph',
  'log-driver',
  'storage-driver',
  'default-runtime',
  'registry-mirrors',
  'insecure-registries',
  'exec-opts',
  'bip',
  'mtu',
  'cgroup-parent',
  'default-cgroupns-mode',
  'userns-remap',
  'hosts',
  'iptables',
  'ip-forward',
  'features',
  'selinux-enabled',
]);

function read(lines: readonly string[], from: number, context: Context): JsonBlock | undefined {
  const line = lines[from] ?? '';
  if (MEMBER.test(line)) return readJson(lines, from, true);
  const opening = jsonOpening(lines, from);
  if (opening === '' || opening.startsWith('[')) return undefined;
  const named = announced(lines, from, context, FILE) || FILE.test(context.doc);
  return named || OWN_KEY.test(opening) ? readJson(lines, from) : undefined;
}

function valueText(node: JsonNode): string {
  if (node.items)
    return node.items
      .map((item) => textOf(item) ?? '')
      .filter(Boolean)
      .join(', ');
  if (node.members) return [...node.members].map(([key, value]) => `${key}=${textOf(value) ?? ''}`).join(', ');
  return textOf(node) ?? '';
}

function facts(scope: Scope, block: JsonBlock): void {
  for (const [key, node] of block.root.members ?? []) {
    const cited = cite(scope, node.line, node.endLine);
    for (const option of key === 'exec-opts' ? (node.items ?? []) : []) {
      const driver = /^native\.cgroupdriver=(systemd|cgroupfs)$/.exec(textOf(option) ?? '')?.[1];
      if (driver !== 'systemd' && driver !== 'cgroupfs') continue;
      scope.sink.fact('runtime.cgroup-driver', scope.node, { runtime: 'docker', driver, explicit: true, source: 'file' }, cited);
    }
    const value = valueText(node);
    if (SETTINGS.has(key) && value)
      scope.sink.fact('runtime.setting', scope.node, { runtime: 'docker', key, value, source: 'file' }, cited);
  }
}

/** A file that is wrong in itself, as far as the paste can be trusted to be the file. */
function problem(scope: Scope, block: JsonBlock): void {
  if (block.elided || isFiltered(scope.context)) return;
  const cut = !block.complete && commandIs(scope.context, /\bcat\s.{0,200}daemon\.json/);
  const wrong = block.problem ?? (cut ? { line: block.end - 1, text: 'the file ends inside an object' } : undefined);
  if (!wrong || (!block.complete && !cut)) return;
  if (/[“”]|redacted/i.test(scope.lines[wrong.line] ?? '')) return;
  scope.sink.fact(
    'runtime.config-file',
    scope.node,
    { runtime: 'docker', problem: `not valid JSON: ${wrong.text}` },
    cite(scope, wrong.line),
  );
}

export const dockerDaemonReader: BlockReader = {
  what: 'docker daemon.json',
  read(lines, from, context, sink) {
    const block = read(lines, from, context);
    if (!block?.root.members || block.root.members.size === 0) return from;
    const scope = scopeOf(lines, context, sink);
    facts(scope, block);
    problem(scope, block);
    cover(scope, 'docker-config', 'excerpt', from, block.end);
    return block.end;
  },
};
