import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpsPort, type PortSetup } from './https-port.ts';
import { fixed } from './identities.ts';
import type { Timing } from './link.ts';
import { ClusterError, type ClusterPort, type ClusterRequest } from './port.ts';
import { authority, sendJson, serve, serveTls } from './testing-api.ts';
import { envelope, statusMessage } from './testing-protobuf.ts';

const QUICK: Partial<Timing> = { pause: 1, connect: 2000, idle: 2000, request: 5000 };
const ports: ClusterPort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});

function open(url: string, timing: Partial<Timing> = {}, more: Partial<PortSetup['link']> = {}): ClusterPort {
  const port = createHttpsPort({
    link: { server: new URL(url), tls: { rejectUnauthorized: true, ca: authority.cert }, compressed: false, ...more },
    credentials: fixed({ headers: { authorization: 'Bearer t0ken-of-the-test' } }),
    namespace: 'default',
    timing: { ...QUICK, ...timing },
  });
  ports.push(port);
  return port;
}

async function errorOf(port: ClusterPort, request: ClusterRequest = { path: '/api/v1/pods' }): Promise<ClusterError> {
  const error = await port.request(request).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ClusterError);
  expect((error as ClusterError).message).not.toContain('t0ken-of-the-test');
  return error as ClusterError;
}

function textOf(answer: { readonly body: Uint8Array }): string {
  return Buffer.from(answer.body).toString();
}

/** Answers its first requests one way and the later ones well. */
function flaky(times: number, bad: (response: ServerResponse) => void): RequestListener {
  let left = times;
  return (_request, response) => {
    if (left-- > 0) bad(response);
    else sendJson(response, 200, { fine: true });
  };
}

describe('a request', () => {
  it('sends method, headers and body, and keeps the connection for the next', async () => {
    const heard: unknown[] = [];
    const server = await serveTls((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', () => {
        const { accept, range, authorization, 'content-type': contentType, 'user-agent': agent } = request.headers;
        heard.push({
          method: request.method,
          url: request.url,
          accept,
          range,
          authorization,
          contentType,
          agent,
          body: Buffer.concat(chunks).toString(),
        });
        sendJson(response, request.method === 'POST' ? 201 : 200, {}, { date: 'Tue, 03 Mar 2026 04:05:06 GMT' });
      });
    });
    const port = open(server.url);
    const answer = await port.request({ path: '/x?a=b', method: 'POST', body: { näme: 1 }, accept: 'application/json' });
    expect(answer).toMatchObject({ status: 201, contentType: 'application/json', cut: false, date: Date.UTC(2026, 2, 3, 4, 5, 6) });
    await port.request({ path: '/y', range: 'bytes=-10' });
    await port.request({ path: '/z', method: 'DELETE', body: { gracePeriodSeconds: 0 } });
    await port.request({ path: '/z', method: 'DELETE' });
    expect(heard).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: '/x?a=b',
        contentType: 'application/json',
        accept: 'application/json',
        body: '{"näme":1}',
      }),
      expect.objectContaining({
        method: 'GET',
        range: 'bytes=-10',
        authorization: 'Bearer t0ken-of-the-test',
        agent: expect.stringContaining('podcause/'),
      }),
      expect.objectContaining({ method: 'DELETE', body: '{"gracePeriodSeconds":0}' }),
      expect.objectContaining({ method: 'DELETE', body: '' }),
    ]);
    expect(server.connections).toBe(1);
    expect(port.counted).toEqual({ requests: 4, retries: 0, bytes: 8 });
  });

  it('cuts a long body and says so', async () => {
    const server = await serveTls((_request, response) => response.end('x'.repeat(5_000_000)));
    const port = open(server.url);
    const answer = await port.request({ path: '/long', limitBytes: 70_000 });
    expect(answer.cut).toBe(true);
    expect(answer.body.length).toBe(70_000);
    expect(await port.request({ path: '/long', limitBytes: 5_000_000 })).toMatchObject({ cut: false });
  });

  it('undoes compression, within the limit, and refuses what is none', async () => {
    const asked: (string | undefined)[] = [];
    const server = await serve((request, response) => {
      asked.push(request.headers['accept-encoding'] as string | undefined);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
      const packed = gzipSync(Buffer.alloc(3_000_000, 'y'));
      if (request.url === '/broken') response.end('no gzip at all');
      else response.end(request.url === '/half' ? packed.subarray(0, packed.length >> 1) : packed);
    });
    const port = open(server.url, {}, { compressed: true });
    const whole = await port.request({ path: '/whole' });
    expect(whole.body.length).toBe(3_000_000);
    expect(port.counted.bytes).toBeLessThan(100_000);
    expect(await port.request({ path: '/bomb', limitBytes: 1000 })).toMatchObject({ cut: true, body: Buffer.alloc(1000, 'y') });
    expect((await errorOf(port, { path: '/broken' })).kind).toBe('invalid');
    expect((await errorOf(port, { path: '/half' })).kind).toBe('invalid');
    await port.request({ path: '/part', range: 'bytes=0-1' });
    expect(asked).toEqual(['gzip', 'gzip', 'gzip', 'gzip', undefined]);
  });

  it('does not follow a redirect', async () => {
    const server = await serveTls((_request, response) => {
      response.writeHead(302, { location: 'https://login.orchard.invalid/sign-in?code=s3cret' });
      response.end();
    });
    const error = await errorOf(open(server.url));
    expect(error).toMatchObject({ kind: 'invalid', status: 302 });
    expect(error.message).toContain('to https://login.orchard.invalid/sign-in');
    expect(error.message).not.toContain('s3cret');
  });

  it('takes a web page for what it is, except from a kubelet', async () => {
    const server = await serveTls((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!DOCTYPE html><title>Sign in</title>');
    });
    const port = open(server.url);
    expect(await errorOf(port)).toMatchObject({ kind: 'invalid', message: expect.stringContaining('answers with a web page') });
    expect(textOf(await port.request({ path: '/api/v1/nodes/n1/proxy/logs/' }))).toContain('Sign in');
  });
});

