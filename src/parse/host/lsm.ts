import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, scopeOf } from './scope.ts';
import { commandIs } from './text.ts';

const MODULES = /^(?=\S{0,200}(?:capability|lockdown|yama))[a-z0-9_]{2,20}(?:,[a-z0-9_]{2,20}){1,15}$/;
const PROFILE = /^(?<name>\S.{0,200}?) \((?<mode>enforce|complain|kill|unconfined|mixed|prompt|user)\)\s*$/;
const MODE = /^(?<mode>Enforcing|Permissive|Disabled)\s*$/;
const STATUS = /^SELinux status:\s+(?<state>enabled|disabled)\s*$/;
const CURRENT = /^Current mode:\s+(?<mode>enforcing|permissive)\s*$/;
const SESTATUS =
  /^(?:SELinuxfs mount|SELinux root directory|Loaded policy name|Current mode|Mode from config file|Policy MLS status|Policy deny_unknown status|Memory protection checking|Max kernel policy version):/;

export function isRuntimeProfile(name: string): boolean {
  return /(?:^|\/)(?:runc|crun)$|containerd|docker-default|crio-default/.test(name);
}

/** `/sys/kernel/security/lsm`: which security modules the kernel runs. */
export const lsmReader: BlockReader = {
  what: 'security modules',
  read(lines, from, context, sink) {
    const line = (lines[from] ?? '').slice(0, 300).trim();
    if (insideContainer(context) || !MODULES.test(line)) return from;
    const scope = scopeOf(lines, context, sink);
    for (const module of ['apparmor', 'selinux'] as const) {
      if (line.split(',').includes(module)) sink.fact('host.lsm', scope.node, { module, state: 'enabled' }, cite(scope, from));
    }
    cover(scope, 'apparmor-state', 'excerpt', from, from + 1);
    return from + 1;
  },
};

/** `/sys/kernel/security/apparmor/profiles`: what `aa-status` counts. */
export const apparmorProfilesReader: BlockReader = {
  what: 'AppArmor profiles',
  read(lines, from, context, sink) {
    if (!commandIs(context, /apparmor\/profiles/)) return from;
    const scope = scopeOf(lines, context, sink);
    let end = from;
    for (; end < lines.length; end++) {
      const name = PROFILE.exec((lines[end] ?? '').slice(0, 300))?.groups?.['name'];
      if (name === undefined) break;
      if (isRuntimeProfile(name)) sink.fact('host.tool', scope.node, { name: `apparmor profile ${name}`, present: true }, cite(scope, end));
    }
    if (end === from) return from;
    sink.fact('host.lsm', scope.node, { module: 'apparmor', state: 'enabled' }, cite(scope, from));
    cover(scope, 'apparmor-state', 'whole', from, end);
    return end;
  },
};

/** `getenforce` and `sestatus`. */
export const selinuxReader: BlockReader = {
  what: 'SELinux state',
  read(lines, from, context, sink) {
    if (insideContainer(context)) return from;
    const line = (lines[from] ?? '').slice(0, 200).trim();
    const scope = scopeOf(lines, context, sink);
    const mode = commandIs(context, /\bgetenforce\b/) ? MODE.exec(line)?.groups?.['mode']?.toLowerCase() : undefined;
    if (mode === 'enforcing' || mode === 'permissive' || mode === 'disabled') {
      sink.fact('host.lsm', scope.node, { module: 'selinux', state: mode }, cite(scope, from));
      cover(scope, 'apparmor-state', 'excerpt', from, from + 1);
      return from + 1;
    }
    const state = STATUS.exec(line)?.groups?.['state'];
    if (state === undefined) return from;
    let end = from + 1;
    let at = from;
    let current = state === 'disabled' ? 'disabled' : 'enabled';
    for (; SESTATUS.test((lines[end] ?? '').slice(0, 200)); end++) {
      const found = CURRENT.exec((lines[end] ?? '').slice(0, 200).trim())?.groups?.['mode'];
      if (found === undefined) continue;
      current = found;
      at = end;
    }
    const told = current === 'enforcing' || current === 'permissive' || current === 'disabled' ? current : 'enabled';
    sink.fact('host.lsm', scope.node, { module: 'selinux', state: told }, cite(scope, at));
    cover(scope, 'apparmor-state', 'excerpt', from, end);
    return end;
  },
};
