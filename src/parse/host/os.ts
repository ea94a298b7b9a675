import type { FactKinds } from '../../model/facts.ts';
import type { BlockReader } from '../../model/reading.ts';
import { type Field, fieldAt, fieldOf, readFields } from './fields.ts';
import { familyOf } from './os-family.ts';
import { cite, cover, insideContainer, namedNode, type Scope, scopeOf } from './scope.ts';
import { isBlank, isElision, unquoted } from './text.ts';

const RELEASE_KEYS =
  /^\s{0,40}(?<key>PRETTY_NAME|NAME|VERSION|VERSION_ID|ID|ID_LIKE|VERSION_CODENAME|UBUNTU_CODENAME|PLATFORM_ID|ANSI_COLOR|CPE_NAME|HOME_URL|SUPPORT_URL|BUG_REPORT_URL|PRIVACY_POLICY_URL|DOCUMENTATION_URL|LOGO|DEFAULT_HOSTNAME|BUILD_ID|VARIANT|VARIANT_ID|SUPPORT_END|(?:REDHAT|ROCKY|ALMALINUX|CENTOS)_[A-Z_]{3,40}|DISTRIB_(?:ID|RELEASE|CODENAME|DESCRIPTION))=(?<value>.*)$/;
const RELEASE_LINES = 60;
const RELEASE_STARTS = /^\s{0,40}(?:PRETTY_NAME|NAME|ID|VERSION_ID|DISTRIB_ID|DISTRIB_DESCRIPTION)=["']?[A-Za-z0-9]/;
const REDHAT =
  /^\s{0,40}(?<name>(?:CentOS|Red Hat|Rocky|AlmaLinux|Fedora|Oracle Linux|Amazon Linux|Scientific Linux|openEuler|Anolis|Kylin)[\w .()-]{0,60}?\srelease\s+(?<version>\d[\w.]{0,20})(?: \([\w ,.-]{1,40}\))?)\s*$/;

function tellOs(scope: Scope, name: string, id: string | undefined, versionId: string | undefined, line: number, like?: string): void {
  const payload: FactKinds['host.os'] = {
    name,
    family: familyOf(id, like, name),
    ...(id ? { id } : {}),
    ...(versionId ? { versionId } : {}),
  };
  scope.sink.fact('host.os', scope.node, payload, cite(scope, line));
}

/** `/etc/os-release` and `/etc/lsb-release`, whole or some of their lines. */
export const osReleaseReader: BlockReader = {
  what: 'os-release',
  read(lines, from, context, sink) {
    if (!RELEASE_STARTS.test((lines[from] ?? '').slice(0, 300)) || insideContainer(context)) return from;
    const found = new Map<string, { value: string; line: number }>();
    let end = from;
    for (; end < lines.length && end < from + RELEASE_LINES; end++) {
      const line = (lines[end] ?? '').slice(0, 600);
      const groups = RELEASE_KEYS.exec(line)?.groups;
      if (!groups && !isElision(line)) break;
      if (groups) found.set(groups['key'] ?? '', { value: unquoted(groups['value'] ?? ''), line: end });
    }
    const name =
      found.get('PRETTY_NAME') ?? found.get('DISTRIB_DESCRIPTION') ?? found.get('NAME') ?? found.get('DISTRIB_ID') ?? found.get('ID');
    // A lone `NAME="x"` or `ID=7` is anybody's variable.
    if (!name || (!found.has('PRETTY_NAME') && !found.has('DISTRIB_ID') && !found.has('DISTRIB_DESCRIPTION') && found.size < 2))
      return from;
    const scope = scopeOf(lines, context, sink);
    const id = found.get('ID')?.value ?? found.get('DISTRIB_ID')?.value.toLowerCase();
    tellOs(scope, name.value, id, (found.get('VERSION_ID') ?? found.get('DISTRIB_RELEASE'))?.value, name.line, found.get('ID_LIKE')?.value);
    cover(scope, 'host-os', 'whole', from, end);
    return end;
  },
};

export const redhatReleaseReader: BlockReader = {
  what: 'redhat-release',
  read(lines, from, context, sink) {
    const groups = insideContainer(context) ? undefined : REDHAT.exec((lines[from] ?? '').slice(0, 200))?.groups;
    if (!groups) return from;
    const scope = scopeOf(lines, context, sink);
    tellOs(scope, groups['name'] ?? '', undefined, groups['version'], from);
    cover(scope, 'host-os', 'whole', from, from + 1);
    return from + 1;
  },
};

const LSB_KEYS: ReadonlySet<string> = new Set(['Distributor ID', 'Description', 'Release', 'Codename', 'LSB Version']);

export const lsbReleaseReader: BlockReader = {
  what: 'lsb_release',
  read(lines, from, context, sink) {
    const start = (lines[from] ?? '').trim() === 'No LSB modules are available.' ? from + 1 : from;
    const first = fieldAt(lines, start)?.key;
    if ((first !== 'Distributor ID' && first !== 'LSB Version') || insideContainer(context)) return from;
    const { fields, end } = readFields(lines, start, (field) => field !== undefined && LSB_KEYS.has(field.key));
    const name = fieldOf(fields, 'Description') ?? fieldOf(fields, 'Distributor ID');
    if (!name?.value) return from;
    const scope = scopeOf(lines, context, sink);
    tellOs(scope, name.value, fieldOf(fields, 'Distributor ID')?.value.toLowerCase(), fieldOf(fields, 'Release')?.value, name.line);
    cover(scope, 'host-os', 'whole', from, end);
    return end;
  },
};

const UNAME =
  /^\s{0,40}Linux\s+(?<host>[\w.-]{1,253})\s+(?<kernel>\d{1,2}\.\d{1,3}[\w.+~-]{0,80})\s+#\d+\S{0,80}\s.{0,200}(?:x86_64|aarch64|arm64|armv\d\w?|ppc64le|s390x|riscv64|i686)\b/;
const RELEASE_ONLY = /^\s{0,40}(?<kernel>\d{1,2}\.\d{1,3}\.\d{1,3}[\w.+~-]{0,80})\s*$/;

export const unameReader: BlockReader = {
  what: 'uname',
  read(lines, from, context, sink) {
    if (insideContainer(context)) return from;
    const line = (lines[from] ?? '').slice(0, 500);
    const full = UNAME.exec(line)?.groups;
    const asked = /\buname\s+-r\b/.test(context.command ?? '');
    const kernel = full?.['kernel'] ?? (asked ? RELEASE_ONLY.exec(line)?.groups?.['kernel'] : undefined);
    if (kernel === undefined) return from;
    const scope = scopeOf(lines, context, sink, full ? namedNode(context, full['host']) : undefined);
    sink.fact('host.version', scope.node, { component: 'kernel', version: kernel }, cite(scope, from));
    cover(scope, 'host-versions', 'excerpt', from, from + 1);
    return from + 1;
  },
};

const HOSTNAMECTL_KEYS: ReadonlySet<string> = new Set([
  'Static hostname',
  'Pretty hostname',
  'Transient hostname',
  'Icon name',
  'Chassis',
  'Deployment',
  'Location',
  'Machine ID',
  'Boot ID',
  'Virtualization',
  'Operating System',
  'CPE OS Name',
  'OS Support End',
  'OS Support Remaining',
  'Kernel',
  'Architecture',
  'Hardware Vendor',
  'Hardware Model',
  'Hardware Version',
  'Hardware Serial',
  'Firmware Version',
  'Firmware Date',
  'Firmware Age',
  'Product UUID',
  'AF_VSOCK CID',
]);

function tellHost(scope: Scope, fields: readonly Field[]): void {
  const os = fieldOf(fields, 'Operating System');
  const kernel = fieldOf(fields, 'Kernel');
  if (os?.value) tellOs(scope, os.value, undefined, undefined, os.line);
  const version = /^Linux\s+(?<version>\S+)/.exec(kernel?.value ?? '')?.groups?.['version'];
  if (kernel && version) scope.sink.fact('host.version', scope.node, { component: 'kernel', version }, cite(scope, kernel.line));
}

export const hostnamectlReader: BlockReader = {
  what: 'hostnamectl',
  read(lines, from, context, sink) {
    if (isBlank(lines[from] ?? '') || fieldAt(lines, from)?.key !== 'Static hostname') return from;
    const { fields, end } = readFields(lines, from, (field) => field !== undefined && HOSTNAMECTL_KEYS.has(field.key));
    const name = fieldOf(fields, 'Static hostname')?.value;
    const scope = scopeOf(lines, context, sink, namedNode(context, name));
    tellHost(scope, fields);
    cover(scope, 'host-os', 'whole', from, end);
    return end;
  },
};