describe('a refusal', () => {
  const words = 'pods is forbidden: User "marla" cannot list resource "pods"';
  it.each([
    ['JSON', 'application/json', JSON.stringify({ kind: 'Status', message: words })],
    ['protobuf', 'application/vnd.kubernetes.protobuf', envelope('v1', 'Status', statusMessage({ message: words, reason: 'Forbidden' }))],
    ['text', 'text/plain', `${words}\u001b[31m\n`],
  ])('403 has the words of the server, sent as %s', async (_name, contentType, body) => {
    const server = await serveTls((_request, response) => {
      response.writeHead(403, { 'content-type': contentType });
      response.end(body);
    });
    const port = open(server.url);
    const error = await errorOf(port);
    expect(error).toMatchObject({ kind: 'forbidden', status: 403 });
    expect(error.message.replace(' [31m', '')).toBe(words);
    expect(port.counted.requests).toBe(1);
  });

  it.each([
    [404, 'not-found'],
    [405, 'not-found'],
    [409, 'invalid'],
    [422, 'invalid'],
    [501, 'server-error'],
  ])('%i is %s', async (status, kind) => {
    const server = await serveTls((_request, response) => sendJson(response, status, { message: 'as the server says' }));
    expect(await errorOf(open(server.url), { path: '/a?token=x', method: 'POST', body: {} })).toMatchObject({
      kind,
      status,
      message: `POST /a: as the server says (${status})`,
    });
  });

  it('says that a web page is no refusal of the API server', async () => {
    const server = await serveTls((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<html><body>Bad gateway</body></html>');
    });
    expect((await errorOf(open(server.url))).message).toContain('a web page came instead of an answer');
  });
});

