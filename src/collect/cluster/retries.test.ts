import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createHttpsPort } from './https-port.ts';
import { authority, sendJson, serve, serveTls, whenDone } from './testing-api.ts';
import { errorOf, flaky, open, textOf } from './testing-ports.ts';

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
    whenDone(() => port.close());
    await Promise.all(Array.from({ length: 5 }, () => port.request({ path: '/a' })));
    expect(renewals).toBe(1);
    const hopeless = await serveTls((_request, response) => sendJson(response, 401, {}));
    const other = open(hopeless.url);
    expect(await errorOf(other)).toMatchObject({ kind: 'unauthorized', status: 401 });
    expect(other.counted.requests).toBe(1);
    const eager = open(hopeless.url, {}, {}, { present: async () => ({ headers: {} }), renew: () => true });
    expect((await errorOf(eager)).kind).toBe('unauthorized');
    expect(eager.counted.requests).toBe(2);
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
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    const port = open(server.url, { idle: 400 });
    const error = await errorOf(port, { path: '/a', method: 'POST', body: {} });
    expect(error).toMatchObject({ kind: 'slow', message: expect.stringContaining('fell silent in the middle') });
  });

  it('drips forever: the whole request has an end', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    });
    const error = await errorOf(open(server.url), { path: '/a', timeoutMilliseconds: 400 });
    expect(error).toMatchObject({ kind: 'slow', message: expect.stringContaining('did not finish its answer') });
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
