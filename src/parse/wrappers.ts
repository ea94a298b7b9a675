import type { Prompt } from './prompt.ts';

/** Options of ssh and of `exec` that take a value of their own. */
const SSH_VALUES = /^-[bcDEeFIiJLlmOopQRSWw]$/;
const EXEC_VALUES = /^(?:-[uwenp]|--(?:user|workdir|env|node|profile|image|namespace|container|context|kubeconfig))$/;
/** Nodes of kind and k3d are containers; whoever executes something in them is on a node. */
const NODE_CONTAINER = /^(?:[a-z0-9][\w.-]{0,80}-)?(?:control-plane|worker)\d{0,3}$|^k3d-[\w.-]{1,80}-(?:server|agent)-\d{1,3}$/;
const MOST_WORDS = 60;

/** A command that is run on another machine than the one it was typed on, as typed there. */
export function unwrapped(prompt: Prompt): Prompt {
  const words = prompt.command.slice(0, 2000).split(/\s+/, MOST_WORDS);
  if (words[0] === 'sudo') words.shift();
  const found = elsewhere(words);
  if (!found || found.rest.length === 0) return prompt;
  const command = inner(found.rest);
  if (command === '') return prompt;
  // An address is no node's name; better none than a second node.
  return /^[\d.]+$/.test(found.host) ? { command } : { host: found.host, command };
}

interface Elsewhere {
  readonly host: string;
  readonly rest: readonly string[];
}

function elsewhere(words: readonly string[]): Elsewhere | undefined {
  const [program, verb] = words;
  if (program === 'ssh') return named(words.slice(1), SSH_VALUES, (name) => name.replace(/^[^@]{1,64}@/, ''));
  if ((program === 'docker' || program === 'podman') && verb === 'exec') {
    const found = named(words.slice(2), EXEC_VALUES, (name) => name);
    return found && NODE_CONTAINER.test(found.host) ? found : undefined;
  }
  if (program === 'minikube' && verb === 'ssh') return ofMinikube(words.slice(2));
  if ((program === 'kubectl' || program === 'oc') && words.includes('debug')) return ofDebug(words);
  return undefined;
}

function named(words: readonly string[], values: RegExp, nameOf: (word: string) => string): Elsewhere | undefined {
  let at = 0;
  while (at < words.length && (words[at] ?? '').startsWith('-')) at += values.test(words[at] ?? '') ? 2 : 1;
  const host = nameOf(words[at] ?? '');
  return isHost(host) ? { host, rest: words.slice(at + 1) } : undefined;
}

function ofMinikube(words: readonly string[]): Elsewhere {
  let at = 0;
  let host = 'minikube';
  while (at < words.length && (words[at] ?? '').startsWith('-') && words[at] !== '--') {
    if (/^(?:-n|--node|-p|--profile)$/.test(words[at] ?? '') && isHost(words[at + 1] ?? '')) host = words[at + 1] ?? host;
    at += EXEC_VALUES.test(words[at] ?? '') ? 2 : 1;
  }
  return { host, rest: words.slice(words[at] === '--' ? at + 1 : at) };
}

/** `oc debug node/NAME -- chroot /host COMMAND` */
function ofDebug(words: readonly string[]): Elsewhere | undefined {
  const host = words.map((word) => /^nodes?\/(?<name>\S{1,253})$/.exec(word)?.groups?.['name']).find((name) => name !== undefined);
  const dashes = words.indexOf('--');
  return host !== undefined && isHost(host) && dashes > 0 ? { host, rest: words.slice(dashes + 1) } : undefined;
}

function isHost(word: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/.test(word) && word !== 'localhost';
}

/** Without quotes around it, and without the steps from a container to its host. */
function inner(words: readonly string[]): string {
  const text = words
    .join(' ')
    .trim()
    .replace(/^(?:sudo )?chroot \/host /, '')
    .replace(/^(?:ba)?sh -l?c /, '');
  const quote = text[0];
  return (quote === '"' || quote === "'") && text.endsWith(quote) && text.length > 2 ? text.slice(1, -1).trim() : text;
}
