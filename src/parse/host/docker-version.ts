import type { BlockReader } from '../../model/reading.ts';
import { type Field, readFields } from './fields.ts';
import { cite, cover, type Scope, scopeOf } from './scope.ts';
import { plainVersion } from './text.ts';

const OPENS = /^\s{0,40}(?:Client|Server):(?:\s+Docker Engine.{0,60})?\s*$/;
const INSIDE = /^\s{0,40}(?:Version|API version|Revision|Go version|Cloud integration|UUID|Package|Engine|Git commit):?\s/;
const KEYS: ReadonlySet<string> = new Set([
  'Client',
  'Server',
  'Version',
  'API version',
  'Go version',
  'Git commit',
  'Built',
  'OS/Arch',
  'Context',
  'Experimental',
  'Engine',
  'containerd',
  'runc',
  'docker-init',
  'GitCommit',
  'Revision',
  'UUID',
  'Cloud integration',
  'Platform',
  'Default API version',
  'Minimum API version',
  'BuildTime',
]);
const PARTS: Readonly<Record<string, string>> = { Engine: 'docker', containerd: 'containerd', runc: 'runc' };

/** `docker version` and `ctr version`: blocks of fields, each `Version:` belongs to the heading above it. */
function facts(scope: Scope, fields: readonly Field[]): void {
  const isDocker = fields.some(({ key }) => key === 'API version');
  let part = isDocker ? 'docker-cli' : 'ctr';
  for (const { key, value, line } of fields) {
    if (key === 'Client') part = isDocker ? 'docker-cli' : 'ctr';
    else if (key === 'Server') part = isDocker ? 'docker' : 'containerd';
    else if (value === '' && key in PARTS) part = PARTS[key] ?? part;
    else if (value === '') part = '';
    if (key !== 'Version' || part === '' || !/^v?\d/.test(value)) continue;
    scope.sink.fact('host.version', scope.node, { component: part, version: plainVersion(value) }, cite(scope, line));
  }
}

export const dockerVersionReader: BlockReader = {
  what: 'docker version',
  read(lines, from, context, sink) {
    if (!OPENS.test(lines[from] ?? '') || !INSIDE.test(`${lines[from + 1] ?? ''} `)) return from;
    const { fields, end } = readFields(lines, from, (field) => field !== undefined && KEYS.has(field.key));
    const ours = fields.some(({ key }) => key === 'API version' || key === 'Revision' || key === 'UUID');
    if (!ours || !fields.some(({ key }) => key === 'Version')) return from;
    const scope = scopeOf(lines, context, sink);
    facts(scope, fields);
    cover(scope, 'host-versions', 'excerpt', from, end);
    return end;
  },
};
