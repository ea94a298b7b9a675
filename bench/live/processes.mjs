// Children of the bench: started here, ended by their pid whatever happens.
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const children = new Set();
const folders = new Set();

export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `podcause-live-${name}-`));
  folders.add(folder);
  return folder;
}

/** Runs on beside the bench; what it says goes to `log`. */
export function start(command, args, { log, env } = {}) {
  const said = log === undefined ? 'ignore' : openSync(log, 'a');
  const child = spawn(command, args, { stdio: ['pipe', log === undefined ? 'pipe' : said, said], env: { ...process.env, ...env } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  // A child that cannot be started ends at once; whoever waits for it says so.
  child.once('error', () => children.delete(child));
  child.stdin.on('error', () => {});
  return child;
}

/** Its group, where it leads one: what it started must not outlive it. */
const signal = (child, name) => (child.leads ? process.kill(-child.pid, name) : child.kill(name));

export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  signal(child, 'SIGTERM');
  const slow = setTimeout(() => signal(child, 'SIGKILL'), 10_000);
  await ended;
  clearTimeout(slow);
}

export async function stopAll() {
  await Promise.all([...children].map(stop));
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks until it holds; ends early with the child's last words when that has gone. */
export async function until(what, child, log, holds, seconds = 90) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    if (await holds().catch(() => false)) return;
    const gone = child.exitCode !== null || child.signalCode !== null;
    if (gone || Date.now() > end) {
      const words = readFileSync(log, 'utf8').trim().split('\n').slice(-5).join('\n');
      throw new Error(`${what}: ${gone ? 'ended' : `not within ${seconds} s`}\n${words}`);
    }
    await wait(200);
  }
}

/** CPU seconds and peak memory as the kernel counted them for this child. What it says is thrown away unless wanted. */
export async function measure(command, args, { env = {}, keep = false } = {}) {
  const folder = temporaryFolder('run');
  const [cost, said, errors] = ['cost', 'stdout', 'stderr'].map((name) => join(folder, name));
  const files = [openSync(keep ? said : '/dev/null', 'w'), openSync(errors, 'w')];
  const all = ['-q', '-f', '%U %S %e %M', '-o', cost, command, ...args];
  const child = spawn('/usr/bin/time', all, { stdio: ['ignore', ...files], env: { ...process.env, ...env }, detached: true });
  child.leads = true;
  children.add(child);
  const status = await new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve));
  children.delete(child);
  for (const file of files) closeSync(file);
  const [user, system, wall, kilobytes] = readFileSync(cost, 'utf8').trim().split('\n').at(-1).split(' ').map(Number);
  const texts = { said: keep ? readFileSync(said, 'utf8') : '', errors: readFileSync(errors, 'utf8') };
  rmSync(folder, { recursive: true });
  folders.delete(folder);
  return { status, cpu: user + system, wall, megabytes: kilobytes / 1024, ...texts };
}
