import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { runOnHost } from '../collect/cluster/read-host.ts';
import { type HostOutcome, launchScript, type Mode, outcomeOf } from './launch.ts';

/** A way to a host: reads through it change nothing. */
export interface HostRunner {
  readonly node: string;
  /** How it is reached, for people. */
  readonly way: string;
  read(script: string): Promise<string>;
  change(script: string, id: string, mode: Mode, onLine: (line: string) => void): Promise<HostOutcome>;
}

const READ_SECONDS = 150;
const CHANGE_SECONDS = 900;

/** The machine podcause runs on. */
export function isThisHost(node: string): boolean {
  const own = hostname();
  return own === node || own.split('.')[0] === node || own === node.split('.')[0] || process.env['PODCAUSE_NODE'] === node;
}

/** A shell on the host: here, or behind a command such as `ssh {node} sudo`. */
export function shellRunner(node: string, via?: string): HostRunner {
  const command = via === undefined ? 'exec /bin/sh -s' : `exec ${via.replaceAll('{node}', node)} /bin/sh -s`;
  const pipe = (script: string, seconds: number, onLine: (line: string) => void) => pipeTo(command, script, seconds, onLine);
  return {
    node,
    way: via === undefined ? 'on this host' : `by ${via.replaceAll('{node}', node)}`,
    read: (script) => pipe(script, READ_SECONDS, () => {}),
    change: async (script, id, mode, onLine) =>
      outcomeOf(await pipe(launchScript(script, id, mode, CHANGE_SECONDS), CHANGE_SECONDS + 30, onLine)),
  };
}

function pipeTo(command: string, script: string, seconds: number, onLine: (line: string) => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
    let text = '';
    let rest = '';
    let errors = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors = (errors + chunk).slice(-2000);
    });
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (text === '' && code !== 0) reject(new Error(errors.trim() || `${command} ended with ${code ?? 'a signal'}`));
      else resolve(text);
    });
    child.stdin.end(script);
  });
}

/** What somebody else read there and brought along: enough for a plan, and no way to change anything. */
export function savedRunner(node: string, file: string): HostRunner {
  return {
    node,
    way: `as ${file} tells`,
    read: () => readFile(file, 'utf8'),
    change: () => Promise.reject(new Error(`${node} was only surveyed; it cannot be changed from here`)),
  };
}

export interface PodSettings {
  readonly image: string;
  readonly startSeconds: number;
  readonly onStep: (says: string) => void;
}

const TRIES = 3;

/** The same through a short-lived privileged pod. A node that stops its pods may stop this one too: it is then followed by another. */
export function podRunner(port: ClusterPort, node: string, { image, startSeconds, onStep }: PodSettings): HostRunner {
  async function inPod(script: string, runSeconds: number, mayWrite: boolean): Promise<string> {
    const { body, problem } = await runOnHost(port, node, { image, startSeconds, onStep, script, runSeconds, mayWrite });
    const text = Buffer.from(body).toString('utf8');
    if (text === '' && problem !== undefined) throw new Error(problem);
    return text;
  }
  return {
    node,
    way: 'through a short-lived privileged pod',
    read: (script) => inPod(script, READ_SECONDS, false),
    async change(script, id, mode, onLine) {
      const launch = launchScript(script, id, mode, CHANGE_SECONDS);
      let outcome: HostOutcome = { ending: 'unknown', says: 'it never began', log: '' };
      for (let tried = 0; tried < TRIES && outcome.ending === 'unknown'; tried++) {
        try {
          outcome = outcomeOf(await inPod(launch, CHANGE_SECONDS, true));
        } catch (error) {
          outcome = { ...outcome, says: error instanceof Error ? error.message : String(error) };
        }
      }
      for (const line of outcome.log.split('\n')) onLine(line);
      return outcome;
    },
  };
}
