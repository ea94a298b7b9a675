import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../src/model/report.ts';
import type { ExpectedIncident } from '../scenario.ts';
import { judge, reportOf } from './judge.ts';

const expected: ExpectedIncident = { cause: 'cni-binary-missing', place: 'node worker-a', confidence: 'certain', victims: 2 };

function incident(change: Partial<Incident> = {}): Incident {
  return { cause: 'cni-binary-missing', place: 'node worker-a', confidence: 'certain', victimCount: 2, ...change } as Incident;
}

const found = (...incidents: Incident[]) => ({ verdict: 'found' as const, incidents, failures: [] });
const healthy = { verdict: 'healthy' as const, incidents: [], failures: [] };

describe('judge', () => {
  it('is content with the expected incident first, whatever follows', () => {
    const judged = judge({ expect: expected }, found(incident(), incident({ cause: 'other' })));
    expect(judged.problems).toEqual([]);
    expect(judged.expected).toBe('cni-binary-missing @ node worker-a (certain, 2)');
  });

  it.each([
    [{ cause: 'cni-not-initialised' }, 'cause is cni-not-initialised, not cni-binary-missing'],
    [{ place: 'node worker-b' }, 'place is node worker-b, not node worker-a'],
    [{ confidence: 'possible' as const }, 'confidence is possible, not certain'],
    [{ victimCount: 3 }, 'victims are 3, not 2'],
  ])('names what differs: %j', (change, problem) => {
    expect(judge({ expect: expected }, found(incident(change))).problems).toEqual([problem]);
  });

  it('misses the incident that comes second', () => {
    expect(judge({ expect: expected }, found(incident({ cause: 'other' }), incident())).problems).toHaveLength(1);
  });

  it('bounds victims from below where their number is open', () => {
    const open = { ...expected, victims: { atLeast: 3 } };
    expect(judge({ expect: open }, found(incident())).problems).toEqual(['victims are 2, not 3 or more']);
    expect(judge({ expect: open }, found(incident({ victimCount: 9 }))).problems).toEqual([]);
  });

  it('refuses forbidden causes in any place, and rules that broke', () => {
    const report = { ...found(incident(), incident({ cause: 'oom-container-limit' })), failures: [{ cause: 'x', message: 'boom' }] };
    expect(judge({ expect: expected, never: ['oom-container-limit'] }, report).problems).toEqual([
      'oom-container-limit was said and must not be',
      'the rule x broke: boom',
    ]);
  });

  it('takes healthy for healthy only', () => {
    expect(judge({ expect: 'healthy' }, healthy).problems).toEqual([]);
    expect(judge({ expect: 'healthy' }, { ...healthy, verdict: 'undecided' }).problems).toEqual(['should be healthy, is undecided']);
    expect(judge({ expect: 'healthy' }, found(incident())).problems).toHaveLength(1);
    expect(judge({ expect: expected }, healthy).problems).toEqual(['cni-binary-missing was not found']);
  });
});

describe('reportOf', () => {
  it.each(['', 'podcause: no cluster', '{"a":1}', '{"incidents":['])('takes %j for no report', (text) => {
    expect(reportOf(text)).toBeUndefined();
  });
});
