import type { EntityId } from '../../../model/entity.ts';
import type { FactKinds } from '../../../model/facts.ts';
import { namesIn } from '../identity.ts';
import type { Told } from './told.ts';

const CONSTRAINT = /oom-kill:constraint=(?<constraint>\w+),/;
const TASK_GROUP = /,task_memcg=(?<group>[^,]{1,600}),task=(?<task>[^,]{1,64}),pid=(?<pid>\d+)/;
const OLD_GROUP = /^Task in (?<group>\S{1,600}) killed as a result of limit of /;
const KILLED = /^(?<group>Memory cgroup out|Out) of memory\b[^\n]{0,120}?\bprocess (?<pid>\d{1,10}) \((?<task>[^)]{1,64})\)/;
const DENIALS = ['apparmor="DENIED"', 'avc:  denied', 'type=1326', 'SECCOMP '] as const;
const PAIR =
  /\b(?<key>operation|profile|comm|signal|peer|scontext|tcontext|tclass|syscall|sig|code|name)=(?:"(?<quoted>[^"]{0,300})"|(?<plain>[^\s"]{1,300}))/g;

/** What the kernel says of memory it took back and of what it forbade. */
export function kernelFacts(told: Told): void {
  const { message } = told.line;
  if (message.includes('oom-kill:constraint=')) constrainedKill(told);
  else if (message.startsWith('Task in ')) oldCgroupKill(told);
  else if (message.includes('ut of memory')) plainKill(told);
  else if (DENIALS.some((words) => message.includes(words))) denial(told);
  else if (message.startsWith('SELinux is preventing ')) toldBySetroubleshoot(told);
}

const PREVENTED =
  /^SELinux is preventing (?<process>\S{1,200}) from (?:using the |getting |)?(?<operation>[\w ,']{2,80}?) (?:access|capability)\b/;

/** The same denial in the words of setroubleshoot, which hosts of Red Hat's kind write beside the kernel's. */
function toldBySetroubleshoot(told: Told): void {
  const groups = PREVENTED.exec(told.line.message.slice(0, 600))?.groups;
  if (!groups) return;
  const payload: FactKinds['kernel.denial'] = {
    by: 'selinux',
    ...field('process', groups['process']),
    ...field('operation', groups['operation']),
  };
  told.sink.fact('kernel.denial', told.attribution.node, payload, told.cited, told.more);
}

function constrainedKill(told: Told): void {
  const { message } = told.line;
  const groups = TASK_GROUP.exec(message)?.groups ?? {};
  const scope = CONSTRAINT.exec(message)?.groups?.['constraint'] === 'CONSTRAINT_MEMCG' ? 'cgroup' : 'node';
  emitKill(told, scope, groups['group'], groups['task']);
  if (told.memory && groups['pid']) told.memory.killed = groups['pid'];
}

/** Kernels before 4.19 name the cgroup in a line of its own, before the one that names the process. */
function oldCgroupKill(told: Told): void {
  const group = OLD_GROUP.exec(told.line.message)?.groups?.['group'];
  if (group === undefined) return;
  emitKill(told, 'cgroup', group, undefined);
  if (told.memory) told.memory.killed = 'next';
}

function plainKill(told: Told): void {
  const groups = KILLED.exec(told.line.message)?.groups;
  if (!groups) return;
  const seen = told.memory?.killed;
  if (told.memory && groups['pid']) told.memory.killed = groups['pid'];
  if (seen === 'next' || (seen !== undefined && seen === groups['pid'])) return;
  emitKill(told, groups['group'] === 'Out' ? 'node' : 'cgroup', undefined, groups['task']);
}

function emitKill(told: Told, scope: 'cgroup' | 'node', cgroup: string | undefined, process: string | undefined): void {
  const payload: FactKinds['kernel.oom'] = { scope, ...(process ? { process } : {}), ...(cgroup ? { cgroup } : {}) };
  told.sink.fact('kernel.oom', victimOf(cgroup) ?? told.attribution.node, payload, told.cited, told.more);
}

/** A cgroup's path holds the container's id, or at least the pod's. */
function victimOf(cgroup: string | undefined): EntityId | undefined {
  if (cgroup === undefined) return undefined;
  const { containerIds, uid } = namesIn(cgroup);
  if (containerIds.length === 1) return `cid:${containerIds[0]}`;
  return uid === undefined ? undefined : `uid:${uid}`;
}

function denial(told: Told): void {
  const { message } = told.line;
  const values = new Map<string, string>();
  for (const match of message.slice(0, 4000).matchAll(PAIR)) {
    const { key = '', quoted, plain } = match.groups ?? {};
    if (!values.has(key)) values.set(key, quoted ?? plain ?? '');
  }
  const payload = denialOf(message, values);
  if (payload) told.sink.fact('kernel.denial', told.attribution.node, payload, told.cited, told.more);
}

function denialOf(message: string, values: ReadonlyMap<string, string>): FactKinds['kernel.denial'] | undefined {
  const process = field('process', values.get('comm'));
  if (message.includes('apparmor=')) {
    return {
      by: 'apparmor',
      ...process,
      ...field('operation', values.get('operation')),
      ...field('profile', values.get('profile')),
      ...field('signal', values.get('signal')),
      ...field('peer', values.get('peer')),
    };
  }
  if (message.includes('avc:')) {
    const operation = /denied {2}\{ (?<operation>[^}]{1,80}) \}/.exec(message)?.groups?.['operation'];
    return {
      by: 'selinux',
      ...process,
      ...field('operation', operation),
      ...field('profile', values.get('scontext')),
      ...field('peer', values.get('tcontext')),
    };
  }
  // Signal 0 means the call was only logged.
  if (values.get('sig') === '0' || values.get('sig') === undefined) return undefined;
  const call = values.get('syscall');
  return {
    by: 'seccomp',
    ...process,
    ...field('operation', call === undefined ? undefined : `syscall ${call}`),
    ...field('signal', values.get('sig')),
  };
}

function field<K extends string>(key: K, value: string | undefined): { [P in K]?: string } {
  return (value ? { [key]: value } : {}) as { [P in K]?: string };
}
