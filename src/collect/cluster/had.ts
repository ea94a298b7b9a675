import type { Document, Missed, Unread } from '../../model/document.ts';
import { ClusterError } from './port.ts';

/** What a probe brought, and what it could not. */
export interface Had {
  readonly documents: readonly Document[];
  readonly unread: readonly Unread[];
}

export const NOTHING: Had = { documents: [], unread: [] };

interface Wanted {
  readonly doc: string;
  readonly command: string;
  readonly missed: readonly Omit<Missed, 'extent'>[];
}

/** Whatever the cluster refuses becomes a line of the report; anything else is a defect and goes on up. */
export function missing(error: unknown, { doc, command, missed }: Wanted): Unread {
  if (!(error instanceof ClusterError)) throw error;
  const extent = error.kind === 'forbidden' || error.kind === 'unauthorized' ? 'denied' : 'failed';
  return { doc, why: error.message, command, missed: missed.map((one) => ({ ...one, extent })) };
}

export function together(all: readonly Had[]): Had {
  return { documents: all.flatMap(({ documents }) => documents), unread: all.flatMap(({ unread }) => unread) };
}

/** Runs `work` over the items, `width` at a time, and keeps their order. */
export async function inParallel<T, R>(items: readonly T[], width: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  async function worker(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}
