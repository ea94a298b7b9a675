import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Document, Page } from '../../model/document.ts';
import { readObject } from './object-facts.ts';
import { ObjectReading, type ReadingOptions } from './object-reading.ts';
import { encode, envelope, POD, page } from './protobuf/testing-encoder.ts';
import { readPages } from './read-pages.ts';
import { type AnyPod, anyPod } from './test-pods.ts';
import { TestSink } from './test-sink.ts';

const NOW = Date.UTC(2025, 8, 1);

function documentOf(...pages: readonly Page[]): Document {
  return {
    name: 'cluster/pods.json',
    size: 0,
    takenAt: NOW,
    pages: async function* () {
      yield* pages;
    },
  };
}

async function read(pages: readonly Page[], options: ReadingOptions = {}) {
  const sink = new TestSink();
  const result = await readPages(documentOf(...pages), sink, options);
  return { sink, result };
}

function told({ facts, edges, sayings, coverage }: TestSink) {
  return { facts, edges, sayings, coverage };
}

/** As the server has it: restarts are always counted, and times have no fractions. */
function listed({ metadata, spec, status }: AnyPod): AnyPod {
  return JSON.parse(JSON.stringify({ metadata, spec, status }), (key, value: unknown) => {
    if (/^(?:initC|c)ontainerStatuses$/.test(key)) return (value as object[]).map((one) => ({ restartCount: 0, ...one }));
    return typeof value === 'string' && /Time(?:stamp)?$/.test(key) ? value.replace('.5Z', 'Z') : value;
  }) as AnyPod;
}

function jsonPage(pods: readonly AnyPod[], continues = ''): Page {
  const metadata = continues === '' ? { resourceVersion: '4711' } : { resourceVersion: '4711', continue: continues };
  const list = { kind: 'PodList', apiVersion: 'v1', metadata, items: pods };
  return { encoding: 'json', bytes: Buffer.from(JSON.stringify(list)) };
}

function protobufPage(pods: readonly AnyPod[], continues = ''): Page {
  const items = pods.map((pod) => encode(pod as unknown as Record<string, unknown>, POD));
  return { encoding: 'protobuf', bytes: page('PodList', 'v1', items, continues) };
}

/** Cuts a list into pages at these places. */
function paged<T>(all: readonly T[], cuts: readonly number[]): (readonly T[])[] {
  const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).sort((a, b) => a - b), all.length];
  return places.slice(1).map((end, index) => all.slice(places[index] ?? 0, end));
}

const options = fc.record({ namedPods: fc.constantFrom(0, 0, 2, 2000), namespace: fc.constantFrom('reef', 'shoal') });
const cutting = fc.array(fc.nat(9), { maxLength: 3 });
const pods = fc.array(anyPod.map(listed), { maxLength: 8 });

/** Empty fields after the list, without which it is whole all the same. */
const ENVELOPE_TAIL = 4;

describe('readPages', () => {
  it('tells of pages in protobuf, JSON or both what one whole list tells', async () => {
    await fc.assert(
      fc.asyncProperty(pods, cutting, fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), options, async (all, cuts, kinds, given) => {
        const parts = paged(all, cuts);
        const pages = parts.map((part, index) => {
          const more = index + 1 < parts.length ? 'token' : '';
          return kinds[index] ? protobufPage(part, more) : jsonPage(part, more);
        });
        const whole = new TestSink();
        const reading = new ObjectReading('cluster/pods.json', whole, { ...given, now: NOW });
        readObject(reading, { kind: 'PodList', apiVersion: 'v1', items: all }, '');
        reading.finish();
        const { sink, result } = await read(pages, given);
        expect(told(sink)).toEqual(told(whole));
        expect(result).toEqual({ objects: all.length, bytes: pages.reduce((sum, { bytes }) => sum + bytes.length, 0) });
      }),
      { numRuns: 200 },
    );
  });

  it('survives any damage and says what is missing', async () => {
    const damage = fc.array(fc.tuple(fc.nat(20_000), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pods, damage, fc.nat(20_000), fc.boolean(), options, async (all, changes, end, cut, given) => {
        const { encoding, bytes } = protobufPage(all);
        const whole = Buffer.from(bytes);
        for (const [at, value] of changes) whole[at % whole.length] = value;
        const cutAt = end % (whole.length - ENVELOPE_TAIL);
        const { result } = await read([{ encoding, bytes: cut ? whole.subarray(0, cutAt) : whole }], given);
        expect(result.objects).toBeLessThanOrEqual(all.length + 40);
        // A changed length may by chance end just where the page was cut: only a page that is merely cut must be noticed.
        expect((await read([{ encoding, bytes: bytes.subarray(0, cutAt) }], given)).result.truncated).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the items before a cut and calls what it read an excerpt', async () => {
    const many = Array.from({ length: 40 }, (_, index) => sickPod(`p${index}`));
    const { bytes } = protobufPage(many);
    const { sink, result } = await read([{ encoding: 'protobuf', bytes: bytes.subarray(0, -60) }]);
    expect(result.truncated).toBe('page 1 ends inside the list, after 39 items');
    expect(sink.all('pod.status')).toHaveLength(39);
    expect(sink.coverage.map((entry) => [entry.about, entry.extent])).toEqual([
      ['Namespace/reef', 'excerpt'],
      ['Namespace/reef', 'excerpt'],
    ]);
  });

  it('notes a list that goes on, and pages that cannot be had', async () => {
    const first = await read([protobufPage([sickPod('a')], 'token')]);
    expect(first.result.truncated).toBe('the list goes on after 1 items');
    expect((await read([jsonPage([sickPod('a')], 'token')])).result.truncated).toBe('the list goes on after 1 items');
    const sink = new TestSink();
    const document = {
      ...documentOf(),
      pages: async function* () {
        yield protobufPage([sickPod('a')], 'token');
        throw new Error('the server went away');
      },
    };
    expect((await readPages(document, sink)).truncated).toBe('the server went away');
    expect(sink.all('pod.status')).toHaveLength(1);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'page 1 is no Kubernetes protobuf'],
    ['something else', Buffer.from('<html>busy</html>'), 'page 1 is no Kubernetes protobuf'],
    ['only the mark', Buffer.from('k8s\0'), 'page 1 ends before it says what it is'],
    [
      'an unknown kind',
      envelope('TideList', 'sea.example/v1', Buffer.alloc(0)),
      'page 1 is a TideList of sea.example/v1, which is not read in protobuf',
    ],
    [
      'a length beyond all',
      Buffer.concat([Buffer.from('k8s\0'), Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f])]),
      'page 1 ends before it says what it is',
    ],
  ])('says what is wrong with %s', async (_, bytes, why) => {
    expect((await read([{ encoding: 'protobuf', bytes }])).result).toEqual({ objects: 0, bytes: bytes.length, truncated: why });
  });

  it('goes on after a page that is broken, with the items counted so far', async () => {
    const broken: Page = { encoding: 'json', bytes: Buffer.from('{"kind":"PodList","apiVersion":"v1","items":[{"metadata":') };
    const { sink, result } = await read([protobufPage([sickPod('a')]), broken, protobufPage([sickPod('b')])]);
    expect(result.truncated).toBe('page 2 ends inside the list, after 1 items');
    expect(sink.all('pod.status').map(({ cited }) => cited[0]?.at)).toMatchObject([
      { pointer: '/items/0/status' },
      { pointer: '/items/1/status' },
    ]);
  });
});

function sickPod(name: string): AnyPod {
  return { metadata: { name, namespace: 'reef' }, spec: { containers: [{ name: 'c', image: 'x' }] }, status: { phase: 'Pending' } };
}
