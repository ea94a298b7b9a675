import type { BlockReader } from '../../model/reading.ts';
import { type Field, fieldAt, fieldOf, readFields } from './fields.ts';
import { familyOf } from './os-family.ts';
import { cite, cover, namedNode, type Scope, say, scopeOf } from './scope.ts';
import { isFiltered, plainVersion } from './text.ts';

const STRONG: Readonly<Record<string, RegExp>> = {
  'Cgroup Driver': /^(?:systemd|cgroupfs|none)$/,
  'Cgroup Version': /^[12]$/,
  'Docker Root Dir': /^\//,
  'Storage Driver': /^[a-z0-9]+$/,
  'Logging Driver': /^[a-z-]+$/,
  'Server Version': /^\d+\.\d+/,
  'Live Restore Enabled': /^(?:true|false)$/,
  Containers: /^\d+$/,
};
const SETTINGS: Readonly<Record<string, string>> = {
  'Storage Driver': 'storage-driver',
  'Docker Root Dir': 'data-root',
  'Logging Driver': 'log-driver',
  'Default Runtime': 'default-runtime',
  'Live Restore Enabled': 'live-restore',
  Runtimes: 'runtimes',
  'containerd version': 'containerd version',
};
const KEYS: ReadonlySet<string> = new Set([
  'Client',
  'Server',
  'Context',
  'Debug Mode',
  'Plugins',
  'Images',
  'Running',
  'Paused',
  'Stopped',
  'Backing Filesystem',
  'Supports d_type',
  'Native Overlay Diff',
  'userxattr',
  'Volume',
  'Network',
  'Log',
  'Swarm',
  'Init Binary',
  'runc version',
  'init version',
  'Security Options',
  'Kernel Version',
  'Operating System',
  'OSType',
  'Architecture',
  'CPUs',
  'Total Memory',
  'ID',
  'Registry',
  'Labels',
  'Experimental',
  'Insecure Registries',
  'Registry Mirrors',
  'Product License',
  'Debug Mode (client)',
  'Debug Mode (server)',
  'Username',
  'HTTP Proxy',
  'HTTPS Proxy',
  'No Proxy',
  'Default Address Pools',
  'Dirs',
  'Root Dir',
  'Data Space Used',
]);
const COMPLAINT = /^\s*(?:WARNING|ERROR|Cannot connect to the Docker daemon|error during connect)\b/;
const NO_DAEMON =
  /^\s*(?:ERROR: )?(?:Cannot connect to the Docker daemon|error during connect:|Got permission denied while trying to connect to the Docker daemon)/;

/** `Client:` opens `docker info` as well as `docker version`; only the former goes on with these. */
function opensInfo(lines: readonly string[], from: number): boolean {
  if (!/^\s*Client:(?:\s+Docker Engine.{0,60})?\s*$/.test(lines[from] ?? '')) return false;
  return [1, 2, 3, 4].some((step) => /^\s+(?:Context|Debug Mode|Plugins):/.test(lines[from + step] ?? ''));
}

function starts(lines: readonly string[], from: number): boolean {
  if (opensInfo(lines, from)) return true;
  const field = fieldAt(lines, from);
  return field !== undefined && (STRONG[field.key]?.test(field.value) ?? false);
}

/** Unindented fields must be docker's own: other commands print `Name:` and the like as well. */
function belonging(): (field: Field | undefined, line: string) => boolean {
  let before = '';
  return (field, line) => {
    if (COMPLAINT.test(line)) return true;
    if (!field) return /^\s/.test(line) && line.length < 300;
    const known = field.indent > 0 || KEYS.has(field.key) || field.key in SETTINGS || field.key in STRONG;
    const named = field.key === 'Name' && before === 'Total Memory';
    before = field.key;
    return known || named;
  };
}

function facts(scope: Scope, fields: readonly Field[]): void {
  const { sink, node } = scope;
  for (const { key, value, line } of fields) {
    const cited = cite(scope, line);
    if (key === 'Cgroup Driver' && (value === 'systemd' || value === 'cgroupfs')) {
      sink.fact('runtime.cgroup-driver', node, { runtime: 'docker', driver: value, explicit: true, source: 'effective' }, cited);
    }
    if (key === 'Cgroup Version' && (value === '1' || value === '2'))
      sink.fact('host.cgroup-version', node, { version: value === '1' ? 1 : 2 }, cited);
    if (key === 'Server Version' && /^\d/.test(value))
      sink.fact('host.version', node, { component: 'docker', version: plainVersion(value) }, cited);
    if (key === 'containerd version' && /^v?\d+\.\d/.test(value)) {
      sink.fact('host.version', node, { component: 'containerd', version: plainVersion(value).replace(/-0-g[0-9a-f]+$/, '') }, cited);
    }
    if (key === 'Kernel Version' && value) sink.fact('host.version', node, { component: 'kernel', version: value }, cited);
    if (key === 'Operating System' && value) sink.fact('host.os', node, { name: value, family: familyOf(value) }, cited);
    const setting = SETTINGS[key];
    if (setting && value) sink.fact('runtime.setting', node, { runtime: 'docker', key: setting, value, source: 'effective' }, cited);
  }
}

export const dockerInfoReader: BlockReader = {
  what: 'docker info',
  read(lines, from, context, sink) {
    if (NO_DAEMON.test(lines[from] ?? '')) {
      say(scopeOf(lines, context, sink), 'docker-config', lines[from] ?? '', from, { level: 'error', component: 'docker' });
      return from + 1;
    }
    if (!starts(lines, from)) return from;
    const { fields, end } = readFields(lines, from, belonging());
    if (end === from) return from;
    const host = fieldOf(fields, 'Docker Root Dir') ? fieldOf(fields, 'Name')?.value : undefined;
    const scope = scopeOf(lines, context, sink, namedNode(context, host));
    facts(scope, fields);
    for (let index = from; index < end; index++) {
      const line = lines[index] ?? '';
      if (COMPLAINT.test(line))
        say(scope, 'docker-config', line, index, { level: /WARNING/.test(line) ? 'warning' : 'error', component: 'docker' });
    }
    const whole =
      !isFiltered(context) && fields.some(({ key }) => key === 'Docker Root Dir') && fields.some(({ key }) => key === 'Cgroup Driver');
    cover(scope, 'docker-config', whole ? 'whole' : 'excerpt', from, end);
    return end;
  },
};
