import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { inFolder, tarBytes } from '../../src/collect/testing-archives.ts';
import { podcause } from '../cli/built-cli.ts';
import { describedPod, hostFiles, kubeconfig, podObject, secretObjects, secrets, talkativeLog } from './planted-secrets.ts';

function evidence(): Record<string, string | Uint8Array> {
  const { yaml, json } = secretObjects();
  const log = talkativeLog();
  return {
    'ledger.log': log,
    'ledger-utf16.log': Buffer.from(`\ufeff${log}`, 'utf16le'),
    'describe.txt': describedPod(),
    'pods.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [podObject('json', { name: 'teller-0' })] }, null, 4),
    'pods-on-one-line.json': JSON.stringify(podObject('one line', { name: 'teller-1' })),
    'pods.yaml': stringify(podObject('yaml', { name: 'teller-2' })),
    'secret.yaml': yaml,
    'secrets.json': json,
    'kubeconfig.yaml': kubeconfig(),
    'bundle.tgz': gzipSync(tarBytes([{ path: 'pods.yaml', body: stringify(podObject('archive', { name: 'teller-3' })) }])),
    ...hostFiles(),
  };
}

function leaks(text: string): string[] {
  return [...secrets()].filter(([, secret]) => text.includes(secret)).map(([name]) => name);
}

const FORMATS = [['json'], ['yaml'], ['markdown'], ['html'], ['terminal', '--verbose', '-w', '100000']] as const;

describe('secrets in evidence', () => {
  const printed = new Map<string, string>();
  let bare = '';

  beforeAll(
    () =>
      inFolder(async (folder) => {
        for (const [name, content] of Object.entries(evidence())) {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), content);
        }
        const runs = FORMATS.map(async (format) =>
          printed.set(format[0], (await podcause(['-o', ...format, '.'], { cwd: folder })).stdout),
        );
        const unredacted = podcause(['-o', 'json', '--no-redact', '.'], { cwd: folder });
        await Promise.all(runs);
        bare = (await unredacted).stdout;
      }),
    60_000,
  );

  it.each(FORMATS.map(([format]) => format))('never reach the %s report', (format) => {
    const text = printed.get(format) ?? '';
    expect(text.includes('ledger')).toBe(true);
    expect(leaks(text)).toEqual([]);
  });

  it('would be shown otherwise, so that the tests above mean something', () => {
    expect(secrets().size).toBeGreaterThan(60);
    expect(leaks(bare).length).toBeGreaterThan(20);
  });

  it('are counted', () => {
    expect(JSON.parse(printed.get('json') ?? '').coverage.redactions).toBeGreaterThan(50);
  });
});

describe('secrets in large evidence', () => {
  it('never reach the report of an object list that is streamed', () =>
    inFolder(async (folder) => {
      const healthy = (index: number) => ({
        kind: 'ConfigMap',
        metadata: { name: `filler-${index}`, namespace: 'bank' },
        data: { text: 'x'.repeat(9000) },
      });
      const items = [podObject('large json', { name: 'teller-9' }), ...Array.from({ length: 1000 }, (_, index) => healthy(index))];
      writeFileSync(join(folder, 'all.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
      const { stdout } = await podcause(['-o', 'json', 'all.json'], { cwd: folder });
      expect(JSON.parse(stdout).incidents.length + JSON.parse(stdout).undecided.length).toBeGreaterThan(0);
      expect(leaks(stdout)).toEqual([]);
    }));

  it('never reach the report of a log that is streamed', () =>
    inFolder(async (folder) => {
      const filler = 'I0501 10:00:00.000000    1 worker.go:10] nothing happened here, as on every other day of the year\n'.repeat(90_000);
      writeFileSync(join(folder, 'kubelet.log'), `${talkativeLog()}${filler}${talkativeLog()}`);
      const { stdout } = await podcause(['-o', 'json', 'kubelet.log'], { cwd: folder });
      expect(JSON.parse(stdout).coverage.lines).toBeGreaterThan(90_000);
      expect(leaks(stdout)).toEqual([]);
    }));
});
