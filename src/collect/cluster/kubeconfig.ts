import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { parse } from 'yaml';
import { errorCode } from '../collect-error.ts';
import { type Entry, entryOf, listIn, textIn } from './entries.ts';
import { nearNames } from './near-names.ts';
import { ClusterError } from './port.ts';
import { harmless } from './words.ts';

const MOST_BYTES = 16 * 1024 * 1024;

export interface Named {
  readonly name: string;
  readonly entry: Entry;
  /** Of the file it stands in: relative paths begin there. */
  readonly folder: string;
  readonly file: string;
}

interface KubeConfig {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, Named>;
  readonly clusters: ReadonlyMap<string, Named>;
  readonly users: ReadonlyMap<string, Named>;
}

/** What one context stands for. */
export interface Chosen {
  readonly context: string;
  readonly namespace: string | undefined;
  readonly cluster: Named;
  /** Absent where the context names none: such requests are anonymous. */
  readonly user: Named | undefined;
}

export interface Wanted {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly environment: NodeJS.ProcessEnv;
}

/** The context to use; undefined where there is no kubeconfig at all. */
export function chooseContext(wanted: Wanted): Chosen | undefined {
  const config = readConfig(wanted);
  if (config.contexts.size === 0 && config.clusters.size === 0 && wanted.kubeconfig === undefined && wanted.context === undefined)
    return undefined;
  const name = wanted.context ?? config.currentContext;
  const context = name === undefined ? undefined : config.contexts.get(name);
  if (name === undefined || !context) throw noContext(name, config);
  return {
    context: name,
    namespace: textIn(context.entry, 'namespace'),
    cluster: referred(config.clusters, context, 'cluster'),
    user: textIn(context.entry, 'user') === undefined ? undefined : referred(config.users, context, 'user'),
  };
}

function referred(among: ReadonlyMap<string, Named>, context: Named, kind: 'cluster' | 'user'): Named {
  const name = textIn(context.entry, kind) ?? '';
  const found = among.get(name);
  if (found) return found;
  throw new ClusterError(
    'unreachable',
    `The context "${harmless(context.name, 200)}" of the kubeconfig names the ${kind} "${harmless(name, 200)}", which is not in it.`,
  );
}

function noContext(name: string | undefined, config: KubeConfig): ClusterError {
  const files = config.files.join(', ') || 'the kubeconfig';
  const names = [...config.contexts.keys()];
  if (names.length === 0) return new ClusterError('unreachable', `There is no context in ${files}.`);
  if (name === undefined)
    return new ClusterError('unreachable', `No current context is set in ${files}. Choose one with --context: ${nearNames('', names)}.`);
  return new ClusterError('unreachable', `There is no context "${harmless(name, 200)}" in ${files}. There is: ${nearNames(name, names)}.`);
}

/** As kubectl does: of entries with the same name the first file's counts, and listed files may be missing. */
function readConfig({ kubeconfig, environment }: Wanted): KubeConfig {
  const contexts = new Map<string, Named>();
  const clusters = new Map<string, Named>();
  const users = new Map<string, Named>();
  const files: string[] = [];
  let currentContext: string | undefined;
  for (const file of kubeconfig !== undefined ? [kubeconfig] : filesOf(environment)) {
    const content = readOne(file, kubeconfig !== undefined);
    if (!content) continue;
    files.push(file);
    currentContext ??= textIn(content, 'current-context');
    gather(content, 'contexts', 'context', file, contexts);
    gather(content, 'clusters', 'cluster', file, clusters);
    gather(content, 'users', 'user', file, users);
  }
  return { files, currentContext, contexts, clusters, users };
}

function filesOf(environment: NodeJS.ProcessEnv): string[] {
  const listed = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length > 0) return [...new Set(listed)];
  return [join(environment['HOME'] ?? environment['USERPROFILE'] ?? homedir(), '.kube', 'config')];
}

function readOne(file: string, named: boolean): Entry | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = errorCode(error);
    if (!named && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined;
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EACCES' ? 'permission denied' : code === 'EISDIR' ? 'it is a folder' : code;
    throw new ClusterError('unreachable', `Cannot read the kubeconfig ${file}: ${why}.`, { cause: error });
  }
  if (text.length > MOST_BYTES) throw new ClusterError('unreachable', `The kubeconfig ${file} is too large to be one.`);
  try {
    // Every scalar stays the text it is, so that a token of digits is not taken for a number.
    const content: unknown = parse(text, { schema: 'failsafe', logLevel: 'error', prettyErrors: false });
    if (content === null || content === '' || content === undefined) return undefined;
    if (typeof content !== 'object' || Array.isArray(content)) throw new Error('not a mapping');
    return entryOf(content);
  } catch {
    // The parser's own words quote the line, which may hold a secret.
    throw new ClusterError('unreachable', `The kubeconfig ${file} is not valid YAML, or not a kubeconfig.`);
  }
}

function gather(content: Entry, list: string, inner: string, file: string, into: Map<string, Named>): void {
  const folder = dirname(file);
  for (const item of listIn(content, list)) {
    const named = entryOf(item);
    const name = textIn(named, 'name');
    if (name !== undefined && !into.has(name)) into.set(name, { name, entry: entryOf(named[inner]), folder, file });
  }
}

/** A path in a kubeconfig, relative to that file. */
export function pathIn({ entry, folder }: Named, key: string): string | undefined {
  const path = textIn(entry, key);
  return path === undefined || isAbsolute(path) ? path : join(folder, path);
}

/** Content of a field that is given inline (base64) or as a file. Inline wins, as in kubectl. */
export function dataIn(named: Named, dataKey: string, fileKey: string): Buffer | undefined {
  const data = textIn(named.entry, dataKey);
  if (data !== undefined) return Buffer.from(data, 'base64');
  const path = pathIn(named, fileKey);
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new ClusterError('unreachable', `Cannot read ${path}, which the kubeconfig names as ${fileKey} (${errorCode(error)}).`, {
      cause: error,
    });
  }
}
