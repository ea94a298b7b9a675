import type { FactKinds } from '../../model/facts.ts';
import { cite, type Scope } from './scope.ts';
import { type TomlBlock, type TomlEntry, tomlProblem, tomlText, tomlValue } from './toml-lines.ts';

interface Reach {
  readonly from: number;
  readonly whole: boolean;
  /** What the daemon works with (a dump), not what a file says. */
  readonly effective: boolean;
}

/** Where the CRI settings stand: as version 1, 2, or 3 and later name them. */
type Style = 'short' | 'grpc' | 'split';

const CRI = /^plugins\.(?:(?<short>cri)|io\.containerd\.(?:(?<grpc>grpc\.v1\.cri)|cri\.v1\.(?:runtime|images)))(?:\.(?<rest>.+))?$/;
const HANDLER = /^containerd\.(?:runtimes\.(?<name>.+?)|(?<legacy>default_runtime))(?:\.(?:options|cni_conf_dir))?$/;
const SETTINGS: ReadonlySet<string> = new Set([
  'sandbox_image',
  'snapshotter',
  'default_runtime_name',
  'config_path',
  'bin_dir',
  'bin_dirs',
  'conf_dir',
  'conf_template',
  'systemd_cgroup',
  'restrict_oom_score_adj',
  'enable_selinux',
  'disable_apparmor',
  'disable_cgroup',
  'stream_server_port',
  'enable_cdi',
]);
const ROOT_SETTINGS: ReadonlySet<string> = new Set(['root', 'state', 'disabled_plugins', 'required_plugins', 'imports', 'oom_score']);
const PASTED_QUOTES = /[“”‘’]|redacted/i;

function criPlace(table: string | undefined): { style: Style; rest: string } | undefined {
  const groups = CRI.exec(table ?? '')?.groups;
  if (!groups) return undefined;
  return { style: groups['short'] ? 'short' : groups['grpc'] ? 'grpc' : 'split', rest: groups['rest'] ?? '' };
}

function handlerOf(table: string | undefined): string | undefined {
  const groups = HANDLER.exec(criPlace(table)?.rest ?? '')?.groups;
  return groups?.['name'] ?? groups?.['legacy'];
}

/** Does a file of this version look for CRI settings at such a place? */
function isRead(style: Style, version: number): boolean {
  if (version <= 1) return style === 'short';
  return version === 2 ? style === 'grpc' : style === 'split';
}

function versionOf(block: TomlBlock, reach: Reach): number | undefined {
  const entry = block.entries.find((candidate) => candidate.table === '' && candidate.key === 'version');
  const written = entry === undefined ? undefined : tomlValue(entry.raw);
  if (typeof written === 'number') return written;
  return entry === undefined && reach.whole ? 1 : undefined;
}

export function containerdFacts(scope: Scope, block: TomlBlock, reach: Reach): void {
  const version = versionOf(block, reach);
  for (const entry of block.entries) {
    driverFact(scope, entry, reach, version);
    settingFact(scope, entry, reach);
  }
  impliedDrivers(scope, block, reach, version);
  fileFacts(scope, block, reach, version);
}

function driverFact(scope: Scope, entry: TomlEntry, reach: Reach, version: number | undefined): void {
  if (entry.key !== 'SystemdCgroup' && !entry.key.endsWith('.SystemdCgroup')) return;
  const value = tomlValue(entry.raw);
  if (typeof value !== 'boolean') return;
  const place = criPlace(entry.table);
  const handler = handlerOf(entry.table);
  const ignored = !reach.effective && version !== undefined && place !== undefined && !isRead(place.style, version);
  const payload: FactKinds['runtime.cgroup-driver'] = {
    runtime: 'containerd',
    driver: value ? 'systemd' : 'cgroupfs',
    explicit: true,
    source: reach.effective ? 'effective' : 'file',
    ...(handler !== undefined ? { handler } : {}),
    ...(version !== undefined ? { configVersion: version } : {}),
    ...(ignored ? { ignored } : {}),
  };
  scope.sink.fact('runtime.cgroup-driver', scope.node, payload, cite(scope, entry.first, entry.last));
}

/** The name under which a setting is told; undefined for keys of no interest here. */
function settingName(entry: TomlEntry): string | undefined {
  if (entry.table === '' && ROOT_SETTINGS.has(entry.key)) return entry.key;
  if (entry.table === 'grpc' && entry.key === 'address') return 'grpc.address';
  const handler = handlerOf(entry.table);
  if (handler !== undefined && (entry.key === 'runtime_type' || entry.key === 'BinaryName')) return `runtimes.${handler}.${entry.key}`;
  const place = criPlace(entry.table);
  if (place?.rest === 'pinned_images' && entry.key === 'sandbox') return 'sandbox_image';
  if (entry.table !== undefined && entry.table !== '' && !place) return undefined;
  if (entry.table === undefined && ROOT_SETTINGS.has(entry.key)) return undefined;
  return SETTINGS.has(entry.key) && handler === undefined ? entry.key : undefined;
}

