import { describe, expect, it } from 'vitest';
import { appendValue, pointer, setValue, tokensOf, unsetValue } from './json-pointer.ts';
import { patched, rebased, settled } from './patch-object.ts';
import { applyJsonPatch } from './testing-json-patch.ts';

const object = { spec: { resources: { limits: { memory: '1536Mi' } }, env: ['a'], mode: '1', empty: null } };

describe('a patch', () => {
  it.each([
    ['a value', setValue(object, ['spec', 'mode'], '2')],
    ['a value that is missing with its parents', setValue(object, ['spec', 'a', 'b~/c'], 1)],
    ['no value', unsetValue(object, ['spec', 'mode'])],
    ['one more member', appendValue(object, ['spec', 'env'], 'b')],
    ['a first member', appendValue(object, ['spec', 'list'], 'b')],
  ])('that sets %s does and undoes what the server does', (_what, swap) => {
    if (!swap) throw new Error('no swap');
    const after = patched(object, swap.patch);
    expect(after).toEqual(applyJsonPatch(object, swap.patch));
    expect(patched(after, swap.reverse)).toEqual(object);
    expect(patched(after, swap.patch)).toBeUndefined();
    expect(patched(object, swap.reverse)).toBeUndefined();
  });

  it('leaves the object as it was', () => {
    const before = structuredClone(object);
    patched(object, setValue(object, ['spec', 'mode'], '2').patch);
    expect(object).toEqual(before);
  });

  it('is not undone over what somebody else put beside it', () => {
    const { patch, reverse } = setValue({ spec: {} }, ['spec', 'limits', 'memory'], '1Gi');
    const after = patched({ spec: {} }, patch) as { spec: { limits: Record<string, string> } };
    after.spec.limits['cpu'] = '1';
    expect(patched(after, reverse)).toBeUndefined();
  });

  it('is settled as the server writes amounts, but texts are compared by the letter', () => {
    const path = pointer(['spec', 'resources', 'limits', 'memory']);
    expect(settled(object, [{ op: 'test', path, value: '1.5Gi' }])).toEqual([{ op: 'test', path, value: '1536Mi' }]);
    expect(settled(object, [{ op: 'test', path: '/spec/mode', value: '1.0' }])).toBeUndefined();
  });

  it.each([
    [{ op: 'replace', path: '/spec/none', value: 1 }],
    [{ op: 'remove', path: '/spec/none' }],
    [{ op: 'replace', path: '/spec/env/7', value: 1 }],
    [{ op: 'add', path: '/spec/env/x', value: 1 }],
    [{ op: 'test', path: '/none/x', value: null }],
    [{ op: 'test', path: '/spec/env/1', value: null }],
    [{ op: 'add', path: '/spec/toString/x', value: 1 }],
  ] as const)('that leads nowhere is none: %j', (operation) => {
    expect(patched(object, [operation])).toBeUndefined();
    expect(() => applyJsonPatch(object, [operation])).toThrow();
  });

  it('reaches no prototype', () => {
    patched({}, [{ op: 'add', path: '/__proto__', value: { polluted: true } }]);
    expect('polluted' in {}).toBe(false);
  });

  it('goes back from what the server made, but takes over no lists', () => {
    const { reverse } = setValue(object, ['spec', 'mode'], '2');
    expect(rebased({ spec: { mode: '3' } }, reverse)[0]).toEqual({ op: 'test', path: '/spec/mode', value: '3' });
    const list = appendValue(object, ['spec', 'env'], 'b');
    expect(rebased({ spec: { env: ['a', 'b', 'secret'] } }, list.reverse)).toEqual(list.reverse);
  });
});

describe('a pointer', () => {
  it('comes back as it was', () => {
    const tokens = ['a/b', 'c~d', '~1', '0', ''];
    expect(tokensOf(pointer(tokens))).toEqual(tokens);
  });
});
