import type { Channel } from '../../src/model/channel.ts';
import type { Citation } from '../../src/model/citation.ts';
import { podId } from '../../src/model/entity.ts';
import type { Symptom } from '../../src/model/facts.ts';
import { type Ask, type Incident, REPORT_VERSION, type Reason, type Report, type Victim } from '../../src/model/report.ts';

export function cite(doc: string, first: number, quote: string, last = first): Citation {
  return { doc, at: { lines: [first, last] }, quote };
}

export function point(doc: string, pointer: string, quote: string): Citation {
  return { doc, at: { pointer }, quote };
}

export function reason(clue: string, role: Reason['role'], says: string, cited: readonly Citation[], count = cited.length): Reason {
  return { clue, role, says, cited, count };
}

export function told(of: Reason): Reason {
  return { ...of, hearsay: true };
}

export function victim(namespace: string, name: string, symptom: Symptom, cited: readonly Citation[], more: Partial<Victim> = {}): Victim {
  return { id: podId(namespace, name), name: `${namespace}/${name}`, symptoms: [symptom], cited, ...more };
}

export function ask(tells: string, command: string, where: string, channel: Channel, settles: readonly string[]): Ask {
  return { tells, command, where, channel, settles };
}

export function incident(
  given: Partial<Incident> & Pick<Incident, 'number' | 'cause' | 'title' | 'place' | 'placeId' | 'confidence'>,
): Incident {
  return {
    area: 'app',
    why: '',
    chain: [],
    victims: [],
    victimCount: given.victims?.length ?? 0,
    because: [],
    not: [],
    rivals: [],
    fixes: [],
    asks: [],
    timeline: [],
    ...given,
  };
}

export function report(given: Partial<Report> & Pick<Report, 'verdict'>): Report {
  return {
    version: REPORT_VERSION,
    tool: { name: 'podcause', version: '0.1.0' },
    incidents: [],
    undecided: [],
    ruledOut: [],
    history: [],
    excerpts: [],
    failures: [],
    timings: { milliseconds: 84, lookups: 912, facts: 131 },
    ...given,
    coverage: {
      documents: 0,
      lines: 0,
      bytes: 0,
      looked: [],
      pieces: [],
      unrecognised: [],
      unread: [],
      pods: 0,
      nodes: 0,
      redactions: 0,
      ...given.coverage,
    },
  };
}
