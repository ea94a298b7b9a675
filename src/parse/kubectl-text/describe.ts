import type { BlockReader, Context, ReadingSink } from '../../model/reading.ts';
import { emitNode, NODE_KEYS } from './describe-node.ts';
import { emitOther } from './describe-other.ts';
import { emitPod } from './describe-pod-facts.ts';
import { readPodLines } from './describe-pod-lines.ts';
import { readDescription } from './describe-sections.ts';
import { kindDescribedAt } from './describe-start.ts';
import { viewFrom } from './lines.ts';
import { scopeOf } from './scope.ts';

function readPod(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const scope = scopeOf(context);
  if (kindDescribedAt(view, from, scope) !== 'Pod') return from;
  const draft = readPodLines(view, from);
  if (draft.next > from) emitPod(draft, lines, context, scope, sink);
  return draft.next;
}

function readNode(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const scope = scopeOf(context);
  if (kindDescribedAt(view, from, scope) !== 'Node') return from;
  const description = readDescription(view, from, NODE_KEYS);
  if (description.next > from) emitNode(description, lines, context, scope, sink);
  return description.next;
}

function readOther(lines: readonly string[], from: number, context: Context, sink: ReadingSink): number {
  const view = viewFrom(lines, from);
  const scope = scopeOf(context);
  const kind = kindDescribedAt(view, from, scope);
  if (kind === undefined || kind === 'Pod' || kind === 'Node') return from;
  const description = readDescription(view, from);
  // Of an object whose kind nobody knows, only its events tell something.
  if ((kind !== 'Object' || description.events) && description.next > from) emitOther(kind, description, lines, context, scope, sink);
  return description.next;
}

export const describePodReader: BlockReader = { what: 'kubectl describe pod', read: readPod };
export const describeNodeReader: BlockReader = { what: 'kubectl describe node', read: readNode };
export const describeOtherReader: BlockReader = { what: 'kubectl describe', read: readOther };
