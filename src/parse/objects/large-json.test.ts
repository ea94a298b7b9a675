import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../model/document.ts';
import { readLargeJson } from './large-json.ts';
import { readObject } from './object-facts.ts';
import { ObjectReading, type ReadingOptions } from './object-reading.ts';
import { type AnyPod, anyPod, disorder, layout, type Print } from './test-pods.ts';
import { TestSink } from './test-sink.ts';

function documentOf(text: string, chunk: number): Document {
  const bytes = Buffer.from(text);
  return {
    name: 'pods.json',
    size: bytes.length,
    read: async function* () {
      for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
    },
  };
}

function readWhole(list: unknown, options: ReadingOptions): TestSink {
  const sink = new TestSink();
  const reading = new ObjectReading('pods.json', sink, options);
  readObject(reading, list, '');
  reading.finish();
  return sink;
}

const options = fc.record({ namedPods: fc.constantFrom(0, 0, 2, 2000), namespace: fc.constantFrom('reef', 'shoal') });

async function expectSame(pods: readonly AnyPod[], print: Print, size: number, typed: boolean, given: ReadingOptions): Promise<void> {
  const list = typed
    ? { kind: 'PodList', apiVersion: 'v1', items: pods.map(({ metadata, spec, status }) => ({ metadata, spec, status })) }
    : { apiVersion: 'v1', items: pods, kind: 'List' };
  const streamed = new TestSink();
  const result = await readLargeJson(documentOf(print(list), size), streamed, undefined, given);
  const whole = readWhole(JSON.parse(JSON.stringify(list)), given);
  expect(result).toEqual({ objects: pods.length });
  expect(streamed.facts).toEqual(whole.facts);
  expect(streamed.edges).toEqual(whole.edges);
  expect(streamed.sayings).toEqual(whole.sayings);
  expect(streamed.coverage).toEqual(whole.coverage);
}

describe('readLargeJson', () => {
  it('tells of a list exactly what reading it whole tells', async () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 20_000 }));
    await fc.assert(fc.asyncProperty(fc.array(anyPod, { maxLength: 8 }), layout, size, fc.boolean(), options, expectSame), {
      numRuns: 400,
    });
  });

  it('is not misled by lines that are indented at random', async () => {
    const whole = fc.constant(1 << 20);
    await fc.assert(fc.asyncProperty(fc.array(anyPod, { maxLength: 8 }), disorder, whole, fc.boolean(), options, expectSame), {
      numRuns: 400,
    });
  });

  it('reads from memory, from lines, and tells what is missing', async () => {
    const event = (name: string) => ({
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { name },
      involvedObject: { kind: 'Pod', name, namespace: 'reef' },
      reason: 'Killing',
      message: 'Stopping container c',
    });
    const bytes = Buffer.from(`${JSON.stringify(event('a'))}\n${JSON.stringify(event('b'))}\n{"kind":"Event","apiVer`);
    const sink = new TestSink();
    const progress: number[] = [];
    const result = await readLargeJson({ name: 'e.jsonl', size: bytes.length, bytes }, sink, (read) => progress.push(read));
    expect(result).toEqual({ objects: 2, truncated: 'ends inside an object' });
    expect(sink.all('pod.event').map((fact) => fact.about)).toEqual(['Pod/reef/a', 'Pod/reef/b']);
    expect(progress).toEqual([bytes.length]);
  });

  it('calls the coverage of a cut list an excerpt', async () => {
    const pods = Array.from({ length: 40 }, (_, index) => ({
      metadata: { name: `p${index}`, namespace: 'reef' },
      spec: { containers: [] },
      status: { phase: 'Pending' },
    }));
    const text = JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items: pods });
    const sink = new TestSink();
    const result = await readLargeJson(documentOf(text.slice(0, -40), 999), sink);
    expect(result.truncated).toBe('ends inside the list, after 39 items');
    expect(sink.coverage.map((entry) => [entry.about, entry.extent])).toEqual([
      ['Namespace/reef', 'excerpt'],
      ['Namespace/reef', 'excerpt'],
    ]);
  });

  it('takes secrets out of what it keeps', async () => {
    const pods = [
      {
        metadata: { name: 'p', namespace: 'reef' },
        spec: { containers: [{ name: 'c', image: 'i', args: ['--password=tuna'] }] },
        status: { phase: 'Pending', message: 'bad password tuna' },
      },
    ];
    const sink = new TestSink();
    await readLargeJson(documentOf(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items: pods }), 10), sink, undefined, {
      redact: (text) => text.replaceAll('tuna', '***'),
    });
    expect(sink.one('container.spec').args).toBe('--password=***');
    expect(JSON.stringify(sink)).not.toContain('tuna');
  });
});
