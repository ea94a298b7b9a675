import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashingPod, node } from '../../src/live/testing-port.ts';

export interface ApiServer {
  readonly kubeconfig: string;
  readonly folder: string;
  readonly asked: string[];
  close(): Promise<void>;
}

export const TOKEN = 'token-that-nobody-may-see';

/** A small API server on loopback, spoken to by the whole command line: one namespace with a pod that crashes. It refuses every write. */
export async function startApiServer(more: Readonly<Record<string, unknown>> = {}): Promise<ApiServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      response.writeHead(401).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://cluster.test');
    if (request.method !== 'GET' && url.searchParams.get('dryRun') !== 'All') {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', reason: 'Forbidden', message: 'nothing may be written here', code: 403 }));
      return;
    }
    const answer = more[url.pathname] ?? answerTo(url.pathname);
    response.writeHead(answer === undefined ? 404 : 200, {
      'content-type': typeof answer === 'string' ? 'text/plain' : 'application/json',
    });
    response.end(
      typeof answer === 'string'
        ? answer
        : JSON.stringify(answer ?? { kind: 'Status', reason: 'NotFound', message: 'not found', code: 404 }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'cli-live-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, kubeconfigFor((server.address() as AddressInfo).port));
  return {
    kubeconfig,
    folder,
    asked,
    async close() {
      rmSync(folder, { recursive: true, force: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerTo(path: string): unknown {
  if (path === '/version') return { gitVersion: 'v1.31.4' };
  if (path === '/apis') return { kind: 'APIGroupList', groups: [] };
  if (path === '/api/v1/nodes') return list('Node', [node('n1')]);
  if (path === '/api/v1/pods' || path === '/api/v1/namespaces/shop/pods') return list('Pod', [crashingPod('shop', 'web-0', 'n1')]);
  if (path.endsWith('/log')) return '2026-03-01T11:58:02Z FATAL: dial tcp 10.0.0.9:5432: connect: connection refused\n';
  if (/^\/api\/v1\/(?:namespaces\/[^/]+\/)?[a-z]+$/.test(path)) return list('', []);
  return undefined;
}

export function list(kind: string, items: readonly object[]) {
  return { kind: `${kind}List`, apiVersion: 'v1', metadata: { resourceVersion: '1' }, items };
}

function kubeconfigFor(port: number): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'till',
    clusters: [
      { name: 'c', cluster: { server: `http://127.0.0.1:${port}` } },
      { name: 'dead', cluster: { server: 'http://127.0.0.1:9' } },
    ],
    users: [{ name: 'u', user: { token: TOKEN } }],
    contexts: [
      { name: 'till', context: { cluster: 'c', user: 'u' } },
      { name: 'dead', context: { cluster: 'dead', user: 'u' } },
    ],
  });
}
