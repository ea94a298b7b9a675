import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../', import.meta.url));

const PREFIX = 'podcause-test-cli-';
const OLD_MS = 30 * 60_000;

let built: Promise<string> | undefined;

/** The command line as it is shipped, built by the same script. Built once per test process. */
export function builtCli(): Promise<string> {
  built ??= buildCli();
  return built;
}

async function buildCli(): Promise<string> {
  removeOldBuilds();
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  await promisify(execFile)('node', ['scripts/build.mjs', 'cli', folder], { cwd: root });
  return join(folder, 'main.js');
}

/** Test threads are ended without a chance to tidy up, so the next run does it. */
function removeOldBuilds(): void {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name);
    const age = Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > OLD_MS) rmSync(folder, { recursive: true, force: true });
  }
}

export interface RunOptions {
  readonly input?: string | Uint8Array;
  /** On top of a plain environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly timeout?: number;
  /** Run as another user, where the system lets us. */
  readonly uid?: number;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Buffer;
}

/** What a shell on a server would give: no terminal, no colours asked for. */
export function plainEnvironment(more: RunOptions['env'] = {}): Record<string, string> {
  const { NO_COLOR: _no, FORCE_COLOR: _force, COLUMNS: _columns, KUBERNETES_SERVICE_HOST: _host, ...inherited } = process.env;
  // No test may reach the cluster of whoever runs it.
  const all = { ...inherited, LANG: 'C.UTF-8', KUBECONFIG: '/nonexistent/kubeconfig', ...more };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export async function podcause(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return execute(process.execPath, [await builtCli(), ...args], options);
}

export function execute(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { input, env, cwd = root, timeout = 25_000, uid } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: plainEnvironment(env), timeout, ...(uid === undefined ? {} : { uid }) });
    const out: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    // The program may refuse its arguments before it reads anything.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code, stdout: bytes.toString('utf8'), stderr: Buffer.concat(errors).toString('utf8'), bytes });
    });
    child.stdin.end(input ?? '');
  });
}

/** Nothing of ours may end in a stack trace, whatever came in. */
export function looksCrashed({ stderr }: Pick<Ran, 'stderr'>): boolean {
  return /\n\s+at \S|Unhandled|node:internal|something broke inside/.test(stderr);
}

/** Runs a bash script in which `podcause` is the built program. */
export async function inBash(script: string, options: RunOptions = {}): Promise<Ran> {
  const env = { ...options.env, NODE: process.execPath, CLI: await builtCli() };
  return execute('bash', ['-c', `podcause() { "$NODE" "$CLI" "$@"; }\n${script}`], { ...options, env });
}
