import type { Channel, Extent } from '../../model/channel.ts';
import type { Citation } from '../../model/citation.ts';
import { type EntityId, nodeId, THIS_NODE } from '../../model/entity.ts';
import type { Context, ReadingSink, Saying } from '../../model/reading.ts';
import { citeLines } from '../cite.ts';

/** What every host reader carries along: the text, where facts go, and the node they are about. */
export interface Scope {
  readonly lines: readonly string[];
  readonly context: Context;
  readonly sink: ReadingSink;
  readonly node: EntityId;
}

export function scopeOf(lines: readonly string[], context: Context, sink: ReadingSink, node?: EntityId): Scope {
  return { lines, context, sink, node: node ?? context.node ?? THIS_NODE };
}

const QUOTED_LINES = 8;

/** Cites lines by index, `last` included; a few lines are quoted as one. */
export function cite(scope: Scope, first: number, last = first): Citation {
  const quoted = scope.lines.slice(first, Math.min(last, first + QUOTED_LINES - 1) + 1).map((line) => line.slice(0, 1000).trim());
  return citeLines(scope.context.doc, scope.lines, first, last, quoted.join(' '));
}

/** `first` and `end` are indexes, `end` is the one after the last line. */
export function cover(scope: Scope, channel: Channel, extent: Extent, first: number, end: number, about = scope.node): void {
  scope.sink.cover({ channel, about, extent, doc: scope.context.doc, lines: [first + 1, Math.max(first + 1, end)] });
}

export function say(scope: Scope, channel: Channel, text: string, line: number, more: Partial<Saying> = {}): void {
  const said = text.trim();
  if (said) scope.sink.said({ channel, about: scope.node, text: said, cited: cite(scope, line), ...more });
}

const HOST_NAME = /^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/;

/** The node a text names; the one from the prompt stays when both are the same host, written short or in full. */
export function namedNode(context: Context, name: string | undefined): EntityId {
  const known = context.node ?? THIS_NODE;
  if (!name || name === 'localhost' || name.startsWith('localhost.') || !HOST_NAME.test(name)) return known;
  if (context.pod || context.container) return known;
  const short = (full: string) => full.split('.')[0];
  return context.node && short(context.node.slice('Node/'.length)) === short(name) ? context.node : nodeId(name);
}

/** True when the text is what a program inside a container printed, not the host. */
export function insideContainer(context: Context): boolean {
  if (context.pod || context.container || context.channel === 'container-log') return true;
  return (
    context.command !== undefined &&
    /\b(?:kubectl|docker|crictl|nerdctl)\s(?:.{0,200}\s)?(?:exec|logs|attach)\b/.test(context.command.slice(0, 400))
  );
}
