import { describe, expect, it } from 'vitest';
import type { JsonPatch } from './cluster-plan.ts';
import { hasSecret } from './secret-patch.ts';

const VARIABLE = '/spec/template/spec/containers/0/env/3';
const name = { op: 'test', path: `${VARIABLE}/name`, value: 'DB_PASSWORD' } as const;

const CASES: readonly [string, boolean, JsonPatch][] = [
  ['the value of a variable with the name of a secret', true, [name, { op: 'replace', path: `${VARIABLE}/value`, value: 'plain' }]],
  ['a reference of such a variable', false, [name, { op: 'replace', path: `${VARIABLE}/valueFrom/secretKeyRef/name`, value: 'shop-db' }]],
  ['a whole list of variables', true, [{ op: 'add', path: '/spec/env', value: [{ name: 'API_TOKEN', value: 'plain' }] }]],
  ['a URL with a password', true, [{ op: 'replace', path: `${VARIABLE}/value`, value: 'postgres://shop:h7Gk2pQz@db/shop' }]],
  ['a key of a config map', true, [{ op: 'replace', path: '/data/DB_PASSWORD', value: 'plain' }]],
  ['the whole of a config map', true, [{ op: 'add', path: '/data', value: { DB_PASSWORD: 'plain' } }]],
  ['a harmless key of a config map', false, [{ op: 'replace', path: '/data/LOG_LEVEL', value: 'debug' }]],
  ['a limit', false, [{ op: 'replace', path: '/spec/template/spec/containers/0/resources/limits/memory', value: '128Mi' }]],
];

describe('a secret in a patch', () => {
  it.each(CASES)('%s: %s', (_what, isSecret, patch) => {
    expect(hasSecret({ patch, reverse: [] })).toBe(isSecret);
    expect(hasSecret({ patch: [], reverse: patch })).toBe(isSecret);
  });
});
