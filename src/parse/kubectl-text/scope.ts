import type { Channel, Extent } from '../../model/channel.ts';
import { CLUSTER, type EntityId, entityOf, namespaceId, podId } from '../../model/entity.ts';
import type { Context, ReadingSink } from '../../model/reading.ts';
import { type KubectlCommand, readCommand } from './command.ts';
import { kindOf } from './kinds.ts';
import { isName } from './lines.ts';

/** What command and surroundings say about a block before it is read. */
export interface Scope {
  readonly command?: KubectlCommand;
  readonly namespace?: string;
  /** The one kind the command asked for. */
  readonly kind?: string;
}

/** Readers ask once per line, and a context holds for many lines. */
const SCOPES = new WeakMap<Context, Scope>();

export function scopeOf(context: Context): Scope {
  const known = SCOPES.get(context);
  if (known) return known;
  const scope = readScope(context);
  SCOPES.set(context, scope);
  return scope;
}

function readScope(context: Context): Scope {
  const command = readCommand(context.command);
  const namespace = command?.namespace ?? context.namespace;
  const kind = command?.resources.length === 1 ? kindOf(command.resources[0]) : undefined;
  return {
    ...(command ? { command } : {}),
    ...(namespace !== undefined ? { namespace } : {}),
    ...(kind !== undefined ? { kind } : {}),
  };
}

/** The pod a describe was asked for, where its output does not say so itself. */
export function podOf(context: Context, scope: Scope): EntityId | undefined {
  if (context.pod !== undefined && isName(entityOf(context.pod).name)) return context.pod;
  const name = scope.command?.names[0];
  const asked = scope.kind === 'Pod' && scope.command?.names.length === 1;
  return asked && name !== undefined ? podId(scope.namespace, name) : undefined;
}

interface Listing {
  readonly channel: Channel;
  readonly lines: readonly [first: number, last: number];
  readonly entities: readonly EntityId[];
  /** The listing has a column for namespaces. */
  readonly allNamespaces: boolean;
  readonly elided: boolean;
  readonly clusterWide?: boolean;
  /** `excerpt` where the channel holds more than such a listing shows. */
  readonly extent?: Extent;
}

/** One entry for a whole listing; one per entity when something was left out of it. */
export function coverListing(listing: Listing, context: Context, scope: Scope, sink: ReadingSink): void {
  const { channel, lines, elided, extent = 'whole' } = listing;
  const place = { channel, doc: context.doc, lines, extent };
  if (extent === 'whole' && (elided || scope.command?.filtered)) {
    for (const about of new Set(listing.entities)) sink.cover({ ...place, about });
    return;
  }
  const cluster = listing.clusterWide || listing.allNamespaces || scope.command?.allNamespaces;
  sink.cover({ ...place, about: cluster ? CLUSTER : namespaceId(scope.namespace) });
}
