import type { Channel } from '../model/channel.ts';
import { nodeId, podId } from '../model/entity.ts';
import type { Context } from '../model/reading.ts';
import type { Prompt } from './prompt.ts';
import { unwrapped } from './wrappers.ts';

const UNIT_CHANNEL: Readonly<Record<string, Channel>> = {
  kubelet: 'kubelet-log',
  k3s: 'kubelet-log',
  'k3s-agent': 'kubelet-log',
  containerd: 'containerd-log',
  docker: 'docker-log',
  dockerd: 'docker-log',
  'cri-docker': 'docker-log',
  'cri-dockerd': 'docker-log',
  crio: 'crio-log',
};

/** What a typed command says about the output below it. */
export function contextOfPrompt(prompt: Prompt, before: Context): Context {
  const { host, command } = unwrapped(prompt);
  const { doc, takenAt } = before;
  const words = wordsOf(command);
  const program = words[0] ?? '';
  const typed: Context = { doc, command, ...(takenAt === undefined ? {} : { takenAt }) };
  if (program === 'kubectl' || program === 'oc' || program === 'k') return contextOfKubectl(words, typed);
  return contextOfHostCommand(program, words, placeOf(host, typed, before));
}

/** Names that a Deployment gives to its pods: inside a container the prompt shows them as the host. */
const POD_NAME = /^[a-z0-9][a-z0-9-]{0,200}-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
/** `bash-5.1#` is the prompt of a shell without settings, as containers have it; it names no host. */
const SHELL = /^(?:ba|da|a|z|k)?sh-\d{1,2}(?:\.\d{1,3}){0,2}$/;

function placeOf(host: string | undefined, typed: Context, before: Context): Context {
  if (host && POD_NAME.test(host)) return { ...typed, pod: podId(undefined, host) };
  if (host && !SHELL.test(host)) return { ...typed, node: nodeId(host) };
  return !host && before.node ? { ...typed, node: before.node } : typed;
}

