import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClusterPort } from '../../collect/cluster/port.ts';
import { sendJson, serve } from '../../collect/cluster/testing-api.ts';
import { open } from '../../collect/cluster/testing-ports.ts';
import type { Stored } from './testing-paths.ts';
import { type ApiOptions, type Asked, Store } from './testing-store.ts';

export { pathOf, type Stored } from './testing-paths.ts';
export type { ApiOptions, Asked } from './testing-store.ts';

/** An API server on loopback with the few paths of fixes. */
export interface TestApi {
  readonly port: ClusterPort;
  readonly url: string;
  /** Stored objects by path. */
  readonly objects: Map<string, Stored>;
  readonly asked: Asked[];
  /** What was asked to be written for real. */
  writes(): Asked[];
  at(path: string): Stored;
}

export async function startApi(objects: readonly Stored[], options: ApiOptions = {}): Promise<TestApi> {
  const store = new Store(objects, options);
  const asked: Asked[] = [];
  const { url } = await serve((request, response) => void answer(request, response, { store, options, asked }));
  return {
    port: open(url),
    url,
    objects: store.objects,
    asked,
    writes: () => asked.filter(({ method, dryRun }) => method !== 'GET' && !dryRun),
    at: (path) => store.objects.get(path) ?? {},
  };
}

interface Server {
  readonly store: Store;
  readonly options: ApiOptions;
  readonly asked: Asked[];
}

async function answer(request: IncomingMessage, response: ServerResponse, { store, options, asked }: Server): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'https://api.test');
  const text = Buffer.concat(chunks).toString();
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const dryRun = url.searchParams.get('dryRun') === 'All';
  const one: Asked = { method: request.method ?? 'GET', path: decodeURIComponent(url.pathname), dryRun, body };
  asked.push(one);
  const cut = options.cuts?.(one);
  if (cut === 'before') {
    request.socket.destroy();
    return;
  }
  const judged = store.judged(one, request.headers['content-type'] ?? '', url.searchParams);
  if (cut === 'after') request.socket.destroy();
  else sendJson(response, judged.status, judged.answer);
}
