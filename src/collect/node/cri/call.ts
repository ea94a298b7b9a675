import { type ClientHttp2Session, type ClientHttp2Stream, connect, type IncomingHttpHeaders } from 'node:http2';
import { connect as connectSocket } from 'node:net';

/** What a runtime answered, or why it did not, as gRPC words it. */
export type Answer =
  | { readonly ok: true; readonly body: Uint8Array }
  | { readonly ok: false; readonly code: number; readonly message: string };

export interface CallOptions {
  readonly socket: string;
  /** e.g. `runtime.v1.RuntimeService/Status`. */
  readonly method: string;
  readonly request?: Uint8Array;
  readonly milliseconds: number;
}

const MOST_BYTES = 32 * 1024 * 1024;
const PREFIX = 5;

export const CODES: readonly string[] = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
];

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  ENOTSOCK: 'socket operation on non-socket',
};

/** One unary gRPC call over a unix socket: a message of five bytes and a body each way, the status behind it. */
export function callRuntime({ socket, method, request = new Uint8Array(), milliseconds }: CallOptions): Promise<Answer> {
  return new Promise((resolve) => {
    let session: ClientHttp2Session | undefined;
    const timer = setTimeout(() => settle({ ok: false, code: 4, message: 'context deadline exceeded' }), milliseconds);
    let settled = false;
    function settle(answer: Answer): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      session?.destroy();
      connection.destroy();
      resolve(answer);
    }
    const connection = connectSocket(socket);
    connection.on('error', (error: NodeJS.ErrnoException) => settle(unreachable(socket, error)));
    session = connect('http://localhost', { createConnection: () => connection });
    session.on('error', (error: NodeJS.ErrnoException) => settle(unreachable(socket, error)));
    const stream = session.request({
      ':method': 'POST',
      ':path': `/${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${milliseconds}m`,
    });
    readAnswer(stream, settle);
    stream.end(framed(request));
  });
}

function readAnswer(stream: ClientHttp2Stream, settle: (answer: Answer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let status: IncomingHttpHeaders = {};
  stream.on('response', (headers) => {
    // A refusal without a body brings its status in the headers.
    if (headers['grpc-status'] !== undefined) status = headers;
  });
  stream.on('trailers', (headers) => {
    status = headers;
  });
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_BYTES) settle({ ok: false, code: 8, message: `the answer is larger than ${MOST_BYTES} bytes` });
    else chunks.push(chunk);
  });
  stream.on('error', (error) => settle({ ok: false, code: 14, message: error.message }));
  stream.on('end', () => settle(answerOf(status, Buffer.concat(chunks))));
  stream.on('close', () => settle({ ok: false, code: 14, message: 'the connection was closed' }));
}

function answerOf(status: IncomingHttpHeaders, body: Buffer): Answer {
  const code = Number(status['grpc-status'] ?? 2);
  if (code !== 0) return { ok: false, code, message: unescaped(String(status['grpc-message'] ?? 'no status in the answer')) };
  const length = body.length >= PREFIX ? body.readUInt32BE(1) : 0;
  if (body.length < PREFIX || body[0] !== 0 || body.length < PREFIX + length)
    return { ok: false, code: 13, message: 'the answer is no message' };
  return { ok: true, body: body.subarray(PREFIX, PREFIX + length) };
}

function framed(request: Uint8Array): Buffer {
  const frame = Buffer.alloc(PREFIX + request.length);
  frame.writeUInt32BE(request.length, 1);
  frame.set(request, PREFIX);
  return frame;
}

function unreachable(socket: string, error: NodeJS.ErrnoException): Answer {
  const reason = REASONS[error.code ?? ''] ?? error.message;
  const message = `connection error: desc = "transport: Error while dialing: dial unix ${socket}: connect: ${reason}"`;
  return { ok: false, code: 14, message };
}

function unescaped(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}
