import type { BlockReader, Context } from '../../model/reading.ts';
import { containerdFacts } from './containerd-facts.ts';
import { cover, scopeOf } from './scope.ts';
import { announced, commandIs, isBlank, isElision, isFiltered, withoutGrepPrefix } from './text.ts';
import { readTomlLines, type TomlBlock, tomlHeader, tomlKeyValue } from './toml-lines.ts';

const ROOTS: ReadonlySet<string> = new Set([
  'plugins',
  'grpc',
  'ttrpc',
  'debug',
  'metrics',
  'cgroup',
  'timeouts',
  'proxy_plugins',
  'stream_processors',
]);
const ROOT_KEYS: ReadonlySet<string> = new Set([
  'version',
  'root',
  'state',
  'temp',
  'plugin_dir',
  'disabled_plugins',
  'required_plugins',
  'oom_score',
  'imports',
]);
/** Keys that no other program's TOML has. */
const OWN_KEYS: ReadonlySet<string> = new Set([
  'SystemdCgroup',
  'sandbox_image',
  'disabled_plugins',
  'required_plugins',
  'default_runtime_name',
  'systemd_cgroup',
  'runtime_type',
  'disable_snapshot_annotations',
  'discard_unpacked_layers',
  'restrict_oom_score_adj',
  'privileged_without_host_devices',
  'ShimCgroup',
  'IoUid',
  'IoGid',
  'NoPivotRoot',
  'CriuPath',
  'BinaryName',
]);
const PACKAGED_COMMENT = /^#\s{0,10}(?:Copyright 20\d\d\S{0,5} Docker Inc|disabled_plugins\s{0,9}=)/;
const CONFIG_FILE = /containerd[\w./-]{0,80}\.toml(?:\.tmpl)?\b/;
const DROP_IN = /conf\.d\//;
const DUMP = /containerd\S{0,40}\s(?:.{0,80}\s)?config\s+dump\b/;
const DEFAULTS = /containerd\s(?:.{0,80}\s)?config\s+default\b/;
const PEEK_LINES = 40;

function isOwn(text: string): boolean {
  const header = tomlHeader(text);
  if (header)
    return /^(?:plugins\.(?:io\.containerd\.|cri\b)|stream_processors\.io\.containerd|proxy_plugins\.|timeouts\.io\.containerd)/.test(
      header.path,
    );
  const pair = tomlKeyValue(text);
  if (!pair) return false;
  if (OWN_KEYS.has(pair.key)) return true;
  return (pair.key === 'root' || pair.key === 'state' || pair.key === 'address') && pair.value.includes('/containerd');
}

/** Could a configuration begin with this line, given that its other lines prove it one? */
function mayStart(text: string): boolean {
  if (text.startsWith('#')) return PACKAGED_COMMENT.test(text);
  const header = tomlHeader(text);
  if (header) return ROOTS.has(header.path.split('.')[0] ?? '');
  const pair = tomlKeyValue(text);
  return pair !== undefined && (ROOT_KEYS.has(pair.key) || OWN_KEYS.has(pair.key));
}

function starts(lines: readonly string[], from: number, context: Context): boolean {
  const line = lines[from] ?? '';
  if (line.length > 2000) return false;
  const text = withoutGrepPrefix(line).trim();
  if (!mayStart(text)) return false;
  if (isOwn(text) || text.startsWith('#') || isConfigFile(context)) return true;
  for (let index = from + 1; index < lines.length && index < from + PEEK_LINES; index++) {
    const next = withoutGrepPrefix(lines[index] ?? '')
      .slice(0, 400)
      .trim();
    if (isOwn(next)) return true;
    if (next && !next.startsWith('#') && !tomlHeader(next) && !tomlKeyValue(next) && !/^["'\]},]/.test(next)) return false;
  }
  return false;
}

function isConfigFile(context: Context): boolean {
  return commandIs(context, CONFIG_FILE) || CONFIG_FILE.test(context.doc);
}

/** Nothing before it and nothing left out: what is not written in it is not set. */
function isWhole(lines: readonly string[], from: number, block: TomlBlock, context: Context, effective: boolean): boolean {
  if (block.gaps || isFiltered(context) || DROP_IN.test(context.command ?? context.doc)) return false;
  for (let index = from - 1; index >= 0 && index > from - 4; index--) {
    const line = lines[index] ?? '';
    if (isElision(line)) return false;
    if (!isBlank(line)) break;
  }
  const first = block.entries[0];
  const rooted = first === undefined || (first.table === '' && ROOT_KEYS.has(first.key));
  const cri = block.tables.some((table) => /^plugins\.(?:cri|io\.containerd\.(?:grpc\.v1\.cri|cri\.v1\.\w+))\b/.test(table.path));
  if (block.entries.some((entry) => entry.table === '' && entry.key === 'version') && cri) return true;
  return effective
    ? rooted && block.tables.length > 3
    : (isConfigFile(context) && (rooted || context.doc.endsWith('.toml'))) || isPackaged(lines, from);
}

function isPackaged(lines: readonly string[], from: number): boolean {
  return PACKAGED_COMMENT.test((lines[from] ?? '').trim());
}

export const containerdConfigReader: BlockReader = {
  what: 'containerd config.toml',
  read(lines, from, context, sink) {
    if (!starts(lines, from, context)) return from;
    const block = readTomlLines(lines, from, (root) => ROOTS.has(root));
    if (block.end === from) return from;
    const defaultsOnly = announced(lines, from, context, DEFAULTS) && !/\btee\b|>/.test(context.command ?? '');
    if (defaultsOnly) return block.end;
    const scope = scopeOf(lines, context, sink);
    const effective = announced(lines, from, context, DUMP) || /config[-_.]dump/.test(context.doc);
    const whole = isWhole(lines, from, block, context, effective);
    containerdFacts(scope, block, { from, whole, effective });
    cover(scope, 'containerd-config', whole ? 'whole' : 'excerpt', from, block.end);
    return block.end;
  },
};
