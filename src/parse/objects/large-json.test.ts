import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document } from '../../model/document.ts';
import { readLargeJson } from './large-json.ts';
import { factsOfObject } from './object-facts.ts';
import { TestSink } from './test-sink.ts';

/** Strings full of what could mislead a splitter. */
const nasty = fc
  .array(fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '\n', 'items', 'a', 'é', '},{"metadata":{', '        }', ' '), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const indent = fc.constantFrom(0, 1, 2, 4);

const state = fc.constantFrom(
  { running: { startedAt: '2025-08-01T00:00:00Z' } },
  { running: { startedAt: '2025-08-01T00:00:00Z' } },
  { running: { startedAt: '2025-08-01T00:00:00Z' } },
  { waiting: { reason: 'CrashLoopBackOff', message: 'back-off } { "status": {' } },
  { terminated: { exitCode: 0, reason: 'Completed', finishedAt: '2025-08-01T00:00:09Z' } },
  { terminated: { exitCode: 1, reason: 'Error' } },
);
const containers = fc.array(
  fc.record({ state, restartCount: fc.constantFrom(0, 0, 0, 2), ready: fc.constantFrom(true, true, false), started: fc.boolean() }),
  { maxLength: 3 },
);
const pod = fc
  .record({
    namespace: fc.constantFrom('reef', 'dune'),
    phase: fc.constantFrom('Running', 'Running', 'Succeeded', 'Pending'),
    main: containers,
    init: containers,
    sidecar: fc.boolean(),
    deleted: fc.constantFrom(false, false, true),
    ready: fc.constantFrom('True', 'True', 'False'),
    node: fc.constantFrom('kelp-1', 'kelp-2', undefined),
    text: nasty,
    template: fc.boolean(),
  })
  .map((made) => {
    const named = (list: typeof made.main, prefix: string) => list.map((status, index) => ({ name: `${prefix}${index}`, ...status }));
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        annotations: { note: made.text, '"spec":{': '"status":{' },
        name: `p-${made.text.length}`,
        namespace: made.namespace,
        uid: 'u-1',
        ...(made.deleted ? { deletionTimestamp: '2025-08-01T01:00:00Z' } : {}),
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'p', controller: true }],
      },
      spec: {
        ...(made.template ? { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' } } } }] } : {}),
        initContainers: made.init.map((_, index) => ({
          name: `i${index}`,
          image: 'x',
          ...(made.sidecar && index === 0 ? { restartPolicy: 'Always' } : {}),
        })),
        containers: made.main.map((_, index) => ({ name: `c${index}`, image: 'y', env: [{ name: 'A', value: made.text }] })),
        ...(made.node ? { nodeName: made.node } : {}),
        restartPolicy: 'Always',
      },
      status: {
        phase: made.phase,
        conditions: [{ type: 'Ready', status: made.ready, lastTransitionTime: '2025-08-01T00:00:05Z' }],
        ...(made.init.length > 0 ? { initContainerStatuses: named(made.init, 'i') } : {}),
        ...(made.main.length > 0 ? { containerStatuses: named(made.main, 'c') } : {}),
      },
    };
  });

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

describe('readLargeJson', () => {
  it('tells of a list exactly what reading it whole tells', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(pod, { minLength: 1, maxLength: 8 }),
        indent,
        fc.constantFrom(50, 1000, 100_000),
        fc.boolean(),
        async (pods, spaces, chunk, typed) => {
          const list = typed
            ? { kind: 'PodList', apiVersion: 'v1', items: pods.map(({ metadata, spec, status }) => ({ metadata, spec, status })) }
            : { apiVersion: 'v1', items: pods, kind: 'List' };
          const streamed = new TestSink();
          const whole = new TestSink();
          const result = await readLargeJson(documentOf(JSON.stringify(list, null, spaces), chunk), streamed);
          factsOfObject(JSON.parse(JSON.stringify(list)), 'pods.json', '', whole);
          expect(result).toEqual({ objects: pods.length });
          expect(streamed.facts).toEqual(whole.facts);
          expect(streamed.edges).toEqual(whole.edges);
          expect(streamed.sayings).toEqual(whole.sayings);
          expect(streamed.coverage).toEqual(whole.coverage);
        },
      ),
      { numRuns: 150 },
    );
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