describe('trying again', () => {
  it('waits out 429, also for a creation', async () => {
    const server = await serveTls(flaky(2, (response) => sendJson(response, 429, { message: 'slow down' }, { 'retry-after': '0' })));
    const port = open(server.url);
    expect(textOf(await port.request({ path: '/api/v1/pods', method: 'POST', body: {} }))).toContain('fine');
    expect(port.counted).toMatchObject({ requests: 3, retries: 2 });
  });

  it('gives up on 429 after a few times, and at once where the wait is longer than its time', async () => {
    const server = await serveTls(flaky(100, (response) => sendJson(response, 429, { message: 'slow down' })));
    const port = open(server.url);
    expect(await errorOf(port)).toMatchObject({ kind: 'throttled', status: 429, message: expect.stringContaining('slow down') });
    expect(port.counted.requests).toBe(6);
    const patient = await serveTls(flaky(100, (response) => sendJson(response, 429, {}, { 'retry-after': '3600' })));
    const other = open(patient.url);
    expect((await errorOf(other)).kind).toBe('throttled');
    expect(other.counted.requests).toBe(1);
  });

  it('repeats a GET after 5xx, and nothing else', async () => {
    const server = await serveTls(flaky(2, (response) => sendJson(response, 503, { message: 'etcd is gone' })));
    expect(textOf(await open(server.url).request({ path: '/api/v1/pods' }))).toContain('fine');
    const ill = await serveTls(flaky(100, (response) => sendJson(response, 500, { message: 'etcd is gone' })));
    const port = open(ill.url);
    expect(await errorOf(port)).toMatchObject({ kind: 'server-error', status: 500, message: expect.stringContaining('etcd is gone') });
    expect(port.counted.requests).toBe(3);
    const creating = open(ill.url);
    expect((await errorOf(creating, { path: '/api/v1/pods', method: 'POST', body: {} })).kind).toBe('server-error');
    expect(creating.counted.requests).toBe(1);
    const kubelet = open(ill.url);
    expect((await errorOf(kubelet, { path: '/api/v1/nodes/n1/proxy/configz' })).kind).toBe('server-error');
    expect(kubelet.counted.requests).toBe(1);
  });

  it('repeats a GET whose connection was reset before or in the middle of the answer', async () => {
    const reset = await serveTls(flaky(1, (response) => response.socket?.destroy()));
    expect(textOf(await open(reset.url).request({ path: '/a' }))).toContain('fine');
    const cutOff = (response: ServerResponse) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"half":', () => response.socket?.destroy());
    };
    const half = await serveTls(flaky(1, cutOff));
    expect(textOf(await open(half.url).request({ path: '/a' }))).toContain('fine');
    const always = await serveTls(flaky(100, cutOff));
    const port = open(always.url);
    expect(await errorOf(port)).toMatchObject({ kind: 'interrupted', message: expect.stringContaining('in the middle of its answer') });
    expect(port.counted.requests).toBe(3);
    const creating = open(always.url);
    expect((await errorOf(creating, { path: '/a', method: 'DELETE' })).kind).toBe('interrupted');
    expect(creating.counted.requests).toBe(1);
  });

  it('renews refused credentials once, however many requests were refused', async () => {
    const server = await serveTls((request, response) => sendJson(response, request.headers.authorization === 'new' ? 200 : 401, {}));
    let renewals = 0;
    let identity = { headers: { authorization: 'old' } };
    const port = createHttpsPort({
      link: { server: new URL(server.url), tls: { rejectUnauthorized: true, ca: authority.cert }, compressed: false },
      credentials: {
        present: async () => identity,
        renew(refused) {
          if (refused !== identity) return true;
          renewals++;
          identity = { headers: { authorization: 'new' } };
          return true;
        },
      },
      namespace: 'default',
    });
    ports.push(port);
    await Promise.all(Array.from({ length: 5 }, () => port.request({ path: '/a' })));
    expect(renewals).toBe(1);
    const hopeless = await serveTls((_request, response) => sendJson(response, 401, {}));
    const other = open(hopeless.url);
    expect(await errorOf(other)).toMatchObject({ kind: 'unauthorized', status: 401 });
    expect(other.counted.requests).toBe(1);
  });
});

describe('half-dead servers', () => {
  it('accepts and never answers', async () => {
    const server = await serveTls(() => undefined);
    const port = open(server.url, { idle: 40 });
    expect(await errorOf(port)).toMatchObject({ kind: 'slow', message: expect.stringContaining('never answered GET /api/v1/pods') });
    expect(port.counted.requests).toBe(3);
  });

  it('sends headers and falls silent', async () => {
    const server = await serveTls((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    expect(await errorOf(open(server.url, { idle: 40 }))).toMatchObject({
      kind: 'slow',
      message: expect.stringContaining('fell silent in the middle'),
    });
  });

  it('drips forever: the whole request has an end', async () => {
    const server = await serveTls((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    });
    expect(await errorOf(open(server.url, {}), { path: '/a', timeoutMilliseconds: 80 })).toMatchObject({
      kind: 'slow',
      message: expect.stringContaining('did not finish its answer'),
    });
  });

  it('accepts the connection and never begins to speak TLS', async () => {
    const sockets = new Set<{ destroy(): void }>();
    const deaf = createServer((socket) => sockets.add(socket));
    await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve));
    const address = deaf.address();
    const error = await errorOf(open(`https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`, { connect: 30 }));
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining('does not accept connections') });
    for (const socket of sockets) socket.destroy();
    deaf.close();
  });

  it('talks something else', async () => {
    const odd = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    await new Promise<void>((resolve) => odd.listen(0, '127.0.0.1', resolve));
    const address = odd.address();
    const at = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    expect(await errorOf(open(`http://${at}`))).toMatchObject({ kind: 'invalid', message: expect.stringContaining('no valid HTTP') });
    expect(await errorOf(open(`https://${at}`))).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining('does not speak TLS'),
    });
    odd.close();
  });

  it('ends requests that are under way when it is closed', async () => {
    const server = await serveTls(() => undefined);
    const port = open(server.url);
    const under = errorOf(port);
    await new Promise((resolve) => setImmediate(resolve));
    port.close();
    expect((await under).kind).toBe('interrupted');
    expect((await errorOf(port)).kind).toBe('interrupted');
  });
});
