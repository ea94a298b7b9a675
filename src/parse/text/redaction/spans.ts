/** A stretch of one line that must not be shown. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

export interface Redacted {
  readonly text: string;
  readonly count: number;
}

export function marker(kind: string): string {
  return `‹redacted:${kind}›`;
}

/** Replaces each stretch by its marker; overlapping ones become one. */
export function applySpans(line: string, spans: readonly Span[]): Redacted {
  if (spans.length === 0) return { text: line, count: 0 };
  const sorted = spans.toSorted((left, right) => left.start - right.start || right.end - left.end);
  const pieces: string[] = [];
  let done = 0;
  let count = 0;
  for (const span of sorted) {
    if (span.start < done) {
      done = Math.max(done, span.end);
      continue;
    }
    pieces.push(line.slice(done, span.start), marker(span.kind));
    done = span.end;
    count += 1;
  }
  pieces.push(line.slice(done));
  return { text: pieces.join(''), count };
}
