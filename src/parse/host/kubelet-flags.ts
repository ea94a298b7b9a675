import { nodeId } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';
import { cite, type Scope } from './scope.ts';
import { unquoted } from './text.ts';

export interface Flag {
  readonly name: string;
  readonly value: string;
}

const FLAG = /^--?(?<name>[a-z][a-z0-9-]{0,80})(?:=(?<value>.*))?$/;
const CUT = /(?:…|\.{3}|>)$/;
/** Flags that nobody else has; one of them makes a line of flags a kubelet's. */
export const KUBELET_FLAG =
  /--(?:bootstrap-kubeconfig|container-runtime(?:-endpoint)?|pod-infra-container-image|cgroup-driver|pod-manifest-path|hostname-override|node-ip|network-plugin|cni-bin-dir|cni-conf-dir|fail-swap-on|kubelet-cgroups|runtime-cgroups|eviction-hard|cluster-dns|node-labels|register-with-taints|resolv-conf|max-pods|require-kubeconfig|allow-privileged|feature-gates|root-dir|system-reserved|kube-reserved)\b/;

/** Words of a command line; quotes keep blanks together. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (const char of text.slice(0, 20_000)) {
    if (quote) {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ' ' || char === '\t' || char === '\\') {
      if (word) words.push(word);
      word = '';
    } else word += char;
  }
  if (word) words.push(word);
  return words;
}

/** The `--flags` of a command line; a last word that was cut off is left out. */
export function flagsOf(text: string): Flag[] {
  const flags: Flag[] = [];
  const words = wordsOf(text);
  if (CUT.test(text.trimEnd())) words.pop();
  for (const [index, word] of words.entries()) {
    const groups = FLAG.exec(word)?.groups;
    if (!groups) continue;
    const next = words[index + 1];
    const value = groups['value'] ?? (next !== undefined && !next.startsWith('-') && !next.startsWith('$') ? next : 'true');
    flags.push({ name: groups['name'] ?? '', value: unquoted(value) });
  }
  return flags;
}

export function kubeletFlag(scope: Scope, name: string, value: string, line: number): void {
  const cited = cite(scope, line);
  if (name === 'cgroup-driver' && (value === 'systemd' || value === 'cgroupfs')) {
    scope.sink.fact('kubelet.cgroup-driver', scope.node, { driver: value, source: 'flag' }, cited);
    return;
  }
  if (value !== '') scope.sink.fact('kubelet.setting', scope.node, { key: name, value, source: 'flag' }, cited);
}

/** Tells every flag of a kubelet's command line; `--hostname-override` names the node. */
export function kubeletFlags(scope: Scope, text: string, line: number): void {
  const flags = flagsOf(text);
  const override = flags.find(({ name }) => name === 'hostname-override')?.value;
  const named = override !== undefined && /^[a-z0-9][a-z0-9.-]*$/.test(override) ? { ...scope, node: nodeId(override) } : scope;
  for (const { name, value } of flags) kubeletFlag(named, name, value, line);
}

/** dockerd may be told its cgroup driver on its command line. */
export function dockerdFlags(scope: Scope, text: string, line: number, source: 'file' | 'effective'): void {
  for (const { name, value } of flagsOf(text)) {
    if (name === 'live-restore' || name === 'data-root') {
      scope.sink.fact('runtime.setting', scope.node, { runtime: 'docker', key: name, value, source }, cite(scope, line));
    }
    const driver = name === 'exec-opt' ? /^native\.cgroupdriver=(?<driver>systemd|cgroupfs)$/.exec(value)?.groups?.['driver'] : undefined;
    if (driver !== 'systemd' && driver !== 'cgroupfs') continue;
    scope.sink.fact('runtime.cgroup-driver', scope.node, { runtime: 'docker', driver, explicit: true, source }, cite(scope, line));
  }
}

const PROGRAM = /(?:^|[\s/])(?<program>kubelet|dockerd|containerd)\s+(?<flags>-.*)$/;

/** A command line as `ps` or a control group tree shows it. */
export function runningProgram(text: string): { program: string; flags: string } | undefined {
  const groups = text.length < 20_000 ? PROGRAM.exec(text)?.groups : undefined;
  return groups ? { program: groups['program'] ?? '', flags: groups['flags'] ?? '' } : undefined;
}

export function tellProgram(scope: Scope, text: string, line: number): boolean {
  const running = runningProgram(text);
  if (!running) return false;
  if (running.program === 'kubelet') kubeletFlags(scope, running.flags, line);
  if (running.program === 'dockerd') dockerdFlags(scope, running.flags, line, 'effective');
  if (running.program === 'containerd') containerdFlags(scope, running.flags, line);
  return true;
}

function containerdFlags(scope: Scope, flags: string, line: number): void {
  const config = flagsOf(flags).find(({ name }) => name === 'config' || name === 'c')?.value;
  if (config)
    scope.sink.fact(
      'runtime.setting',
      scope.node,
      { runtime: 'containerd', key: '--config', value: config, source: 'effective' },
      cite(scope, line),
    );
}

export function isKubeletText(context: Context, text: string): boolean {
  return KUBELET_FLAG.test(text) || /\bkubelet\b/i.test(`${context.command ?? ''} ${context.unit ?? ''}`);
}
