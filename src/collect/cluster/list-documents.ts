import type { Document, Page, Unread } from '../../model/document.ts';
import { CLUSTER, namespaceId } from '../../model/entity.ts';
import { missing } from './had.ts';
import { type ClusterScope, commandOf, type ListKind, pathOf } from './lists.ts';
import type { ClusterPort } from './port.ts';

export interface ListOptions {
  /** JSON is asked for where the pages are kept, since people will read them. */
  readonly json?: boolean;
  /** Sees every page, e.g. to keep it. */
  readonly onPage?: (name: string, page: Page) => void;
  /** The server's clock, epoch milliseconds. */
  readonly takenAt?: number;
}

/**
 * The list as a document that streams. Its refusal is known at the first page or in the middle: `unread` is filled while
 * the document is read.
 */
export function listDocument(
  port: ClusterPort,
  kind: ListKind,
  version: string,
  scope: ClusterScope,
  options: ListOptions = {},
): { document: Document; unread: Unread[] } | undefined {
  const path = pathOf(kind, version, scope);
  if (path === undefined) return undefined;
  const name = `cluster/${kind.plural}${selectionOf(kind, scope)}.json`;
  const unread: Unread[] = [];
  // Asked for at once, read in turn: small lists arrive while a large one is taken apart.
  const pages = eagerly(port.pages({ path, ...(options.json ? { json: true } : {}) }));
  async function* read(): AsyncIterable<Page> {
    let had = 0;
    try {
      for await (const page of pages) {
        had++;
        options.onPage?.(name, page);
        yield page;
      }
    } catch (error) {
      const about = scope.namespace === undefined || !kind.namespaced ? CLUSTER : namespaceId(scope.namespace);
      const entry = missing(error, {
        doc: name,
        command: commandOf(kind, scope),
        missed: kind.channels.map((channel) => ({ channel, about })),
      });
      unread.push(had === 0 ? entry : { ...entry, why: `read only in part: ${entry.why}` });
    }
  }
  return { document: { name, size: 0, pages: read, ...(options.takenAt !== undefined ? { takenAt: options.takenAt } : {}) }, unread };
}

/** A part of the pods must not pass for all of them: who is missing there may exist all the same. */
function selectionOf({ plural }: ListKind, { selector, node }: ClusterScope): string {
  if (plural !== 'pods') return '';
  return `${selector === undefined ? '' : '-selected'}${node === undefined ? '' : `-on-${node}`}`;
}

/** Starts before anybody reads, one page ahead. */
function eagerly(pages: AsyncIterable<Page>): AsyncIterable<Page> {
  const iterator = pages[Symbol.asyncIterator]();
  const first = settled(iterator.next());
  return {
    async *[Symbol.asyncIterator]() {
      let result = await unsettled(first);
      while (!result.done) {
        yield result.value;
        result = await iterator.next();
      }
    },
  };
}

type Settled<T> = Promise<{ value: T } | { error: unknown }>;

/** A refusal that nobody waits for yet must not end the process. */
function settled<T>(promise: Promise<T>): Settled<T> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

async function unsettled<T>(promise: Settled<T>): Promise<T> {
  const outcome = await promise;
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
