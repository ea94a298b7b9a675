import type { Evidence } from '../model/evidence.ts';
import type { Fact } from '../model/facts.ts';
import type { ReadingSink } from '../model/reading.ts';
import { readError } from './scan/errors.ts';
import type { Scanner } from './scan/scanner.ts';

export function createEvidenceSink(scanner: Scanner): ReadingSink & { evidence: Evidence } {
  const evidence: Evidence = { facts: [], edges: [], coverage: [], pieces: [], unrecognised: [], unread: [] };
  const merged = new Map<string, { count: number; cited: unknown[] }>();
  return {
    evidence,
    fact(kind, about, payload, cited, more) {
      evidence.facts.push({ kind, about, ...payload, cited: [cited], ...more } as unknown as Fact);
    },
    edge: (edge) => void evidence.edges.push(edge),
    cover: (c) => void evidence.coverage.push(c),
    piece: (p) => void evidence.pieces.push(p),
    said({ channel, about, text, cited, when, count = 1, level, component = '?', last = false, hearsay }) {
      const h = hearsay ? { hearsay } : {};
      const w = when !== undefined ? { when } : {};
      for (const { spec, fields } of scanner.match(text)) {
        const key = JSON.stringify([spec.id, about, channel, fields]);
        const known = merged.get(key);
        if (known) { known.count += count; if (known.cited.length < 8) known.cited.push(cited); continue; }
        const fact = { kind: 'log.signature', about, line: spec.id, channel, fields, count, cited: [cited], ...h, ...w };
        merged.set(key, fact);
        evidence.facts.push(fact as unknown as Fact);
      }
      const error = level === 'info' ? undefined : readError(text, level, component);
      if (!error || error.level === 'info' as string) return;
      const key = JSON.stringify([about, component, error.innermost]);
      const known = merged.get(key);
      if (known) { known.count += count; return; }
      const fact = { kind: 'log.error', about, level: error.level, component, message: error.message, innermost: error.innermost, count, last, channel, ownVoice: channel === 'container-log', cited: [cited], ...h, ...w };
      merged.set(key, fact as never);
      evidence.facts.push(fact as unknown as Fact);
    },
  };
}
