import type { ClusterPort } from '../collect/cluster/port.ts';
import { collectStdin } from '../collect/stdin.ts';
import { diagnoseLive, isThere, type LiveOptions, type LiveResult } from '../live/diagnose-live.ts';
import { parseTarget, type Target } from '../live/targets.ts';
import { deepReader } from './deep.ts';
import { exitCodeOf, print } from './diagnose-command.ts';
import { UsageError, wordNote } from './errors.ts';
import { languageFor } from './language.ts';
import type { LiveFlags } from './live-flags.ts';
import { printPlan } from './live-plan.ts';
import { openPort } from './open-port.ts';
import { causesFor } from './own-causes.ts';
import { createProgress } from './progress.ts';

/** Looks at the cluster of the current context. */
export async function liveCommand(words: readonly string[], flags: LiveFlags): Promise<number> {
  const target = targetOf(words);
  const port = await openPort(flags);
  try {
    const told = await tellBeforehand(port, target, flags);
    if (told !== undefined) return told;
    const result = await look(port, target, flags);
    tellNarrowed(port, result, flags);
    if (target && !isThere(result.thought, target.kind, target.name)) throw notThere(target, result, port);
    const { report } = result;
    await print(report, flags);
    return exitCodeOf(report);
  } finally {
    port.close();
  }
}

/** `--plan` and `--check` tell what would be done or could be seen, and nothing else happens. */
export async function tellBeforehand(port: ClusterPort, target: Target | undefined, flags: LiveFlags): Promise<number | undefined> {
  if (flags.plan) return await printPlan(port, scopeOf(port, target, flags), flags);
  if (flags.check) return await (await import('./check-command.ts')).checkCommand(port, scopeOf(port, target, flags), flags);
  return undefined;
}

async function look(port: ClusterPort, target: Target | undefined, flags: LiveFlags): Promise<LiveResult> {
  const progress = createProgress(process.stderr);
  try {
    const causes = await causesFor(flags);
    return await diagnoseLive(port, { ...liveOptions(port, target, flags), causes, onStep: (says) => progress.step(says) });
  } finally {
    progress.done();
  }
}

export function liveOptions(port: ClusterPort, target: Target | undefined, flags: LiveFlags): LiveOptions {
  return {
    scope: scopeOf(port, target, flags),
    mayNarrow: !flags.allNamespaces,
    redact: flags.redact,
    translate: languageFor(flags).translate,
    ...(target ? { about: target } : flags.focus ? { focus: flags.focus } : {}),
    ...(flags.since !== undefined ? { sinceSeconds: flags.since } : {}),
    ...(flags.stdin ? { more: collectStdin(process.stdin).documents } : {}),
    ...(flags.deep ? { deep: deepReader(port, flags) } : {}),
  };
}

function scopeOf(port: ClusterPort, target: Target | undefined, flags: LiveFlags) {
  if (flags.allNamespaces && flags.namespace !== undefined) throw new UsageError('-A and -n contradict each other; give one of them.');
  const namespaced = target !== undefined && target.kind !== 'Node';
  const namespace = flags.namespace ?? (namespaced && !flags.allNamespaces ? port.namespace : undefined);
  return {
    ...(namespace !== undefined ? { namespace } : {}),
    ...(target?.kind === 'Node' ? { node: target.name } : {}),
    ...(flags.selector !== undefined ? { selector: flags.selector } : {}),
  };
}

export function targetOf(words: readonly string[]): Target | undefined {
  if (words.length === 0) return undefined;
  if (words.length > 1) throw new UsageError('one object at a time; leave it out to look at all of them.');
  return parseTarget(words[0] ?? '');
}

function tellNarrowed(port: ClusterPort, { scope }: LiveResult, flags: LiveFlags): void {
  if (flags.namespace !== undefined || scope.namespace === undefined || scope.namespace !== port.namespace) return;
  process.stderr.write(`${wordNote(`looked at namespace ${scope.namespace} only; -A looks at all of them where you may.`)}\n`);
}

function notThere({ kind, name }: Target, { scope }: LiveResult, port: ClusterPort): Error {
  const where = kind === 'Node' || scope.namespace === undefined ? `in ${port.context ?? port.server}` : `in namespace ${scope.namespace}`;
  return new UsageError(`there is no ${kind} ${name} ${where}.`);
}
