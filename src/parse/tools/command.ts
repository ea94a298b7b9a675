import { type EntityId, THIS_NODE } from '../../model/entity.ts';
import type { Context } from '../../model/reading.ts';

const ASSIGNMENT = /^\w{1,60}=/;
const BEFORE = new Set(['sudo', 'time', 'watch', 'env', 'nohup', 'nsenter', 'chroot']);
const EXEC = /^(?:kubectl|oc|k|docker|crictl|nerdctl|podman)$/;
const KNOWN = /^(?:etcdctl|calicoctl|calico-node|cilium|cilium-dbg|nvidia-smi|helm|kubeadm)$/;

const TOOLS = new WeakMap<Context, readonly string[]>();

/** The words of the program that printed what follows, also where another one ran it: `kubectl exec … -- cilium status`. */
export function toolWords(context: Context): readonly string[] {
  const known = TOOLS.get(context);
  if (known) return known;
  const words = readWords(context.command ?? '');
  TOOLS.set(context, words);
  return words;
}

function readWords(command: string): readonly string[] {
  const first = command.slice(0, 1000).split(/\s\|\s|\s&&\s|;\s/, 1)[0] ?? '';
  let words = first.trim().split(/\s+/, 60);
  while (words[0] !== undefined && (BEFORE.has(words[0]) || ASSIGNMENT.test(words[0]) || words[0].startsWith('-'))) words = words.slice(1);
  if (EXEC.test(words[0] ?? '') && words.includes('exec')) {
    const at = words.findIndex((word, index) => index > 0 && KNOWN.test(baseOf(word)));
    words = at < 0 ? words : words.slice(at);
  }
  return [baseOf(words[0] ?? ''), ...words.slice(1)];
}

function baseOf(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

export function isTool(context: Context, name: string): boolean {
  return context.command !== undefined && toolWords(context)[0] === name;
}

export function nodeOf(context: Context): EntityId {
  return context.node ?? THIS_NODE;
}

/** The cells of a row drawn with bars; undefined when it is none. */
export function barCells(line: string): string[] | undefined {
  const text = line.trim();
  if (text.length < 3 || text.length > 4000 || !text.startsWith('|') || !text.endsWith('|')) return undefined;
  return text
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
}

/** `+-----+-----+` between rows. */
export function isBarRule(line: string): boolean {
  const text = line.trim();
  return text.length > 2 && text.length <= 4000 && /^[+|][-+=|]{1,4000}[+|]$/.test(text);
}
