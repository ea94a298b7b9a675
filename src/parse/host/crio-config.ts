import type { BlockReader, Context } from '../../model/reading.ts';
import { cite, cover, type Scope, scopeOf } from './scope.ts';
import { announced, commandIs, isFiltered, withoutGrepPrefix } from './text.ts';
import { readTomlLines, type TomlEntry, tomlHeader, tomlKeyValue, tomlText } from './toml-lines.ts';

/** Keys that only CRI-O's configuration has. */
const OWN_KEYS: ReadonlySet<string> = new Set(['cgroup_manager', 'conmon_cgroup', 'pause_image', 'conmon', 'infra_ctr_cpuset']);
const SETTINGS: ReadonlySet<string> = new Set([
  'cgroup_manager',
  'conmon_cgroup',
  'pause_image',
  'default_runtime',
  'root',
  'runroot',
  'storage_driver',
  'storage_option',
  'network_dir',
  'plugin_dirs',
  'plugin_dir',
  'pids_limit',
  'log_level',
  'selinux',
  'seccomp_profile',
  'apparmor_profile',
  'registries',
  'insecure_registries',
  'signature_policy',
  'listen',
  'pinns_path',
  'drop_infra_ctr',
]);
const EFFECTIVE = /\bcrio(?:\s.{0,80})?\s(?:status\s+)?config\b/;
const COMMENTED = /^#\s{0,4}(?<key>cgroup_manager|conmon_cgroup|pause_image|default_runtime)\s{0,20}=\s{0,20}(?<value>"[^"]{0,300}")\s*$/;

function starts(lines: readonly string[], from: number, context: Context): boolean {
  const line = lines[from] ?? '';
  if (line.length > 2000) return false;
  const text = withoutGrepPrefix(line).trim();
  const header = tomlHeader(text);
  if (header) return /^crio(?:\.|$)/.test(header.path);
  const pair = tomlKeyValue(text);
  if (pair) return OWN_KEYS.has(pair.key);
  return COMMENTED.test(text) && announced(lines, from, context, EFFECTIVE);
}

function emit(scope: Scope, entry: TomlEntry, effective: boolean, explicit: boolean): void {
  const key = entry.key.split('.').at(-1) ?? entry.key;
  const value = tomlText(entry.raw);
  if (!SETTINGS.has(key) || value === '') return;
  const source = effective ? 'effective' : 'file';
  const cited = cite(scope, entry.first, entry.last);
  scope.sink.fact('runtime.setting', scope.node, { runtime: 'crio', key, value, source }, cited);
  if (key !== 'cgroup_manager' || (value !== 'systemd' && value !== 'cgroupfs')) return;
  scope.sink.fact('runtime.cgroup-driver', scope.node, { runtime: 'crio', driver: value, explicit, source }, cited);
}

/** `crio config` prints what it takes from its defaults behind a `#`. */
function emitDefaults(scope: Scope, from: number, end: number): void {
  for (let index = from; index < end; index++) {
    const groups = COMMENTED.exec(withoutGrepPrefix((scope.lines[index] ?? '').slice(0, 600)).trim())?.groups;
    if (groups)
      emit(scope, { table: undefined, key: groups['key'] ?? '', raw: groups['value'] ?? '', first: index, last: index }, true, false);
  }
}

export const crioConfigReader: BlockReader = {
  what: 'CRI-O configuration',
  read(lines, from, context, sink) {
    if (!starts(lines, from, context)) return from;
    const block = readTomlLines(lines, from, (root) => root === 'crio');
    if (block.end === from) return from;
    const scope = scopeOf(lines, context, sink);
    const effective = announced(lines, from, context, EFFECTIVE);
    for (const entry of block.entries) emit(scope, entry, effective, true);
    if (effective) emitDefaults(scope, from, block.end);
    const whole = commandIs(context, EFFECTIVE) && !isFiltered(context) && block.tables.length > 3;
    cover(scope, 'crio-config', whole ? 'whole' : 'excerpt', from, block.end);
    return block.end;
  },
};
