import type { Agent, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../collect-error.ts';
import { destination } from './agents.ts';
import { type Clock, startClock } from './clock.ts';
import type { Link, Timing } from './link.ts';
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

export function exchange(link: Link, agent: Agent, attempt: Attempt): Promise<RawAnswer> {
  const { method, headers, body, signal } = attempt;
  const send = link.server.protocol === 'https:' ? httpsRequest : httpRequest;
  const where = destination(link, attempt.path);
  // Node gives no length to the body of a DELETE, and the server would take it for the next request.
  const length = body === undefined && method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body ?? '') };
  const request = send({ ...where, method, agent, signal, headers: { ...where.headers, ...mutable(headers), ...length } });
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
    request.end(body);
  }).finally(() => clock.stop());
}

function mutable(headers: Attempt['headers']): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]));
}

export function closedByUs(): ClusterError {
  return new ClusterError('interrupted', 'The request was given up because the connection is being closed.');
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
