import { describe, expect, it } from 'vitest';
import { sanitiseObject, sanitiseText } from './sanitise.ts';

describe('what leaves the house', () => {
  it('loses environment values, whatever their name, and keeps references', () => {
    const count = { redactions: 0 };
    const kept = sanitiseObject(
      {
        spec: {
          containers: [
            {
              name: 'app',
              env: [
                { name: 'COLOUR', value: 's3cr3t-blue' },
                { name: 'DB', valueFrom: { secretKeyRef: { name: 'db', key: 'url' } } },
              ],
            },
          ],
        },
      },
      count,
    );
    expect(JSON.stringify(kept)).not.toContain('s3cr3t-blue');
    expect(JSON.stringify(kept)).toContain('"secretKeyRef":{"name":"db","key":"url"}');
    expect(count.redactions).toBe(1);
  });

  it('loses the copy that kubectl apply keeps, and managed fields', () => {
    const metadata = {
      name: 'web',
      managedFields: [{ manager: 'kubectl' }],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"env":[{"value":"s3cr3t"}]}', team: 'shop' },
    };
    expect(sanitiseObject({ metadata }, { redactions: 0 })).toEqual({ metadata: { name: 'web', annotations: { team: 'shop' } } });
  });

  it('loses passwords in messages and arguments, and counts them', () => {
    const count = { redactions: 0 };
    const kept = JSON.stringify(sanitiseObject({ args: ['--password=hunter2hunter2'], message: 'postgres://u:hunter2@db/x' }, count));
    expect(kept).not.toContain('hunter2');
    expect(count.redactions).toBe(2);
  });

  it('loses escape sequences', () => {
    expect(JSON.stringify(sanitiseObject({ message: 'a\u001b[31mred\u001b[0m' }, { redactions: 0 }))).toBe('{"message":"ared"}');
  });

  it('gives up on objects nested without end', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 10_000; level++) deep = { deep };
    expect(() => sanitiseObject(deep, { redactions: 0 })).not.toThrow();
  });

  it('keeps the lines of a log, one for one', () => {
    const { text, redactions } = sanitiseText(Buffer.from('started\ntoken=abcdefghijklmnop1234\nended'), 'app.log');
    expect(text.split('\n')).toHaveLength(4);
    expect(text).not.toContain('abcdefghijklmnop1234');
    expect(redactions).toBe(1);
  });
});
