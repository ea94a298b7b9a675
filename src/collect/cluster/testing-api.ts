import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { makeCertificate } from './testing-certificates.ts';

export const authority = makeCertificate({ name: 'test authority' });
export const serverPair = makeCertificate({ name: 'api', by: authority, dns: ['localhost', 'api.orchard.invalid'], ip: ['127.0.0.1'] });
export const clientPair = makeCertificate({ name: 'marla', organization: 'readers', by: authority });

/** Runs when the test ends, or with the process for what all tests of a file share. */
export function whenDone(cleanup: () => void): void {
  try {
    onTestFinished(cleanup);
  } catch {
    process.once('exit', cleanup);
  }
}

export interface Running {
  readonly port: number;
  readonly url: string;
  /** Connections accepted so far. */
  readonly connections: number;
}

/** A server on loopback that ends with its test. */
export async function serve(listener: RequestListener, tls?: SecureContextOptions & { readonly requestCert?: boolean }): Promise<Running> {
  const server = tls ? createSecureServer({ ...tls, rejectUnauthorized: false }, listener) : createPlainServer(listener);
  return running(server, tls ? 'https' : 'http');
}

export async function serveTls(listener: RequestListener): Promise<Running> {
  return serve(listener, { cert: serverPair.cert, key: serverPair.key, ca: authority.cert, requestCert: true });
}

async function running(server: Server, scheme: string): Promise<Running> {
  let connections = 0;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  whenDone(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    get connections() {
      return connections;
    },
  };
}

export interface Proxy extends Running {
  readonly tunnels: string[];
  readonly authorizations: (string | undefined)[];
}

/** Tunnels whatever name it is asked for to one port of ours. */
export async function serveProxy(toPort: number, answer = '200 Connection established'): Promise<Proxy> {
  const tunnels: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createPlainServer((request, response) => forward(request, response, tunnels));
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    tunnels.push(request.url ?? '');
    authorizations.push(request.headers['proxy-authorization']);
    client.on('error', () => undefined);
    if (!answer.startsWith('200')) {
      client.end(`HTTP/1.1 ${answer}\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(toPort, '127.0.0.1', () => {
      client.write(`HTTP/1.1 ${answer}\r\n\r\n`);
      client.pipe(upstream).pipe(client);
    });
    upstream.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  return Object.assign(await running(server, 'http'), { tunnels, authorizations });
}

function forward(request: IncomingMessage, response: ServerResponse, tunnels: string[]): void {
  tunnels.push(request.url ?? '');
  response.setHeader('content-type', 'application/json');
  response.end('{"by":"proxy"}');
}

/** A folder that goes with its test. */
export function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'podcause-cluster-'));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface KubeParts {
  readonly cluster: Readonly<Record<string, unknown>>;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly namespace?: string;
}

/** A kubeconfig with one context, `orchard`. */
export function kubeconfigText({ cluster, user = {}, namespace }: KubeParts): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'orchard',
    contexts: [{ name: 'orchard', context: { cluster: 'c', user: 'u', ...(namespace ? { namespace } : {}) } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  });
}

export function writeKubeconfig(parts: KubeParts, folder = scratch()): string {
  const file = join(folder, 'config');
  writeFileSync(file, kubeconfigText(parts));
  return file;
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

export const trusted = { 'certificate-authority-data': base64(authority.cert) };

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
