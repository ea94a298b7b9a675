import { nodeId } from '../../model/entity.ts';
import type { FactKinds } from '../../model/fact-kinds.ts';
import type { BlockReader } from '../../model/reading.ts';
import { cite, cover, insideContainer, scopeOf } from './scope.ts';
import { commandIs, isBoundary } from './text.ts';

type Health = FactKinds['kubelet.health'];

/** Asked of one kubelet: through the API server, or on the node at its health or main port. */
const ASKED = /\/nodes\/[^/\s]{1,253}\/proxy\/healthz\b|\b(?:localhost|127\.0\.0\.1):(?:10248|10250)\/healthz\b/;
const THROUGH_API = /\/nodes\/(?<node>[a-z0-9.-]{1,253})\/proxy\/healthz\b/;
const FAILING = /\[-\](?<check>[\w./-]{1,60}) failed/;
const MOST_LINES = 60;

/** The answer of a kubelet asked for its health; without the command nobody could say whose health it is. */
export const kubeletHealthReader: BlockReader = {
  what: 'health of a kubelet',
  read(lines, from, context, sink) {
    if (!commandIs(context, ASKED) || insideContainer(context)) return from;
    let end = from;
    const failing: string[] = [];
    let health: Health | undefined;
    let proof = from;
    while (end < lines.length && end < from + MOST_LINES && !isBoundary(lines[end] ?? '')) {
      const line = (lines[end] ?? '').slice(0, 2000).trim();
      const check = FAILING.exec(line)?.groups?.['check'];
      if (check !== undefined) failing.push(check);
      const told = check !== undefined ? ({ answer: 'unwell' } as const) : answerOf(line);
      if (told && health?.answer !== 'unwell') {
        health = told;
        proof = end;
      }
      end++;
    }
    if (!health) return from;
    const node = THROUGH_API.exec(context.command ?? '')?.groups?.['node'];
    const scope = scopeOf(lines, context, sink, node === undefined ? undefined : nodeId(node));
    sink.fact(
      'kubelet.health',
      scope.node,
      { ...health, ...(failing.length > 0 ? { failing: failing.join(', ') } : {}) },
      cite(scope, proof),
    );
    cover(scope, 'kubelet-health', 'whole', from, end);
    return end;
  },
};

function answerOf(line: string): Health | undefined {
  if (line === 'ok' || line === 'healthz check passed') return { answer: 'well' };
  if (/healthz check failed/.test(line)) return { answer: 'unwell' };
  if (/connection refused|Failed to connect to (?:localhost|127\.0\.0\.1)/.test(line)) return { answer: 'refused' };
  if (/i\/o timeout|context deadline exceeded|no route to host|timed out|network is unreachable|no such host/i.test(line))
    return { answer: 'no-answer' };
  return undefined;
}
