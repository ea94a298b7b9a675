import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPages } from '../read-pages.ts';
import { TestSink } from '../test-sink.ts';
import { Decoder } from './decode.ts';
import { openEnvelope } from './envelope.ts';
import { messageOf } from './kinds.ts';
import { WireReader } from './wire.ts';

/** Answers of a real API server (1.31), each asked for twice at the same version: as JSON and as protobuf. */
interface Recorded {
  readonly name: string;
  readonly json: string;
  readonly protobuf: string;
}

const recorded = readFileSync(new URL('recorded.ndjson', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Recorded);

async function read(encoding: 'json' | 'protobuf', bytes: Buffer, namedPods: number) {
  const sink = new TestSink();
  const pages = async function* () {
    yield { encoding, bytes };
  };
  const document = { name: 'cluster/some.json', size: 0, takenAt: Date.UTC(2026, 10, 16, 0, 10), pages };
  const { objects, truncated } = await readPages(document, sink, { namedPods });
  const { facts, edges, coverage, sayings } = sink;
  return { objects, truncated, facts, edges, coverage, sayings };
}

function decoded(bytes: Buffer): unknown[] {
  const envelope = openEnvelope(bytes);
  if (typeof envelope === 'string') throw new Error(envelope);
  const { apiVersion, kind, from, end } = envelope;
  const message = messageOf(apiVersion, kind.replace(/List$/, '')) ?? [];
  const decoder = new Decoder();
  if (!kind.endsWith('List')) return [decoder.decode(bytes, from, end, message)];
  const wire = new WireReader();
  const items: unknown[] = [];
  wire.begin(bytes, from);
  while (wire.next(end)) {
    const to = wire.valueEnd(end);
    if (wire.field === 2) items.push(decoder.decode(bytes, wire.at, to, message));
    wire.at = to;
  }
  return items;
}

/** Members that the other side lacks or has otherwise, by their path. */
function strangers(part: unknown, whole: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return part === whole ? [] : [`${path}: ${String(part)}`];
  if (typeof whole !== 'object' || whole === null) return [`${path}: not there`];
  return Object.entries(part).flatMap(([key, value]) => {
    if (/\/(?:data|binaryData)$/.test(path)) return value === '' && key in whole ? [] : [`${path}/${key}: a value`];
    return strangers(value, (whole as Record<string, unknown>)[key], `${path}/${key}`);
  });
}

describe.each(recorded)('$name of a real server', ({ json, protobuf }) => {
  const bytes = Buffer.from(protobuf, 'base64');

  it.each([0, 2000])('give the same in protobuf as in JSON (%d pods named)', async (namedPods) => {
    const expected = await read('json', Buffer.from(json), namedPods);
    expect(expected.facts.length + expected.sayings.length).toBeGreaterThan(0);
    expect(await read('protobuf', bytes, namedPods)).toEqual(expected);
  });

  it('are decoded to nothing that JSON does not say', () => {
    const whole = JSON.parse(json) as { readonly items?: unknown[] };
    const objects = decoded(bytes);
    expect(objects.length).toBe(whole.items?.length ?? 1);
    expect(strangers(objects, whole.items ?? [whole], '')).toEqual([]);
  });
});

describe('ConfigMaps and Secrets', () => {
  const holders = recorded.filter(({ name }) => /^(?:configmaps?|secrets)$/.test(name));
  const VALUES = /VALUE-OF|VkFMVUUtT0Y/;

  it('hold the values that must not show', () => {
    expect(holders).toHaveLength(3);
    for (const { json, protobuf } of holders) {
      expect(json).toMatch(VALUES);
      expect(Buffer.from(protobuf, 'base64').toString('latin1')).toMatch(VALUES);
    }
  });

  it.each(holders)('show the keys of $name and no value, however they come', async ({ json, protobuf }) => {
    const bytes = Buffer.from(protobuf, 'base64');
    for (const seen of [await read('json', Buffer.from(json), 0), await read('protobuf', bytes, 0), decoded(bytes)]) {
      expect(JSON.stringify(seen)).toMatch(/color|password/);
      expect(JSON.stringify(seen)).not.toMatch(VALUES);
    }
  });
});
