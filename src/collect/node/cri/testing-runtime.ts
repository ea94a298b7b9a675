import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Protobuf for tests: numbers as varints, everything else as bytes. */
export function message(...fields: readonly (readonly [number: number, value: number | string | Uint8Array])[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'number') bytes.push(...varint(number * 8), ...varint(value));
    else {
      const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      bytes.push(...varint(number * 8 + 2), ...varint(content.length), ...content);
    }
  }
  return Uint8Array.from(bytes);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt(value);
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

export interface TestRuntime {
  readonly socket: string;
  /** Paths that were asked for, and what with. */
  readonly asked: { readonly path: string; readonly body: Uint8Array }[];
  close(): Promise<void>;
}

/** Answers of a runtime by method; a missing one is unimplemented, a missing service unknown. */
export type Answers = Readonly<Record<string, Uint8Array>>;

/** A runtime on a unix socket that speaks gRPC over HTTP/2, as far as an unary call goes. */
export async function startRuntime(service: string, answers: Answers): Promise<TestRuntime> {
  const asked: { path: string; body: Uint8Array }[] = [];
  const server = createHttp2Server();
  server.on('stream', (stream, headers) => {
    const path = String(headers[':path']);
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      asked.push({ path, body: Buffer.concat(chunks).subarray(5) });
      const [, name = '', method = ''] = path.split('/');
      const answer = name === service ? answers[method] : undefined;
      if (answer === undefined) {
        const words = name === service ? `unknown method ${method} for service ${service}` : `unknown service ${name}`;
        const refusal = {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': '12',
          'grpc-message': encodeURIComponent(words),
        };
        stream.respond(refusal, { endStream: true });
        return;
      }
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      const head = Buffer.alloc(5);
      head.writeUInt32BE(answer.length, 1);
      // In pieces, as large answers come.
      stream.write(head);
      stream.end(answer);
    });
  });
  return listen(server, asked);
}

/** A runtime that hangs: the kernel takes the connection, nobody ever says a word. */
export function startHungRuntime(): Promise<TestRuntime> {
  return listen(createServer({ pauseOnConnect: true }), []);
}

async function listen(server: Http2Server | Server, asked: TestRuntime['asked']): Promise<TestRuntime> {
  const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
  const socket = join(folder, 'runtime.sock');
  const open = new Set<{ destroy(): void }>();
  server.on('connection', (connection: { destroy(): void }) => open.add(connection));
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    socket,
    asked,
    async close() {
      for (const connection of open) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
