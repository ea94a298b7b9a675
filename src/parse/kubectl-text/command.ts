import { isName } from './lines.ts';

/** A kubectl command as far as it tells what its output holds. */
export interface KubectlCommand {
  readonly verb: string;
  /** As typed: `po`, `deploy`, `pods`, `deployment.apps`. */
  readonly resources: readonly string[];
  readonly names: readonly string[];
  readonly namespace?: string;
  readonly allNamespaces: boolean;
  /** A selector, a name or a pipe left something out. */
  readonly filtered: boolean;
  /** A label, field or `--for` selector was given. */
  readonly selected: boolean;
  /** Cut by a pipe: even the block of one object may be incomplete. */
  readonly piped: boolean;
}

const TOOL = /^(?:\S{0,200}\/)?(?:kubectl|kubectl\.exe|kubect|kubecolor|oc|k|kc)$/;
const WITH_VALUE =
  /^(?:-n|--namespace|-l|--selector|-o|--output|--context|--kubeconfig|--field-selector|--sort-by|-c|--container|--for|-L|--label-columns|--cluster|--user|--as|--types|-s|--server|--tail|--since|-f|--filename|--chunk-size|--request-timeout|-v)$/;
const FILTERS = /^(?:grep|egrep|fgrep|zgrep|rg|ag|head|tail|awk|sed|cut|findstr|select-string|sls|uniq|column|jq|yq|xargs|tr|wc)$/i;
const SELECTING = /^(?:-l|--selector|--field-selector|--for)(?:=|$)/;
const VERBS =
  /^(?:get|describe|events|top|logs|log|apply|create|delete|exec|rollout|explain|run|scale|edit|patch|wait|auth|config|cordon|uncordon|drain|taint|label|annotate|attach|cp|port-forward|proxy|replace|set|debug|certificate|expose|autoscale|diff|version|cluster-info|api-resources|api-versions)$/;

interface Split {
  readonly words: readonly string[];
  readonly piped: boolean;
}

function splitPipe(command: string): Split {
  const [own = '', ...rest] = command.slice(0, 2000).split('|');
  const words = own.split(/\s+/).filter((word) => word !== '');
  const end = words.findIndex((word) => /^(?:;|&&?|>{1,2}|#|2>.*)$/.test(word));
  const piped = rest.some((part) => FILTERS.test(part.trim().split(/\s/)[0] ?? ''));
  return { words: end < 0 ? words : words.slice(0, end), piped };
}

interface Arguments {
  readonly free: readonly string[];
  readonly namespace?: string;
  readonly allNamespaces: boolean;
  readonly selected: boolean;
}

function readArguments(words: readonly string[]): Arguments {
  const free: string[] = [];
  let namespace: string | undefined;
  let allNamespaces = false;
  let selected = false;
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (SELECTING.test(word)) selected = true;
    if (word === '-A' || word === '--all-namespaces' || word === '--all-namespaces=true') allNamespaces = true;
    else if (word === '-n' || word === '--namespace') namespace = words[++index];
    else if (/^(?:--namespace=|-n=)/.test(word)) namespace = word.slice(word.indexOf('=') + 1);
    else if (/^-n[a-z0-9]/.test(word)) namespace = word.slice(2);
    else if (WITH_VALUE.test(word)) index++;
    else if (!word.startsWith('-')) free.push(word.replace(/;+$/, ''));
  }
  return { free, allNamespaces, selected, ...(namespace !== undefined && isName(namespace) ? { namespace } : {}) };
}

interface Target {
  readonly resources: readonly string[];
  readonly names: readonly string[];
}

function readTarget(free: readonly string[]): Target {
  const [first = '', ...rest] = free;
  if (first.includes('/')) {
    const pairs = free.map((word) => word.split('/', 2));
    return {
      resources: [...new Set(pairs.map((pair) => pair[0] ?? ''))],
      names: pairs.map((pair) => pair[1] ?? '').filter(isName),
    };
  }
  return { resources: first.split(',').filter((word) => word !== ''), names: rest.filter(isName) };
}

/** Reads what was typed before the output; undefined when it was not kubectl or a client like it. */
export function readCommand(command: string | undefined): KubectlCommand | undefined {
  if (!command) return undefined;
  const { words, piped } = splitPipe(command);
  const tool = words.findIndex((word) => TOOL.test(word));
  if (tool < 0) return undefined;
  const { free, namespace, allNamespaces, selected } = readArguments(words.slice(tool + 1));
  const verbAt = free.findIndex((word) => VERBS.test(word));
  if (verbAt < 0) return undefined;
  const { resources, names } = readTarget(free.slice(verbAt + 1));
  return {
    verb: free[verbAt] ?? '',
    resources,
    names,
    ...(namespace !== undefined ? { namespace } : {}),
    allNamespaces,
    filtered: piped || selected || names.length > 0,
    selected,
    piped,
  };
}
