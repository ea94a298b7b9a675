import { Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf, type Identity, type Link, portOf, shownAddress } from './link.ts';
import { ClusterError } from './port.ts';
import { connectionError } from './words.ts';

type Opened = (error: Error | null, socket?: Socket) => void;

/** Connections that are kept open between requests, as long as the same certificate is presented on them. */
export interface Agents {
  agentFor(identity: Identity): HttpAgent;
  destroy(): void;
}

export function createAgents(link: Link): Agents {
  let agent: HttpAgent | undefined;
  let holder: Identity | undefined;
  return {
    agentFor(identity) {
      if (agent && holder && holder.cert === identity.cert && holder.key === identity.key) return agent;
      // Requests under way keep their own sockets; only idle ones of the former certificate are closed.
      closeIdle(agent);
      agent = createAgent(link, identity);
      holder = identity;
      return agent;
    },
    destroy() {
      agent?.destroy();
    },
  };
}

function closeIdle(agent: HttpAgent | undefined): void {
  for (const sockets of Object.values(agent?.freeSockets ?? {})) for (const socket of sockets ?? []) socket.destroy();
}

function createAgent(link: Link, identity: Identity): HttpAgent {
  const common = { keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' } as const;
  if (link.server.protocol === 'http:') return new HttpAgent(common);
  const agent = new HttpsAgent({ ...common, ...tlsOptions(link, identity) });
  const { proxy } = link;
  if (!proxy) return agent;
  return Object.assign(agent, {
    createConnection: (_options: unknown, opened: Opened) => openTunnel(link, proxy, identity, opened),
  });
}

function tlsOptions(link: Link, identity: Identity) {
  const { ca, servername, rejectUnauthorized } = link.tls;
  return {
    rejectUnauthorized,
    ...(ca !== undefined ? { ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] } : {}),
    ...(servername !== undefined ? { servername } : {}),
    ...(identity.cert !== undefined ? { cert: identity.cert } : {}),
    ...(identity.key !== undefined ? { key: identity.key } : {}),
  };
}

/** Where the bytes of a request go: the server, or a proxy that is told the whole address. */
export function destination(link: Link, path: string): RequestOptions {
  const { server, proxy } = link;
  const below = `${server.pathname.replace(/\/$/, '')}${path}`;
  if (!proxy || server.protocol === 'https:') return { host: hostOf(server), port: portOf(server), path: below };
  return {
    host: hostOf(proxy),
    port: portOf(proxy),
    path: `${server.protocol}//${server.host}${below}`,
    headers: { host: server.host, ...proxyAuthorization(proxy) },
  };
}

function proxyAuthorization(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function openTunnel(link: Link, proxy: URL, identity: Identity, opened: Opened): void {
  const target = `${link.server.hostname}:${portOf(link.server)}`;
  const ask = proxy.protocol === 'https:' ? httpsRequest : httpRequest;
  const request = ask({
    host: hostOf(proxy),
    port: portOf(proxy),
    method: 'CONNECT',
    path: target,
    headers: { host: target, ...proxyAuthorization(proxy) },
    agent: false,
  });
  request.once('error', (error) => opened(connectionError(error, { ...link, server: proxy, proxy }, false)));
  request.once('connect', (response, socket) => {
    if (response.statusCode !== 200) {
      socket.destroy();
      opened(proxyRefusal(proxy, target, response.statusCode ?? 0, response.statusMessage ?? ''));
      return;
    }
    encrypt(link, identity, socket, opened);
  });
  request.end();
}

function encrypt(link: Link, identity: Identity, socket: Socket, opened: Opened): void {
  const host = hostOf(link.server);
  try {
    const secure = connectTls({ socket, host, ...serverName(host), ...tlsOptions(link, identity) });
    secure.once('error', opened);
    secure.once('secureConnect', () => {
      secure.removeListener('error', opened);
      opened(null, secure);
    });
  } catch (error) {
    // A certificate that is none is found out only here.
    socket.destroy();
    opened(error instanceof Error ? error : new Error(String(error)));
  }
}

function serverName(host: string): { readonly servername?: string } {
  return /^[\d.]+$/.test(host) || host.includes(':') ? {} : { servername: host };
}

function proxyRefusal(proxy: URL, target: string, status: number, words: string): ClusterError {
  const at = shownAddress(proxy);
  if (status === 407) return new ClusterError('unreachable', `The proxy ${at} wants a user name and password (407).`, { status });
  return new ClusterError('unreachable', `The proxy ${at} does not let us through to ${target} (${status} ${words.slice(0, 100)}).`, {
    status,
  });
}
