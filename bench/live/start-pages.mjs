// Starts the page server as a process of its own.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kubeconfig } from './kubeconfig.mjs';
import { start, stop, temporaryFolder, until } from './processes.mjs';

export async function startPages(pods) {
  const folder = temporaryFolder('pages');
  const log = join(folder, 'page-server.log');
  const child = start(process.execPath, [fileURLToPath(new URL('page-server.mjs', import.meta.url))], { log, env: { PODS: String(pods) } });
  let said;
  await until('page server', child, log, async () => {
    said = JSON.parse(readFileSync(log, 'utf8').split('\n')[0]);
    return true;
  });
  const server = `http://127.0.0.1:${said.port}`;
  return {
    name: 'page server',
    pods,
    counts: said.counts,
    kubeconfig: kubeconfig(join(folder, 'kubeconfig'), { server }),
    taken: async () => (await fetch(`${server}/bench/taken`, { headers: { connection: 'close' } })).json(),
    refresh: async () => {},
    stop: () => stop(child),
  };
}
