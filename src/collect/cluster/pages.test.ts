import type { RequestListener } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../model/document.ts';
import { createHttpsPort } from './https-port.ts';
import { fixed } from './identities.ts';
import { metaOfJson, metaOfProtobuf } from './list-meta.ts';
import { ClusterError, type ClusterPort, type ListRequest } from './port.ts';
import { sendJson, serve, whenDone } from './testing-api.ts';
import { envelope, field, listMessage, statusMessage } from './testing-protobuf.ts';

async function open(listener: RequestListener): Promise<ClusterPort> {
  const { url } = await serve(listener);
  const port = createHttpsPort({
    link: { server: new URL(url), tls: { rejectUnauthorized: true }, compressed: false },
    credentials: fixed({ headers: {} }),
    namespace: 'default',
    timing: { pause: 1 },
  });
  whenDone(() => port.close());
  return port;
}

async function read(port: ClusterPort, request: ListRequest): Promise<{ pages: Page[]; error: unknown }> {
  const pages: Page[] = [];
  try {
    for await (const page of port.pages(request)) pages.push(page);
    return { pages, error: undefined };
  } catch (error) {
    return { pages, error };
  }
}

function query(url: string | undefined): URLSearchParams {
  return new URL(url ?? '', 'http://x').searchParams;
}

function jsonPage(name: string, next: string): unknown {
  return { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1', continue: next }, items: [{ metadata: { name } }] };
}

describe('pages of a list', () => {
  it('follows continue tokens in protobuf, which it asks for first', async () => {
    const asked: string[] = [];
    const port = await open((request, response) => {
      asked.push(`${request.url} ${request.headers.accept}`);
      const at = Number(query(request.url).get('continue') ?? 0);
      response.setHeader('content-type', 'application/vnd.kubernetes.protobuf');
      response.end(
        envelope('v1', 'PodList', listMessage([field(1, `pod ${at}`)], at < 2 ? String(at + 1) : '', at < 2 ? 2 - at : undefined)),
      );
    });
    const { pages, error } = await read(port, { path: '/api/v1/pods' });
    expect(error).toBeUndefined();
    expect(pages.map((page) => [page.encoding, Buffer.from(page.bytes).includes('pod 1')])).toEqual([
      ['protobuf', false],
      ['protobuf', true],
      ['protobuf', false],
    ]);
    const accept = 'application/vnd.kubernetes.protobuf,application/json';
    expect(asked).toEqual([
      `/api/v1/pods?limit=500 ${accept}`,
      `/api/v1/pods?limit=500&continue=1 ${accept}`,
      `/api/v1/pods?limit=500&continue=2 ${accept}`,
    ]);
  });

  it('keeps selectors, takes the page size, escapes tokens and asks for JSON where told', async () => {
    const asked: string[] = [];
    const port = await open((request, response) => {
      asked.push(`${request.url} ${request.headers.accept}`);
      sendJson(response, 200, jsonPage('a', query(request.url).has('continue') ? '' : 'a+b/c=&d'));
    });
    const { pages } = await read(port, { path: '/api/v1/pods?labelSelector=app%3Dx', json: true, pageSize: 7 });
    expect(pages.map((page) => page.encoding)).toEqual(['json', 'json']);
    expect(asked).toEqual([
      '/api/v1/pods?labelSelector=app%3Dx&limit=7 application/json',
      '/api/v1/pods?labelSelector=app%3Dx&limit=7&continue=a%2Bb%2Fc%3D%26d application/json',
    ]);
  });

  it('asks for the next page while this one is being read, and not for one more', async () => {
    const asked: string[] = [];
    let arrived: () => void = () => undefined;
    const second = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const port = await open((request, response) => {
      const token = query(request.url).get('continue') ?? '0';
      asked.push(token);
      if (token === '1') arrived();
      sendJson(response, 200, jsonPage(token, String(Number(token) + 1)));
    });
    for await (const page of port.pages({ path: '/api/v1/pods' })) {
      expect(page.bytes.length).toBeGreaterThan(0);
      await second;
      break;
    }
    expect(asked).toEqual(['0', '1']);
    expect(port.counted.requests).toBe(2);
  });

  it('gives up the page it asked for early when nobody reads on', async () => {
    let gone: () => void = () => undefined;
    const givenUp = new Promise<void>((resolve) => {
      gone = resolve;
    });
    let asked: () => void = () => undefined;
    const second = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const port = await open((request, response) => {
      if (!query(request.url).has('continue')) return sendJson(response, 200, jsonPage('x', 'more'));
      response.once('close', gone);
      return asked();
    });
    for await (const page of port.pages({ path: '/api/v1/pods' })) {
      expect(page.encoding).toBe('json');
      await second;
      break;
    }
    await givenUp;
  });

  it.each(['json', 'protobuf'])('goes on with the token the server offers when one expired (%s)', async (encoding) => {
    const asked: (string | null)[] = [];
    const port = await open((request, response) => {
      const token = query(request.url).get('continue');
      asked.push(token);
      if (token !== 'old') return sendJson(response, 200, jsonPage('x', token === null ? 'old' : ''));
      const words = { message: 'The provided continue parameter is too old', reason: 'Expired' };
      if (encoding === 'json') return sendJson(response, 410, { kind: 'Status', metadata: { continue: 'offered' }, ...words, code: 410 });
      response.writeHead(410, { 'content-type': 'application/vnd.kubernetes.protobuf' });
      return response.end(envelope('v1', 'Status', statusMessage({ ...words, next: 'offered' })));
    });
    const { pages, error } = await read(port, { path: '/api/v1/pods' });
    expect(error).toBeUndefined();
    expect(pages).toHaveLength(2);
    expect(asked).toEqual([null, 'old', 'offered']);
  });

  it('throws after what it has where the rest is not to be had', async () => {
    const port = await open((request, response) => {
      if (query(request.url).has('continue')) sendJson(response, 410, { message: 'too old' });
      else sendJson(response, 200, jsonPage('x', 'old'));
    });
    const { pages, error } = await read(port, { path: '/api/v1/pods' });
    expect(pages).toHaveLength(1);
    expect(error).toMatchObject({ kind: 'interrupted', status: 410, message: expect.stringContaining('too old') });
  });

  it('meets a server that goes away between pages', async () => {
    const port = await open((request, response) => {
      if (query(request.url).has('continue')) response.socket?.destroy();
      else sendJson(response, 200, jsonPage('x', 'more'));
    });
    const { pages, error } = await read(port, { path: '/api/v1/pods' });
    expect(pages).toHaveLength(1);
    expect(error).toMatchObject({ kind: 'interrupted' });
    expect(port.counted).toMatchObject({ requests: 4, retries: 2 });
  });

  it.each([
    ['half of a list', '{"kind":"PodList","metadata":{},"items":[{"a":'],
    ['text', 'not a list'],
    ['nothing', ''],
    ['half of an envelope', envelope('v1', 'PodList', listMessage([field(1, 'pod')])).subarray(0, 30)],
  ])('refuses %s', async (_name, body) => {
    const port = await open((_request, response) => response.end(body));
    expect((await read(port, { path: '/api/v1/pods' })).error).toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining('not a list'),
    });
  });

  it('gives up on a list that goes in circles', async () => {
    const port = await open((_request, response) => sendJson(response, 200, jsonPage('x', 'same')));
    const { pages, error } = await read(port, { path: '/api/v1/pods' });
    expect(error).toBeInstanceOf(ClusterError);
    expect(pages).toHaveLength(1);
  });
});

