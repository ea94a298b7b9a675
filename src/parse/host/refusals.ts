import type { Channel } from '../../model/channel.ts';
import type { Runtime } from '../../model/facts.ts';
import type { BlockReader, Context } from '../../model/reading.ts';
import { cite, cover, insideContainer, type Scope, say, scopeOf } from './scope.ts';

const PROGRAM = '(?:cat|ls|grep|stat|head|tail|find|openssl|df|sed|dmesg|ss|sh|bash|tr)';
const REFUSED = new RegExp(
  `^${PROGRAM}: (?:cannot (?:access|open|read|stat|statfs) )?(?:can't open )?'?(?<path>/[^':]{1,400})'?(?: for reading)?: (?<why>No such file or directory|Permission denied|Operation not permitted|Is a directory|Input/output error|Stale file handle)$`,
);
const NO_RIGHTS =
  /^(?:Hint: You are currently not seeing messages from (?:other users and the system|the system)\.|\s+Users in (?:the '|groups ').{1,200}|\s+(?:Pass -q to turn off this notice|can see all messages\.).{0,100}|No journal files were (?:opened due to insufficient permissions|found)\.|dmesg: read kernel buffer failed: Operation not permitted|You do not have enough privilege to read the profile set\.|Could not open .{1,200}Permission denied.{0,40}|Can't open .{1,300}Permission denied)$/;
const NO_SYSTEMD =
  /^(?:System has not been booted with systemd as init system \(PID 1\)\. Can't operate\.|Failed to connect to bus: .{1,120}|Running in chroot, ignoring (?:request|command).{0,80})$/;
const NO_ANSWER = /^podcause: no answer within (?<seconds>\d{1,5}) s$/;

const BY_PATH: readonly (readonly [RegExp, Channel])[] = [
  [/\/containerd\/|config\.toml/, 'containerd-config'],
  [/\/docker\//, 'docker-config'],
  [/\/crio\//, 'crio-config'],
  [/\/pki\/|\.(?:crt|pem)$/, 'host-state'],
  [/kubelet|kubeadm/, 'kubelet-config'],
  [/apparmor|security\/lsm/, 'apparmor-state'],
  [/\/cgroup/, 'cgroup-version'],
  [/audit/, 'kernel-log'],
  [/\/cni(?:\/|$)/, 'host-tools'],
  [/os-release/, 'host-os'],
];

const BY_COMMAND: readonly (readonly [RegExp, Channel])[] = [
  [/\bdmesg\b|\bjournalctl\b.{0,40}\s-k\b/, 'kernel-log'],
  [/\baa-status\b/, 'apparmor-state'],
  [/\bsystemctl\b/, 'unit-state'],
  [/\b(?:crictl|ctr)\b|\bdocker\s+ps\b/, 'runtime-state'],
  [/\bdocker\b/, 'docker-config'],
  [/\bcontainerd\b/, 'containerd-config'],
  [/\bcrio\b/, 'crio-config'],
  [/--version\b/, 'host-versions'],
];

function channelOf(context: Context, path: string | undefined): Channel {
  if (context.channel !== undefined && context.channel !== 'container-log') return context.channel;
  const table = path === undefined ? BY_COMMAND : BY_PATH;
  const text = path ?? (context.command ?? '').slice(0, 400);
  return table.find(([pattern]) => pattern.test(text))?.[1] ?? 'host-state';
}

/** Commands that wait for the runtime: their silence is the runtime's. */
function askedRuntime(context: Context): Runtime | undefined {
  const command = (context.command ?? '').slice(0, 400);
  if (/^(?:sudo )?docker\s/.test(command)) return 'docker';
  if (!/^(?:sudo )?(?:crictl|ctr)\s/.test(command)) return undefined;
  return /crio/.test(command) ? 'crio' : /cri-dockerd/.test(command) ? 'docker' : 'containerd';
}

export function tellSilence(scope: Scope, line: number): void {
  const runtime = askedRuntime(scope.context);
  if (!runtime) return;
  scope.sink.fact('runtime.setting', scope.node, { runtime, key: 'answers', value: 'no', source: 'effective' }, cite(scope, line));
}

/** What a command prints instead of its output: not there, not allowed, no answer. */
export const refusalReader: BlockReader = {
  what: 'answer of the host',
  read(lines, from, context, sink) {
    const line = (lines[from] ?? '').slice(0, 700).trimEnd();
    if (context.command === undefined || insideContainer(context)) return from;
    const scope = scopeOf(lines, context, sink);
    const refused = REFUSED.exec(line)?.groups;
    const late = NO_ANSWER.exec(line) !== null;
    const denied = /ermission|permitted/.test(refused?.['why'] ?? '') || (!refused && NO_RIGHTS.test(line));
    if (!refused && !late && !denied && !NO_SYSTEMD.test(line)) return from;
    const channel = channelOf(context, refused?.['path']);
    const gone = refused !== undefined && !denied;
    if (!gone) cover(scope, channel, denied ? 'denied' : 'failed', from, from + 1);
    say(scope, channel, line, from, { level: late && askedRuntime(context) ? 'error' : 'info', component: 'host' });
    if (late) tellSilence(scope, from);
    return from + 1;
  },
};

const BY_CLIENT = /^(?:sudo )?(?:crictl|ctr)\s/;
const FAILED =
  /^(?:(?:FATA|ERRO)\[\d{1,6}\]|time="[^"]{10,40}" level=(?:fatal|error) |E\d{4} \d\d:\d\d:\d\d\.\d{3,6} .{0,80}remote_runtime\.go|ctr: )/;
const NOT_THERE = /code = Unimplemented desc = unknown method\b/;

/** The error itself, written as the kubelet and crictl write it; ctr puts its own way of dialling around it. */
function wordsOf(line: string): string {
  return line
    .replace(/^(?:FATA|ERRO)\[\d{1,6}\] /, '')
    .replace(/^ctr: (?:failed to dial "[^"]{1,200}": )?/, '')
    .replace('dial unix:///', 'dial unix /');
}

/** What clients of the runtime say when it does not serve them; that a method is unknown to older runtimes is no trouble. */
export const runtimeRefusalReader: BlockReader = {
  what: 'answer of the runtime',
  read(lines, from, context, sink) {
    const line = (lines[from] ?? '').slice(0, 2000);
    if (!BY_CLIENT.test(context.command ?? '') || !FAILED.test(line)) return from;
    const scope = scopeOf(lines, context, sink);
    const unknownMethod = NOT_THERE.test(line);
    say(scope, 'runtime-state', wordsOf(line), from, {
      level: unknownMethod ? 'info' : 'error',
      component: askedRuntime(context) ?? 'containerd',
    });
    if (/DeadlineExceeded|context deadline exceeded/.test(line)) tellSilence(scope, from);
    cover(scope, 'runtime-state', unknownMethod ? 'excerpt' : 'failed', from, from + 1);
    return from + 1;
  },
};
