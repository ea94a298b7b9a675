import type { Channel, Extent } from '../../model/channel.ts';
import { CLUSTER, type EntityId, namespaceId } from '../../model/entity.ts';
import type { ReadingSink } from '../../model/reading.ts';

/** Lists up to this long are covered object by object: a short list is often a selection. */
const NAMED = 20;
const SELECTED = 1000;

interface ListScope {
  readonly selected?: boolean;
  readonly complete?: boolean;
}

interface Seen {
  readonly names: Set<EntityId>;
  readonly namespaces: Set<string>;
  /** Not part of a list: covered by name. */
  readonly single: Map<EntityId, Extent>;
}

/** Remembers what a document showed, to say at its end where was looked. */
export class Lookout {
  private readonly channels = new Map<Channel, Seen>();

  listed(channel: Channel, about: EntityId, namespace: string | undefined): void {
    const seen = this.seenOn(channel);
    if (seen.names.size < SELECTED) seen.names.add(about);
    if (seen.namespaces.size < 2) seen.namespaces.add(namespace ?? '');
  }

  single(channel: Channel, about: EntityId, namespace: string | undefined, extent: Extent): void {
    const seen = this.seenOn(channel);
    if (seen.single.size < SELECTED) seen.single.set(about, extent);
    else this.listed(channel, about, namespace);
  }

  report(doc: string, sink: ReadingSink, options: ListScope, whole: boolean): void {
    for (const [channel, seen] of this.channels) {
      for (const [about, extent] of seen.single) sink.cover({ channel, about, extent, doc });
      if (seen.names.size > 0) coverList(channel, seen, options, whole, doc, sink);
    }
    this.channels.clear();
  }

  private seenOn(channel: Channel): Seen {
    const known = this.channels.get(channel);
    if (known) return known;
    const seen: Seen = { names: new Set(), namespaces: new Set(), single: new Map() };
    this.channels.set(channel, seen);
    return seen;
  }
}

function coverList(channel: Channel, seen: Seen, options: ListScope, whole: boolean, doc: string, sink: ReadingSink): void {
  const { selected = false } = options;
  if (seen.names.size <= namedUpTo(channel, options)) {
    for (const about of seen.names) if (belongsTo(channel, about)) sink.cover({ channel, about, extent: 'whole', doc });
    return;
  }
  const [namespace] = seen.namespaces;
  const about = seen.namespaces.size > 1 || !namespace ? CLUSTER : namespaceId(namespace);
  sink.cover({ channel, about, extent: whole && !selected ? 'whole' : 'excerpt', doc });
}

function namedUpTo(channel: Channel, { selected, complete }: ListScope): number {
  if (selected) return SELECTED - 1;
  if (complete) return 0;
  return channel.endsWith('-events') ? 1 : NAMED;
}

/** An event list speaks for every kind of object; by name only for those it holds. */
function belongsTo(channel: Channel, about: EntityId): boolean {
  if (channel === 'pod-events') return about.startsWith('Pod/');
  if (channel === 'node-events') return about.startsWith('Node/');
  if (channel === 'object-events') return !about.startsWith('Pod/') && !about.startsWith('Node/');
  return true;
}
