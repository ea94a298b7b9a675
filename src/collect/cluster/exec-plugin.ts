import { type ChildProcess, spawn } from 'node:child_process';
import { basename, isAbsolute, join } from 'node:path';
import { errorCode } from '../collect-error.ts';
import { type Entry, entryOf, isTrue, listIn, textIn, textsIn } from './entries.ts';
import type { Named } from './kubeconfig.ts';
import { isRecord, parsed } from './list-meta.ts';
import { ClusterError } from './port.ts';
import { harmless } from './words.ts';

const MOST_OUTPUT = 1024 * 1024;
const MOST_ERRORS = 64 * 1024;
const DRAIN = 200;

export interface PluginRun {
  /** The `exec` entry and the folder of its file. */
  readonly plugin: Named;
  readonly environment: NodeJS.ProcessEnv;
  /** The cluster's entry, told to plug-ins that ask for it. */
  readonly cluster: Entry;
  readonly timeoutMilliseconds: number;
}

export interface PluginCredential {
  readonly token?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly until?: number;
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
  readonly failure?: unknown;
  readonly late?: true;
}

/** Runs a credential plug-in (ExecCredential) and takes what it gives. */
export async function runPlugin(run: PluginRun): Promise<PluginCredential> {
  const { entry } = run.plugin;
  const command = textIn(entry, 'command');
  if (command === undefined) throw refused('The kubeconfig has a credential plug-in without a command.');
  const name = harmless(basename(command), 100);
  const mode = textIn(entry, 'interactiveMode') ?? 'IfAvailable';
  const interactive = mode !== 'Never' && process.stdin.isTTY === true && process.stderr.isTTY === true;
  if (mode === 'Always' && !interactive)
    throw refused(`The credential plug-in ${name} asks questions and needs a terminal. Run "kubectl get nodes" in one first.`);
  const ended = await finished(start(run, command, interactive), interactive, run.timeoutMilliseconds);
  const problem = whyUseless(ended, name, textIn(entry, 'installHint'));
  if (problem !== undefined) throw refused(problem, ended.failure);
  return credentialOf(ended, name);
}

function refused(message: string, cause?: unknown): ClusterError {
  return new ClusterError('unauthorized', message, { cause });
}

function start({ plugin, environment, cluster }: PluginRun, command: string, interactive: boolean): ChildProcess {
  const given = listIn(plugin.entry, 'env').map(entryOf);
  const own = Object.fromEntries(
    given.map((one) => [textIn(one, 'name') ?? '', textIn(one, 'value') ?? '']).filter(([name]) => name !== ''),
  );
  const apiVersion = textIn(plugin.entry, 'apiVersion') ?? 'client.authentication.k8s.io/v1';
  const spec = { interactive, ...(isTrue(plugin.entry, 'provideClusterInfo') ? { cluster: clusterInfo(cluster) } : {}) };
  const info = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec });
  const path = /[/\\]/.test(command) && !isAbsolute(command) ? join(plugin.folder, command) : command;
  return spawn(path, textsIn(plugin.entry, 'args'), {
    env: { ...environment, ...own, KUBERNETES_EXEC_INFO: info },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

function clusterInfo(cluster: Entry): Record<string, unknown> {
  const texts = ['server', 'tls-server-name', 'certificate-authority-data', 'proxy-url'];
  const told = texts.flatMap((key) => {
    const value = textIn(cluster, key);
    return value === undefined ? [] : [[key, value]];
  });
  return { ...Object.fromEntries(told), ...(isTrue(cluster, 'insecure-skip-tls-verify') ? { 'insecure-skip-tls-verify': true } : {}) };
}

function finished(child: ChildProcess, interactive: boolean, timeoutMilliseconds: number): Promise<Ended> {
  let output = '';
  let errors = '';
  return new Promise((resolve) => {
    const end = (how: Partial<Ended>) => {
      clearTimeout(timer);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ code: null, output, errors, ...how });
    };
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      end({ late: true });
    }, timeoutMilliseconds);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < MOST_OUTPUT) output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (errors.length < MOST_ERRORS) errors += text;
      // Where to sign in and with which code is said here, and somebody has to read it.
      if (interactive) process.stderr.write(`${harmless(text)}\n`);
    });
    child.once('error', (failure) => end({ failure }));
    child.once('exit', (code) => {
      // A grandchild may hold the pipes open long after the plug-in ended: what it said is here by now.
      const rest = setTimeout(() => end({ code }), DRAIN);
      child.once('close', () => {
        clearTimeout(rest);
        end({ code });
      });
    });
  });
}

function whyUseless({ code, errors, failure, late }: Ended, name: string, hint: string | undefined): string | undefined {
  const help = hint === undefined ? '' : ` ${harmless(hint, 500)}`;
  if (failure !== undefined) {
    const missing = errorCode(failure) === 'ENOENT';
    return missing
      ? `The credential plug-in ${name} of the kubeconfig is not installed or not on the PATH.${help}`
      : `The credential plug-in ${name} cannot be run (${errorCode(failure)}).`;
  }
  const words = lastWords(errors);
  if (late) return `The credential plug-in ${name} did not end in time.${words}`;
  if (code !== 0) return `The credential plug-in ${name} failed (${code === null ? 'killed' : `exit code ${code}`}).${words}`;
  return undefined;
}

function lastWords(errors: string): string {
  const words = harmless(errors.trim().split('\n').slice(-5).join('\n'), 600);
  return words === '' ? '' : ` It says: ${words}`;
}

function credentialOf({ output, errors }: Ended, name: string): PluginCredential {
  const answer = parsed(output);
  const status = isRecord(answer) && answer['kind'] === 'ExecCredential' ? entryOf(answer['status']) : undefined;
  if (!status) throw refused(`The credential plug-in ${name} printed no ExecCredential.${lastWords(errors)}`);
  const token = textIn(status, 'token');
  const cert = textIn(status, 'clientCertificateData');
  const key = textIn(status, 'clientKeyData');
  if (token === undefined && (cert === undefined || key === undefined)) {
    throw refused(`The credential plug-in ${name} gave neither a token nor a certificate with its key.${lastWords(errors)}`);
  }
  const until = Date.parse(textIn(status, 'expirationTimestamp') ?? '');
  return {
    ...(token !== undefined ? { token } : {}),
    ...(cert !== undefined && key !== undefined ? { cert, key } : {}),
    ...(Number.isNaN(until) ? {} : { until }),
  };
}
