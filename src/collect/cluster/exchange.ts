import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../collect-error.ts';
import { destination } from './agents.ts';
import { type Link, shownAddress, type Timing } from './link.ts';
import { ClusterError } from './port.ts';
import { connectionError } from './words.ts';

/** One try of one request. */
export interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Where the body is cut. */
  readonly limit: number;
  /** Milliseconds left for all of it. */
  readonly left: number;
  readonly timing: Timing;
  readonly signal: AbortSignal;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Uint8Array;
  readonly cut: boolean;
  /** Bytes of the body as they came over the wire. */
  readonly wire: number;
}

interface Clock {
  /** A connection stands, or a byte came. */
  heard(): void;
  stop(): void;
  /** Why we hung up ourselves. */
  readonly verdict: ClusterError | undefined;
}

export function exchange(link: Link, agent: Agent, attempt: Attempt): Promise<RawAnswer> {
  const { method, headers, signal } = attempt;
  const send = link.server.protocol === 'https:' ? httpsRequest : httpRequest;
  const where = destination(link, attempt.path);
  const request = send({ ...where, method, agent, signal, headers: { ...where.headers, ...mutable(headers) } });
  const clock = startClock(request, link, attempt);
  return new Promise<RawAnswer>((resolve, reject) => {
    let begun = false;
    const fail = (error: unknown) => reject(clock.verdict ?? (signal.aborted ? closedByUs() : connectionError(error, link, begun)));
    request.on('error', fail);
    request.on('response', (response) => {
      begun = true;
      clock.heard();
      readBody(response, attempt.limit, clock).then(resolve, fail);
    });
    request.end(attempt.body);
  }).finally(() => clock.stop());
}

function mutable(headers: Attempt['headers']): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]));
}

export function closedByUs(): ClusterError {
  return new ClusterError('interrupted', 'The request was given up because the connection is being closed.');
}

const connected = new WeakSet<Socket>();

function startClock(request: ClientRequest, link: Link, { left, timing, method, path }: Attempt): Clock {
  const at = shownAddress(link.server);
  const what = `${method} ${path.split('?', 1)[0]}`;
  let verdict: ClusterError | undefined;
  let stage: 'connecting' | 'waiting' | 'reading' = 'connecting';
  const hangUp = (kind: 'slow' | 'unreachable', message: string) => {
    verdict ??= new ClusterError(
      kind,
      message,
      kind === 'unreachable' ? { cause: Object.assign(new Error(message), { code: 'ETIMEDOUT' }) } : {},
    );
    request.destroy();
  };
  const deaf = (waited: number) => () =>
    hangUp('unreachable', `${at} does not accept connections (waited ${seconds(waited)}). Check the network, the VPN and firewalls.`);
  const whole = setTimeout(() => {
    if (stage === 'connecting') deaf(left)();
    else hangUp('slow', `${at} did not finish its answer to ${what} in time (${seconds(left)}).`);
  }, left);
  const connecting = setTimeout(deaf(timing.connect), timing.connect);
  let idle: NodeJS.Timeout | undefined;
  const silence = () =>
    hangUp(
      'slow',
      `${at} ${stage === 'waiting' ? 'took the request but never answered' : 'fell silent in the middle of its answer to'} ${what} (waited ${seconds(timing.idle)}).`,
    );
  const stands = () => {
    clearTimeout(connecting);
    stage = 'waiting';
    idle ??= setTimeout(silence, timing.idle);
  };
  request.once('socket', (socket) => whenConnected(socket, link, stands));
  return {
    heard() {
      stage = 'reading';
      idle?.refresh();
    },
    stop() {
      for (const timer of [whole, connecting, idle]) clearTimeout(timer);
    },
    get verdict() {
      return verdict;
    },
  };
}

function whenConnected(socket: Socket, link: Link, stands: () => void): void {
  const tunnelled = link.proxy !== undefined && link.server.protocol === 'https:';
  if (tunnelled || connected.has(socket)) {
    stands();
    return;
  }
  socket.once(link.server.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
    connected.add(socket);
    stands();
  });
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}

function readBody(response: IncomingMessage, limit: number, clock: Clock): Promise<RawAnswer> {
  const source = plain(response);
  const chunks: Buffer[] = [];
  let size = 0;
  let wire = 0;
  return new Promise((resolve, reject) => {
    const done = (cut: boolean) => {
      const body = Buffer.concat(chunks, Math.min(size, limit));
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body, cut, wire });
    };
    response.on('data', (chunk: Buffer) => {
      wire += chunk.length;
      clock.heard();
    });
    source.on('data', (chunk: Buffer) => {
      if (size > limit) return;
      chunks.push(chunk);
      size += chunk.length;
      if (size <= limit) return;
      done(true);
      response.destroy();
    });
    source.once('end', () => done(false));
    source.once('error', (error) => reject(isBadCompression(error) ? badCompression(error) : error));
  });
}

function plain(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  const unpacked = createGunzip();
  // Errors of either side arrive at the reader of the unpacked stream.
  pipeline(response, unpacked, () => undefined);
  return unpacked;
}

function isBadCompression(error: unknown): boolean {
  return errorCode(error).startsWith('Z_');
}

function badCompression(error: unknown): ClusterError {
  return new ClusterError('invalid', 'The answer is compressed in a way that cannot be undone.', { cause: error });
}
