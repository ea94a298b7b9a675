import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sendJson, serve, serveTls } from './testing-api.ts';
import { errorOf, open, textOf } from './testing-ports.ts';
import { envelope, statusMessage } from './testing-protobuf.ts';

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
