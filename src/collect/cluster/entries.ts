import { isRecord } from './list-meta.ts';

export type Entry = Readonly<Record<string, unknown>>;

export const NO_ENTRY: Entry = {};

export function entryOf(value: unknown): Entry {
  return isRecord(value) ? value : NO_ENTRY;
}

/** Text of a field; empty and missing are the same. */
export function textIn(entry: Entry, key: string): string | undefined {
  const value = entry[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function isTrue(entry: Entry, key: string): boolean {
  return textIn(entry, key)?.toLowerCase() === 'true';
}

export function listIn(entry: Entry, key: string): readonly unknown[] {
  const value = entry[key];
  return Array.isArray(value) ? value : [];
}

export function textsIn(entry: Entry, key: string): string[] {
  return listIn(entry, key).filter((value): value is string => typeof value === 'string');
}
