const TRIES = 8;

interface Refused {
  until: number;
  tries: number;
}

/**
 * Remembers blocks that turned out to be nothing of ours. Each line inside such a block may look like a start again;
 * a few are tried, then the rest of it is let pass, so that nested look-alikes stay linear.
 */
export class Refusals {
  private readonly known = new WeakMap<readonly string[], Refused>();

  isHopeless(lines: readonly string[], from: number): boolean {
    const refused = this.known.get(lines);
    return refused !== undefined && from < refused.until && refused.tries >= TRIES;
  }

  add(lines: readonly string[], from: number, end: number): void {
    const refused = this.known.get(lines);
    if (!refused || from >= refused.until) {
      this.known.set(lines, { until: end, tries: 1 });
      return;
    }
    refused.tries++;
    refused.until = Math.max(refused.until, end);
  }
}
