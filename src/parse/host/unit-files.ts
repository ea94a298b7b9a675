import type { BlockReader } from '../../model/reading.ts';
import { dockerdFlags, isKubeletText, KUBELET_FLAG, kubeletFlags, runningProgram, tellProgram } from './kubelet-flags.ts';
import { cite, cover, insideContainer, type Scope, scopeOf } from './scope.ts';
import { commandIs, isBlank, isBoundary, isElision, withoutGrepPrefix } from './text.ts';

const SECTION = /^\s{0,40}\[(?:Unit|Service|Install|Socket)\]\s*$/;
const PATH_COMMENT =
  /^\s{0,40}#\s{1,9}(?<path>\/(?:etc|lib|usr|run)\/[\w./@-]{1,200}\/(?<unit>[\w@-]{1,80})\.service(?:\.d\/[\w@.-]{1,80}\.conf)?)\s*$/;
const SETTING = /^\s{0,40}[A-Z][A-Za-z]{1,40}=/;
const VARIABLE = /^\s{0,40}(?:export\s+)?(?<name>KUBELET_[A-Z_]{1,60}|DAEMON_ARGS|DOCKER_OPTS)=(?<value>.*)$/;
const ENVIRONMENT = /^\s{0,40}Environment=["']?(?<name>KUBELET_[A-Z_]{1,60}|DOCKER_OPTS)=(?<value>.*)$/;
const EXEC = /^\s{0,40}ExecStart=-?(?<command>\/\S.*)$/;
const TOLD_SETTINGS = /^\s{0,40}(?<key>KillMode|BindsTo|LimitNOFILE|Delegate|OOMScoreAdjust|TasksMax|Restart)=(?<value>\S.*)$/;

function trimQuote(value: string): string {
  return value.trim().replace(/^["']|["']$/g, '');
}

/** The line and what it goes on with behind a backslash. */
function joined(lines: readonly string[], index: number): { text: string; last: number } {
  let last = index;
  let text = lines[index] ?? '';
  while (text.trimEnd().endsWith('\\') && last + 1 < lines.length && last - index < 60 && text.length < 20_000) {
    last++;
    text = `${text.trimEnd().slice(0, -1)} ${(lines[last] ?? '').trim()}`;
  }
  return { text, last };
}

function tellVariable(scope: Scope, name: string, value: string, line: number): void {
  const flags = trimQuote(value);
  if (name.startsWith('KUBELET_') || (name === 'DAEMON_ARGS' && isKubeletText(scope.context, flags))) kubeletFlags(scope, flags, line);
  if (name === 'DOCKER_OPTS') dockerdFlags(scope, flags, line, 'file');
}

function tellUnitSetting(scope: Scope, unit: string | undefined, text: string, line: number): void {
  const groups = TOLD_SETTINGS.exec(text)?.groups;
  const runtime = unit === 'containerd' || unit === 'docker' || unit === 'crio' ? unit : undefined;
  if (!groups || !runtime) return;
  const [key, value] = [groups['key'] ?? '', (groups['value'] ?? '').trim()];
  scope.sink.fact('runtime.setting', scope.node, { runtime, key, value, source: 'file' }, cite(scope, line));
}

/** Unit files and their drop-ins as `systemctl cat` prints them, and pieces of them. */
export const unitFileReader: BlockReader = {
  what: 'systemd unit file',
  read(lines, from, context, sink) {
    const first = (lines[from] ?? '').slice(0, 4000);
    if (
      !SECTION.test(first) &&
      !PATH_COMMENT.test(first) &&
      !ENVIRONMENT.test(first) &&
      !/^\s{0,40}ExecStart=\/\S*(?:kubelet|dockerd|containerd)\b/.test(first)
    )
      return from;
    const scope = scopeOf(lines, context, sink);
    let unit = context.unit;
    let end = from;
    for (let index = from; index < lines.length; index++) {
      const line = lines[index] ?? '';
      if (isBlank(line)) continue;
      const path = PATH_COMMENT.exec(line.slice(0, 400))?.groups;
      if (path) unit = path['unit'] ?? unit;
      else if (isBoundary(line) || line.length > 20_000) break;
      else if (!SECTION.test(line) && !SETTING.test(line) && !line.trimStart().startsWith('#') && !isElision(line)) break;
      const { text, last } = joined(lines, index);
      const variable = ENVIRONMENT.exec(text)?.groups;
      const command = EXEC.exec(text)?.groups?.['command'];
      if (variable) tellVariable(scope, variable['name'] ?? '', variable['value'] ?? '', index);
      if (command !== undefined) tellExec(scope, command, index);
      tellUnitSetting(scope, unit, text, index);
      index = last;
      if (!line.trimStart().startsWith('#') || path) end = last + 1;
    }
    if (end > from) cover(scope, 'kubelet-config', 'excerpt', from, end);
    return end;
  },
};

function tellExec(scope: Scope, command: string, line: number): void {
  const running = runningProgram(command);
  if (running?.program === 'dockerd') dockerdFlags(scope, running.flags, line, 'file');
  else tellProgram(scope, command, line);
}

/** `/var/lib/kubelet/kubeadm-flags.env`, `/etc/default/kubelet` and the like. */
export const kubeletEnvReader: BlockReader = {
  what: 'kubelet flags file',
  read(lines, from, context, sink) {
    const { text, last } = joined(lines, from);
    const groups = VARIABLE.exec(withoutGrepPrefix(text))?.groups;
    if (!groups) return from;
    const value = groups['value'] ?? '';
    if (groups['name'] === 'DAEMON_ARGS' && !isKubeletText(context, value)) return from;
    const scope = scopeOf(lines, context, sink);
    tellVariable(scope, groups['name'] ?? '', value, from);
    cover(scope, groups['name'] === 'DOCKER_OPTS' ? 'docker-config' : 'kubelet-config', 'excerpt', from, last + 1);
    return last + 1;
  },
};

const PROCESS_ROW =
  /^(?:[\s│├└─|`-]{0,80}\d{1,9}\s|\s{0,20}[a-z_][\w+-]{0,31}\s+\d{1,9}\s|\s{0,20}\/(?:usr|opt|var|snap|bin|sbin)\S{0,100}\/(?:kubelet|dockerd)\s)/;

const PROCESSES = /^(?:sudo )?ps\s/;
const DAEMON_ALONE = /^\s{0,20}\d{1,9} \S{0,200}(?:kubelet|containerd|dockerd|crio|cri-dockerd)(?: .{0,300})?$/;

/** A daemon's command line in the output of `ps`. */
export const processReader: BlockReader = {
  what: 'process list',
  read(lines, from, context, sink) {
    const line = lines[from] ?? '';
    if (line.length > 20_000 || !PROCESS_ROW.test(line.slice(0, 300)) || insideContainer(context)) return from;
    const running = runningProgram(line);
    if (!running) return commandIs(context, PROCESSES) && DAEMON_ALONE.test(line.slice(0, 400)) ? from + 1 : from;
    const sure =
      running.program === 'kubelet'
        ? KUBELET_FLAG.test(running.flags) || /--(?:kube)?config[= ]/.test(running.flags)
        : /\s\/\S*\/(?:dockerd|containerd)\s/.test(line);
    if (!sure) return from;
    const scope = scopeOf(lines, context, sink);
    tellProgram(scope, line, from);
    cover(
      scope,
      running.program === 'kubelet' ? 'kubelet-config' : running.program === 'dockerd' ? 'docker-config' : 'containerd-config',
      'excerpt',
      from,
      from + 1,
    );
    return from + 1;
  },
};