describe('what a page says about the next', () => {
  const items = [{ metadata: { name: 'x', annotations: { note: 'ends with "metadata":{"continue":"wrong"}}' } } }, { text: '\\"' }];
  const metadata = { continue: 'right', remainingItemCount: 12, resourceVersion: '5' };
  it.each([
    ['in front', { kind: 'PodList', apiVersion: 'v1', metadata, items }],
    ['behind', { apiVersion: 'v1', items, kind: 'PodList', metadata }],
    ['in the middle', { apiVersion: 'v1', items, metadata, kind: 'PodList' }],
    ['between other things', { a: 1, b: [], metadata, items }],
  ])('%s of JSON', (_name, list) => {
    for (const space of [undefined, 2]) {
      expect(metaOfJson(Buffer.from(JSON.stringify(list, null, space)))).toEqual({ next: 'right', remaining: 12 });
    }
  });

  it('takes nothing from items where the list has no metadata', () => {
    expect(metaOfJson(Buffer.from(JSON.stringify({ items, kind: 'PodList' })))).toEqual({ next: '' });
    expect(metaOfJson(Buffer.from(JSON.stringify({ kind: 'PodList', items: [{ metadata: { continue: 'wrong' } }] })))).toEqual({
      next: '',
    });
    expect(metaOfJson(Buffer.from('[1]'))).toBeUndefined();
    expect(metaOfJson(Buffer.from('{"a'))).toBeUndefined();
  });

  it('in protobuf, also where the metadata comes late or is broken', () => {
    expect(metaOfProtobuf(envelope('v1', 'L', listMessage([field(1, 'x')], 'right', 300)))).toEqual({ next: 'right', remaining: 300 });
    const late = Buffer.concat([field(2, 'item'), field(1, field(3, 'late'))]);
    expect(metaOfProtobuf(envelope('v1', 'L', late))).toEqual({ next: 'late' });
    expect(metaOfProtobuf(envelope('v1', 'L', Buffer.alloc(0)))).toEqual({ next: '' });
    expect(metaOfProtobuf(Buffer.from('k8s\0\xff\xff\xff', 'latin1'))).toBeUndefined();
    expect(metaOfProtobuf(Buffer.from('{}'))).toBeUndefined();
  });
});
