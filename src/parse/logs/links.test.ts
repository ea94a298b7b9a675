import { expect, it } from 'vitest';
import type { Attribution } from './attribute.ts';
import { createLinks } from './links.ts';
import { createHearing } from './testing-sink.ts';

const UID = '0a1b2c3d-1111-2222-3333-444455556666';

function edges(...seen: Partial<Attribution>[]) {
  const links = createLinks();
  for (const one of seen) links.see({ channel: 'kubelet-log', about: 'x', home: 'x', node: 'Node/node-a', ...one });
  const { sink, edges: heard } = createHearing();
  links.tell(sink);
  return heard;
}

const nobody = { containerIds: [], sandboxIds: [] };

it('keeps the fullest name an id was seen with, in any order', () => {
  const full = { names: { ...nobody, pod: 'Pod/shop/api-0', container: 'app', containerIds: ['c1'] } };
  const partial = { names: { ...nobody, uid: UID, containerIds: ['c1'] } };
  const expected = { type: 'alias', alias: 'cid:c1', entity: 'Container/shop/api-0/app' };
  expect(edges(full, partial)).toContainEqual(expected);
  expect(edges(partial, full)).toContainEqual(expected);
  expect(edges(partial)).toContainEqual({ type: 'alias', alias: 'cid:c1', entity: `Container/uid:${UID}/?` });
});

it('does not guess between several ids', () => {
  expect(edges({ names: { containerIds: ['c1', 'c2'], sandboxIds: ['s1', 's2'], pod: 'Pod/shop/api-0' } })).toEqual([
    { type: 'runs-on', pod: 'Pod/shop/api-0', node: 'Node/node-a' },
  ]);
});

it('tells where a pod runs only from daemons of a named host', () => {
  const names = { ...nobody, pod: 'Pod/shop/api-0' };
  expect(edges({ names, node: 'Node/?' })).toEqual([]);
  expect(edges({ names, channel: 'control-plane-log' })).toEqual([]);
});
