import { expect, it } from 'vitest';
import type { Fix } from './cause.ts';
import { fixesFor } from './fixes-for.ts';

const fix = (say: string, ...when: string[]): Fix => ({ say, risk: 'reads-only', steps: [], ...(when.length > 0 ? { when } : {}) });
const says = (fixes: readonly Fix[], ...seen: string[]) => fixesFor(fixes, new Set(seen)).map(({ say }) => say);

it('puts fixes for what was seen first and leaves out those for what was not', () => {
  const fixes = [fix('look'), fix('port', 'port'), fix('file', 'file', 'folder')];
  expect(says(fixes, 'folder')).toEqual(['file', 'look']);
  expect(says(fixes)).toEqual(['look']);
});

it('keeps what may lose data behind all others', () => {
  const fixes: Fix[] = [fix('look'), { ...fix('wipe', 'data'), risk: 'may-lose-data' }];
  expect(says(fixes, 'data')).toEqual(['look', 'wipe']);
});

it('never leaves a finding without a fix', () => {
  expect(says([fix('port', 'port'), fix('file', 'file')])).toEqual(['port', 'file']);
});
