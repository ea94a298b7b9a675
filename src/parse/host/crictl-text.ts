import type { Runtime } from '../../model/facts.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { fieldAt, fieldOf, readFields } from './fields.ts';
import { child, readJson } from './json.ts';
import { cite, cover, scopeOf } from './scope.ts';
import { plainVersion } from './text.ts';

const VERSION_KEYS: ReadonlySet<string> = new Set(['Version', 'RuntimeName', 'RuntimeVersion', 'RuntimeApiVersion']);
const DRIVER = /^\s{0,40}(?:cgroup driver:\s{0,20}|"cgroupDriver":\s{0,20}")(?<driver>SYSTEMD|CGROUPFS)\b/;
const PLUGINS_HEADER = /^\s{0,40}TYPE\s+ID\s+PLATFORMS\s+STATUS\s*$/;
const PLUGIN =
  /^\s{0,40}(?<type>io\.containerd\.[\w.-]{1,80})\s+(?<id>[\w.-]{1,80})\s+(?<platform>\S{1,40})\s+(?<status>ok|error|skip)\s*$/;

function runtimeOf(context: Context): Runtime {
  return /\bcri-?o\b/.test(context.command ?? '') ? 'crio' : 'containerd';
}

export const crictlVersionReader: BlockReader = {
  what: 'crictl version',
  read(lines, from, context, sink) {
    const first = fieldAt(lines, from)?.key;
    const opens =
      first === 'RuntimeName' || first === 'RuntimeVersion' || (first === 'Version' && fieldAt(lines, from + 1)?.key === 'RuntimeName');
    if (!opens) return from;
    const { fields, end } = readFields(lines, from, (field) => field !== undefined && VERSION_KEYS.has(field.key));
    const scope = scopeOf(lines, context, sink);
    const name = fieldOf(fields, 'RuntimeName')?.value.toLowerCase();
    const version = fieldOf(fields, 'RuntimeVersion');
    if (name && version?.value) {
      const component = name === 'cri-o' ? 'crio' : name;
      sink.fact('host.version', scope.node, { component, version: plainVersion(version.value) }, cite(scope, version.line));
    }
    cover(scope, 'host-versions', 'excerpt', from, end);
    return end;
  },
};

export const crictlRuntimeConfigReader: BlockReader = {
  what: 'crictl runtime-config',
  read(lines, from, context, sink) {
    const { line, end } = driverLine(lines, from, context);
    const driver = DRIVER.exec((lines[line] ?? '').slice(0, 200))?.groups?.['driver'];
    if (!driver) return from;
    const scope = scopeOf(lines, context, sink);
    const runtime = runtimeOf(context);
    sink.fact(
      'runtime.cgroup-driver',
      scope.node,
      { runtime, driver: driver === 'SYSTEMD' ? 'systemd' : 'cgroupfs', explicit: true, source: 'effective' },
      cite(scope, line),
    );
    cover(scope, runtime === 'crio' ? 'crio-config' : 'containerd-config', 'excerpt', from, end);
    return end;
  },
};

/** Where the driver stands: on this line, or inside the object that newer crictl prints. */
function driverLine(lines: readonly string[], from: number, context: Context): { line: number; end: number } {
  if (!/^\s{0,40}\{\s*$/.test((lines[from] ?? '').slice(0, 100)) || !/\bruntime-config\b/.test(context.command ?? ''))
    return { line: from, end: from + 1 };
  const block = readJson(lines, from);
  const node = child(block?.root, 'linux', 'cgroupDriver') ?? child(block?.root, 'cgroupDriver');
  return { line: node?.line ?? from, end: block?.end ?? from + 1 };
}

export const ctrPluginsReader: BlockReader = {
  what: 'ctr plugins ls',
  read(lines, from, context, sink) {
    const headed = PLUGINS_HEADER.test((lines[from] ?? '').slice(0, 200));
    const scope = scopeOf(lines, context, sink);
    let end = headed ? from + 1 : from;
    for (; end < lines.length; end++) {
      const groups = PLUGIN.exec((lines[end] ?? '').slice(0, 400))?.groups;
      if (!groups) break;
      const plugin = `${groups['type']}.${groups['id']}`;
      const status = groups['status'] ?? '';
      if (!/\bcri\b/.test(plugin) && status !== 'error') continue;
      sink.fact(
        'runtime.setting',
        scope.node,
        { runtime: 'containerd', key: `plugin ${plugin}`, value: status, source: 'effective' },
        cite(scope, end),
      );
    }
    if (end > from) cover(scope, 'runtime-state', 'excerpt', from, end);
    return end;
  },
};
