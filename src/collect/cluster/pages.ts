import type { Page } from '../../model/document.ts';
import { metaOfJson, metaOfProtobuf } from './list-meta.ts';
import { type ClusterAnswer, ClusterError, type ClusterRequest, type ListRequest } from './port.ts';
import { ExpiredList } from './refusals.ts';
import { isEnveloped } from './wire.ts';

type Send = (request: ClusterRequest, control: AbortController) => Promise<ClusterAnswer>;

const PAGE_SIZE = 500;
/** Pages after which a list that goes in circles is given up: 500 objects each, this is 50 million. */
const MOST_PAGES = 100_000;
const MOST_EXPIRIES = 50;

interface Loaded {
  readonly page: Page;
  readonly next: string;
}

/**
 * Pages without a resourceVersion, each read from the server's store: bounded in memory on both ends, one moment for the whole
 * list, and never older than the events beside it. With `resourceVersion=0` the server's cache ignores the limit and sends all
 * objects at once, as old as that cache may be.
 */
export async function* pagesOf(request: ListRequest, send: Send): AsyncGenerator<Page, void, undefined> {
  const control = new AbortController();
  const seen = new Set<string>();
  let expiries = 0;
  let coming: Promise<Loaded> | undefined = load(request, '', send, control);
  try {
    while (coming) {
      let loaded: Loaded;
      try {
        loaded = await coming;
      } catch (error) {
        if (!(error instanceof ExpiredList) || error.next === '' || ++expiries > MOST_EXPIRIES) throw error;
        coming = ahead(load(request, error.next, send, control));
        continue;
      }
      coming = undefined;
      if (loaded.next !== '') {
        if (seen.has(loaded.next) || seen.size > MOST_PAGES)
          throw new ClusterError('invalid', `GET ${bare(request.path)}: the list goes in circles.`);
        seen.add(loaded.next);
        coming = ahead(load(request, loaded.next, send, control));
      }
      yield loaded.page;
    }
  } finally {
    control.abort();
  }
}

/** Asked for while the page before is being read; its failure is looked at when its turn comes. */
function ahead(page: Promise<Loaded>): Promise<Loaded> {
  page.catch(() => undefined);
  return page;
}

async function load(request: ListRequest, token: string, send: Send, control: AbortController): Promise<Loaded> {
  const { path, json, pageSize = PAGE_SIZE, timeoutMilliseconds } = request;
  const query = `limit=${pageSize}${token === '' ? '' : `&continue=${encodeURIComponent(token)}`}`;
  const answer = await send(
    {
      path: `${path}${path.includes('?') ? '&' : '?'}${query}`,
      accept: json ? 'application/json' : 'application/vnd.kubernetes.protobuf,application/json',
      ...(timeoutMilliseconds !== undefined ? { timeoutMilliseconds } : {}),
    },
    control,
  );
  return loadedFrom(answer, path);
}

function loadedFrom({ body }: ClusterAnswer, path: string): Loaded {
  const encoding = isEnveloped(body) ? 'protobuf' : 'json';
  const meta = encoding === 'protobuf' ? metaOfProtobuf(body) : isWholeJson(body) ? metaOfJson(body) : undefined;
  if (!meta) throw new ClusterError('invalid', `GET ${bare(path)}: the answer is not a list, or only a part of one.`);
  return { page: { encoding, bytes: body }, next: meta.next };
}

function isWholeJson(body: Uint8Array): boolean {
  let last = body.length - 1;
  while (last > 0 && (body[last] === 0x0a || body[last] === 0x0d || body[last] === 0x20)) last--;
  return body[0] === 0x7b && body[last] === 0x7d;
}

function bare(path: string): string {
  return path.split('?', 1)[0] ?? path;
}
