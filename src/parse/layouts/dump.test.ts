import { describe, expect, it } from 'vitest';
import type { Document } from '../../model/document.ts';
import { readDocuments } from '../read-documents.ts';

const PAD = 'x'.repeat(2000);

function pod(index: number): string {
  const status = index === 3 ? { waiting: { reason: 'CrashLoopBackOff' } } : { running: { startedAt: '2024-05-01T10:00:00Z' } };
  return JSON.stringify(
    {
      metadata: { name: `web-${index}`, namespace: 'shop', annotations: { note: PAD } },
      spec: { nodeName: 'worker-1', containers: [{ name: 'app', image: 'registry.example/web:1' }] },
      status: { phase: 'Running', containerStatuses: [{ name: 'app', ready: index !== 3, restartCount: index, state: status }] },
    },
    null,
    4,
  );
}

const NODES = `{
    "kind": "NodeList",
    "apiVersion": "v1",
    "metadata": {"resourceVersion": "7"},
    "items": [
        {"metadata": {"name": "worker-1"}, "status": {"conditions": [{"type": "Ready", "status": "True"}]}}
    ]
}`;

const LOGS = [
  '==== START logs for container app of pod shop/web-3 ====',
  '{"level":"info","msg":"starting","kind":"Service","time":"2024-05-01T10:00:00Z"}',
  '2024-05-01T10:00:01Z ERROR cannot connect to db:5432: connection refused',
  'panic: no database',
  '==== END logs for container other of pod shop/web-3 ====',
  '',
  'goroutine 1 [running]:',
  '==== END logs for container app of pod shop/web-3 ====',
];

function dumpText(): { text: string; errorLine: number } {
  const pods = `{\n    "kind": "PodList",\n    "apiVersion": "v1",\n    "items": [\n${Array.from({ length: 900 }, (_, index) => pod(index)).join(',\n')}\n    ]\n}`;
  const before = `${NODES}\n${pods}\n`;
  const quiet = '==== START logs for container app of pod shop/web-1 ====\nhello\n==== END logs for container app of pod shop/web-1 ====\n';
  const text = `${before}${quiet}${LOGS.join('\n')}\n`;
  return { text, errorLine: text.slice(0, text.indexOf('cannot connect')).split('\n').length };
}

function streamed(text: string, size: number): Document {
  const bytes = Buffer.from(text);
  return {
    name: 'dump.json',
    size: bytes.length,
    async *read() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    },
  };
}

describe('a large cluster-info dump', () => {
  it.each([977, 65_536, 1 << 30])('gives its objects and the logs between them, in chunks of %i bytes', async (size) => {
    const { text, errorLine } = dumpText();
    expect(text.length).toBeGreaterThan(2 << 20);
    const { evidence } = await readDocuments([streamed(text, size)], [], {});
    expect(evidence.unread).toEqual([]);
    const waiting = evidence.facts.filter(({ kind }) => kind === 'container.waiting');
    expect(waiting).toMatchObject([{ about: 'Container/shop/web-3/app', reason: 'CrashLoopBackOff' }]);
    const words = evidence.facts.filter(({ kind }) => kind === 'container.last-words');
    expect([...new Set(words.map(({ about }) => about))]).toEqual(['Container/shop/web-1/app', 'Container/shop/web-3/app']);
    const errors = evidence.facts.filter(({ kind, about }) => kind === 'log.error' && about === 'Container/shop/web-3/app');
    const refused = errors.find((fact) => JSON.stringify(fact).includes('cannot connect to db:5432'));
    expect(refused?.cited[0]?.at.lines?.[0]).toBe(errorLine);
  });

  it('says so when it breaks off inside a log', async () => {
    const { text } = dumpText();
    const { evidence } = await readDocuments([streamed(text.slice(0, text.indexOf('panic: no database')), 50_000)], [], {});
    expect(evidence.unread).toMatchObject([{ doc: 'dump.json', why: 'the log of shop/web-3 is not whole' }]);
    expect(JSON.stringify(evidence.facts)).toContain('cannot connect to db:5432');
  });

  it('reads a log of many megabytes line by line', async () => {
    const noise = Array.from({ length: 60_000 }, (_, index) => `2024-05-01T10:00:00Z INFO request ${index} served in 3 ms`);
    const { text } = dumpText();
    const long = `${text}==== START logs for container app of pod shop/web-9 ====\n${noise.join('\n')}\n2024-05-01T11:00:00Z FATAL out of workers\n==== END logs for container app of pod shop/web-9 ====\n`;
    const { evidence } = await readDocuments([streamed(long, 1 << 20)], [], {});
    const line = long.split('\n').findIndex((one) => one.includes('out of workers')) + 1;
    const fatal = evidence.facts.find((fact) => fact.kind === 'log.error' && JSON.stringify(fact).includes('out of workers'));
    expect(fatal?.about).toBe('Container/shop/web-9/app');
    expect(fatal?.cited[0]?.at.lines?.[0]).toBe(line);
  });

  it('leaves lists that are no dump alone', async () => {
    const list = `{\n"apiVersion": "v1",\n"kind": "List",\n"items": [\n${Array.from({ length: 900 }, (_, index) => pod(index)).join(',\n')}\n]\n}\n==== START logs for container app of pod shop/web-1 ====\nERROR x\n`;
    const { evidence } = await readDocuments([streamed(list, 1 << 20)], [], {});
    expect(evidence.facts.some(({ kind }) => kind === 'container.last-words')).toBe(false);
    expect(evidence.unread[0]?.why).toMatch(/bytes between the objects are no JSON/);
  });
});
