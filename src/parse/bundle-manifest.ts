import type { Channel } from '../model/channel.ts';
import type { Document, Missed, Unread } from '../model/document.ts';
import type { ReportSource, Touched } from '../model/report.ts';
import { clip } from './cite.ts';
import { isRecord, type JsonRecord, listOf, recordOf, textOf, timeOf } from './objects/json-value.ts';

/** What a collected bundle says about itself. */
export interface BundleManifest {
  /** How the names of its documents begin. */
  readonly root: string;
  readonly takenAt?: number;
  /** What it was collected for, where that was not the whole cluster. */
  readonly about?: Touched;
  readonly source?: ReportSource;
  /** What could not be collected. */
  readonly missing: readonly Unread[];
}

const FILE = 'manifest.json';
const LARGEST = 8 << 20;
const MOST_MISSING = 2000;
const LONGEST = 2000;

/** Reads the manifest of a bundle; undefined when the document is none. `clean` makes its words safe to show. */
export function readBundleManifest(document: Document, clean: (text: string) => string): BundleManifest | undefined {
  const { name, bytes } = document;
  if (bytes === undefined || bytes.length > LARGEST || !(name === FILE || name.endsWith(`/${FILE}`))) return undefined;
  const manifest = recordOf(parsed(bytes));
  if (manifest['podcauseBundle'] !== 1) return undefined;
  const takenAt = timeOf(manifest['takenAt']);
  return {
    root: name.slice(0, -FILE.length),
    ...(takenAt === undefined ? {} : { takenAt }),
    ...aboutOf(recordOf(manifest['about'])),
    ...sourceOf(recordOf(manifest['source']), clean),
    missing: listOf(manifest['missing'])
      .slice(0, MOST_MISSING)
      .flatMap((entry) => (isRecord(entry) ? (missingOf(entry, name, clean) ?? []) : [])),
  };
}

const KIND = /^[A-Z][A-Za-z]{1,60}$/;
const NAME = /^[a-z0-9][-a-z0-9.]{0,252}$/;

function aboutOf(about: JsonRecord): { about?: Touched } {
  const kind = textOf(about['kind']);
  const name = textOf(about['name']);
  return kind !== undefined && name !== undefined && KIND.test(kind) && NAME.test(name) ? { about: { kind, name } } : {};
}

function sourceOf(source: JsonRecord, clean: (text: string) => string): { source?: ReportSource } {
  const words = (key: string) => {
    const text = textOf(source[key]);
    return text === undefined ? {} : { [key]: clip(clean(text), 300) };
  };
  const server = textOf(source['server']);
  const takenAt = textOf(source['takenAt']);
  const requests = source['requests'];
  if (server === undefined || takenAt === undefined || timeOf(takenAt) === undefined) return {};
  if (typeof requests !== 'number' || !Number.isInteger(requests) || requests < 0) return {};
  return {
    source: { ...words('context'), server: clip(clean(server), 300), ...words('version'), ...words('namespace'), takenAt, requests },
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    );
  } catch {
    return undefined;
  }
}

function missingOf(entry: JsonRecord, doc: string, clean: (text: string) => string): Unread | undefined {
  const words = (key: string) => {
    const text = textOf(entry[key]);
    return text === undefined ? undefined : clip(clean(text.replaceAll('\n', ' ')), LONGEST);
  };
  const why = words('why');
  if (why === undefined) return undefined;
  const command = words('command');
  const missed = [entry, ...listOf(entry['missed'])].flatMap((part) => (isRecord(part) ? (missedOf(part) ?? []) : []));
  return {
    doc: words('what') ?? doc,
    why,
    ...(command === undefined ? {} : { command }),
    ...(missed.length === 0 ? {} : { missed }),
  };
}

const CHANNEL = /^[a-z]{2,20}(?:-[a-z]{2,20}){0,3}$/;
const ENTITY = /^(?:Cluster|Namespace|Node|Workload|Pod|Container|Object)\/[\w.:/?-]{1,800}$/;

function missedOf(entry: JsonRecord): Missed | undefined {
  const channel = textOf(entry['channel']);
  const about = textOf(entry['about']);
  if (channel === undefined || about === undefined || !CHANNEL.test(channel) || !ENTITY.test(about)) return undefined;
  // A channel that this version does not know is asked for by nothing, so it does no harm.
  return { channel: channel as Channel, about, extent: entry['extent'] === 'denied' ? 'denied' : 'failed' };
}