function contextOfKubectl(words: readonly string[], context: Context): Context {
  const namespace = optionOf(words, '-n', '--namespace');
  const scoped = namespace ? { ...context, namespace } : context;
  const [verb, ...rest] = words.slice(1).filter((word, index, all) => !word.startsWith('-') && !isValueOf(all[index - 1], words));
  if (verb === 'logs' || verb === 'log') {
    const target = rest[0];
    const container = optionOf(words, '-c', '--container') ?? (rest[1] && !rest[1].startsWith('|') ? rest[1] : undefined);
    const previous = words.includes('-p') || words.includes('--previous');
    const pod = target
      ? podId(namespace, target.replace(/^(?:pods?|po|deploy(?:ment)?|ds|daemonset|sts|statefulset|job)\//, ''))
      : undefined;
    return {
      ...scoped,
      channel: 'container-log',
      ...(pod ? { pod } : {}),
      ...(container ? { container } : {}),
      ...(previous ? { previous } : {}),
    };
  }
  if (verb === 'describe' && /^(?:po|pods?)$/.test(rest[0] ?? '') && rest[1]) return { ...scoped, pod: podId(namespace, rest[1]) };
  if (verb === 'describe' && /^(?:po|pods?)\//.test(rest[0] ?? ''))
    return { ...scoped, pod: podId(namespace, (rest[0] ?? '').replace(/^[^/]*\//, '')) };
  return scoped;
}

function contextOfHostCommand(program: string, words: readonly string[], context: Context): Context {
  if (program === 'journalctl') {
    if (words.includes('-k') || words.includes('--dmesg')) return { ...context, channel: 'kernel-log' };
    const unit = optionOf(words, '-u', '--unit')?.replace(/\.service$/, '');
    if (!unit) return { ...context, channel: 'system-log' };
    return { ...context, unit, channel: (Object.hasOwn(UNIT_CHANNEL, unit) && UNIT_CHANNEL[unit]) || 'system-log' };
  }
  if (program === 'dmesg') return { ...context, channel: 'kernel-log' };
  if (program === 'systemctl') {
    const unit = words
      .slice(2)
      .find((word) => !word.startsWith('-'))
      ?.replace(/\.service$/, '');
    return unit ? { ...context, unit } : context;
  }
  if ((program === 'docker' || program === 'crictl' || program === 'nerdctl' || program === 'podman') && words.includes('logs')) {
    return { ...context, channel: 'container-log', ...containerOfLogs(words.slice(words.indexOf('logs') + 1)) };
  }
  const daemon = daemonOf(program, words);
  if (daemon !== undefined) return { ...context, unit: daemon, channel: UNIT_CHANNEL[daemon] ?? 'system-log' };
  const path = words.slice(1).find((word) => word.includes('/'));
  return path ? { ...context, ...contextOfFile(path) } : context;
}

/** A daemon started by hand, to see why it ends: what follows is its log. */
function daemonOf(program: string, words: readonly string[]): string | undefined {
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (/^(?:k3s|rke2|k0s)$/.test(name)) return /^(?:server|agent|worker|controller)$/.test(words[1] ?? '') ? name : undefined;
  if (!/^(?:kubelet|containerd|dockerd|crio|cri-dockerd)$/.test(name)) return undefined;
  return words.slice(1).some((word) => ASKS_ONLY.test(word)) ? undefined : name;
}

/** Such calls print something and end. */
const ASKS_ONLY = /^(?:-v|-h|--?version|--?help|--validate|version|help|config|status|check|wipe|completion|migrate|publish|oci-hook)$/;

/** Runtimes name containers by id, or as the kubelet had dockerd name them. */
function containerOfLogs(words: readonly string[]): Pick<Context, 'pod' | 'container' | 'namespace'> {
  const target = words.filter((word, index) => !word.startsWith('-') && !LOGS_VALUE.test(words[index - 1] ?? '')).at(-1) ?? '';
  if (/^[0-9a-f]{12,64}$/.test(target)) return { pod: `cid:${target}` };
  const groups = /^k8s_(?<container>[^_]{1,63})_(?<pod>[^_]{1,253})_(?<namespace>[^_]{1,63})_/.exec(target)?.groups;
  if (!groups) return {};
  const { container = '', pod = '', namespace = '' } = groups;
  return { pod: podId(namespace, pod), container, namespace };
}

const LOGS_VALUE = /^(?:-n|--tail|--since|--until|-r|--runtime-endpoint|-t)$/;

/** What a file's own name tells: people name what they save. */
export function contextOfFile(path: string): Partial<Context> {
  const kept = LOGS_OF_CONTAINERS.map((pattern) => pattern.exec(path.slice(0, 1000))?.groups).find((groups) => groups !== undefined);
  if (kept) return contextOfKept(kept);
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isLog = /\.log(?:\.\d+)?$|^(?:messages|syslog|dmesg|journal)/.test(name) || /(?:journal|logs?)\b.*\.txt$/.test(name);
  const node = /(?:^|\/)nodes?\/(?<node>[\w.-]+?)(?:\.zip)?\//.exec(path)?.groups?.['node'];
  const at = node ? { node: nodeId(node) } : {};
  if (!isLog) return at;
  for (const [word, channel] of FILE_CHANNELS) if (word.test(name)) return { ...at, channel };
  return { ...at, channel: 'container-log' };
}

/** Where a kubelet keeps the logs of containers: in their own folders, and under the names it links to them. */
const LOGS_OF_CONTAINERS: readonly RegExp[] = [
  /\/pods\/(?<namespace>[a-z0-9.-]{1,63})_(?<pod>[a-z0-9.-]{1,253})_[\w-]{8,64}\/(?<container>[a-z0-9.-]{1,63})\/\d{1,6}\.log/,
  /\/containers\/(?<pod>[a-z0-9.-]{1,253})_(?<namespace>[a-z0-9.-]{1,63})_(?<container>[a-z0-9.-]{1,63})-[0-9a-f*]{1,64}\.log/,
];

function contextOfKept({ namespace = '', pod = '', container = '' }: Readonly<Record<string, string>>): Partial<Context> {
  return { pod: podId(namespace, pod), namespace, container, channel: 'container-log' };
}

const FILE_CHANNELS: readonly (readonly [RegExp, Channel])[] = [
  [/kubelet/, 'kubelet-log'],
  [/dockerd|docker/, 'docker-log'],
  [/containerd/, 'containerd-log'],
  [/cri-?o\b/, 'crio-log'],
  [/kern|dmesg|audit/, 'kernel-log'],
  [/messages|syslog|journal|system/, 'system-log'],
];

function optionOf(words: readonly string[], short: string, long: string): string | undefined {
  for (const [index, word] of words.entries()) {
    if (word === short || word === long) return words[index + 1];
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1);
    if (short.length === 2 && word.startsWith(short) && word.length > 2 && !word.startsWith('--')) return word.slice(2).replace(/^=/, '');
  }
  return undefined;
}

const TAKES_VALUE = new Set([
  '-n',
  '--namespace',
  '-c',
  '--container',
  '-l',
  '--selector',
  '-o',
  '--output',
  '--tail',
  '--since',
  '--context',
  '--kubeconfig',
  '--field-selector',
  '--sort-by',
]);

function isValueOf(previous: string | undefined, words: readonly string[]): boolean {
  return previous !== undefined && TAKES_VALUE.has(previous) && words.includes(previous);
}

/** The first command of a pipeline, without `sudo` and assignments before it. */
function wordsOf(command: string): string[] {
  const first = command.split(/\s*\|\s*|\s&&\s|;\s|\s>\s?/, 1)[0] ?? '';
  const words = first.trim().split(/\s+/, 40);
  while (words[0] !== undefined && (words[0] === 'sudo' || words[0] === 'time' || words[0] === 'watch' || /^\w+=/.test(words[0])))
    words.shift();
  return words;
}