function settingFact(scope: Scope, entry: TomlEntry, reach: Reach): void {
  const key = settingName(entry);
  if (key === undefined) return;
  const value = tomlText(entry.raw);
  if (value === '' && entry.key !== 'disabled_plugins') return;
  const source = reach.effective ? 'effective' : 'file';
  scope.sink.fact('runtime.setting', scope.node, { runtime: 'containerd', key, value, source }, cite(scope, entry.first, entry.last));
}

interface Handler {
  line: number;
  type?: string;
  written: boolean;
}

function handlersOf(block: TomlBlock, version: number): Map<string, Handler> {
  const handlers = new Map<string, Handler>();
  const at = (table: string | undefined, line: number): Handler | undefined => {
    const name = handlerOf(table);
    const place = criPlace(table);
    if (name === undefined || name === 'default_runtime' || !place || !isRead(place.style, version)) return undefined;
    const handler = handlers.get(name) ?? { line, written: false };
    handlers.set(name, handler);
    return handler;
  };
  for (const table of block.tables) {
    const handler = at(table.path, table.line);
    if (handler && table.path.endsWith('.options')) handler.line = table.line;
  }
  for (const entry of block.entries) {
    const handler = at(entry.table, entry.first);
    if (handler && entry.key === 'runtime_type') handler.type = tomlText(entry.raw);
    if (handler && (entry.key === 'SystemdCgroup' || entry.key === 'options.SystemdCgroup')) handler.written = true;
  }
  return handlers;
}

/** runc handlers of a whole file that do not set the driver run on containerd's own default. */
function impliedDrivers(scope: Scope, block: TomlBlock, reach: Reach, version: number | undefined): void {
  if (!reach.whole || version === undefined || version < 2) return;
  if (!reach.effective && block.entries.some((entry) => entry.key === 'imports' && tomlText(entry.raw) !== '')) return;
  const cri = block.tables.find((table) => {
    const place = criPlace(table.path);
    return place !== undefined && isRead(place.style, version);
  });
  if (!cri || block.entries.some(disablesCri)) return;
  const handlers = handlersOf(block, version);
  if (!handlers.has('runc'))
    handlers.set('runc', { line: cri.line, written: block.entries.some((entry) => entry.key.endsWith('SystemdCgroup')) });
  for (const [handler, { line, type, written }] of handlers) {
    const isRunc = type ? type.startsWith('io.containerd.runc.') : handler === 'runc';
    if (written || !isRunc) continue;
    scope.sink.fact(
      'runtime.cgroup-driver',
      scope.node,
      {
        runtime: 'containerd',
        driver: 'cgroupfs',
        handler,
        explicit: false,
        source: reach.effective ? 'effective' : 'file',
        configVersion: version,
      },
      cite(scope, line),
    );
  }
}

function disablesCri(entry: TomlEntry): boolean {
  return entry.table === '' && entry.key === 'disabled_plugins' && /\bcri\b/.test(entry.raw);
}

function fileFacts(scope: Scope, block: TomlBlock, reach: Reach, version: number | undefined): void {
  const head = block.entries.find((entry) => entry.table === '' && entry.key === 'version');
  const problems = reach.effective ? [] : problemsOf(scope, block, reach, version);
  if (version === undefined && problems.length === 0) return;
  const known = { runtime: 'containerd', ...(version !== undefined ? { version } : {}) } as const;
  if (problems.length === 0) scope.sink.fact('runtime.config-file', scope.node, known, cite(scope, head?.first ?? reach.from));
  for (const { line, text } of problems) {
    scope.sink.fact('runtime.config-file', scope.node, { ...known, problem: text }, cite(scope, line));
  }
}

function problemsOf(scope: Scope, block: TomlBlock, reach: Reach, version: number | undefined): { line: number; text: string }[] {
  const problems: { line: number; text: string }[] = [];
  const syntax = reach.whole ? tomlProblem(scope.lines, reach.from, block.end) : undefined;
  if (syntax && !PASTED_QUOTES.test(scope.lines[syntax.line] ?? ''))
    problems.push({ line: syntax.line, text: `not valid TOML: ${syntax.text}` });
  if (version === undefined || version < 2) return problems;
  for (const entry of block.entries) {
    if (entry.table !== '' || (entry.key !== 'disabled_plugins' && entry.key !== 'required_plugins')) continue;
    const short = [tomlValue(entry.raw) ?? []].flat().find((name) => typeof name === 'string' && name !== '' && !name.includes('.'));
    if (short !== undefined)
      problems.push({
        line: entry.first,
        text: `${entry.key} has the short name "${short}"; version ${version} wants io.containerd.… names`,
      });
  }
  const table = block.tables.find(({ path }) => criPlace(path)?.style === 'short');
  if (table) problems.push({ line: table.line, text: `plugin key "cri" is a version 1 name; the file says version ${version}` });
  return problems;
}
