import { describe, expect, it } from 'vitest';
import type { Incident, Report } from '../model/report.ts';
import { about } from './about.ts';

function incident(placeId: string, ...victims: readonly [id: string, node?: string][]): Incident {
  return {
    number: 7,
    placeId,
    victims: victims.map(([id, node]) => ({ id, name: id, symptoms: [], cited: [], ...(node ? { node } : {}) })),
  } as unknown as Incident;
}

const report = {
  verdict: 'found',
  incidents: [
    incident('Node/n1', ['Pod/shop/web-6d4cf56db6-x2k4q', 'n1'], ['Pod/bar/till-0', 'n1']),
    incident('Workload/StatefulSet/bar/till', ['Pod/bar/till-0', 'n2']),
    incident('Namespace/shop'),
  ],
  undecided: [],
} as unknown as Report;

function placesOf(kind: string, name: string) {
  return about(report, { kind, name }).incidents.map(({ placeId }) => placeId);
}

describe('what a report says about one thing', () => {
  it.each([
    ['Namespace', 'shop', ['Node/n1', 'Namespace/shop']],
    ['Namespace', 'bar', ['Node/n1', 'Workload/StatefulSet/bar/till']],
    ['Pod', 'till-0', ['Node/n1', 'Workload/StatefulSet/bar/till']],
    ['Deployment', 'web', ['Node/n1']],
    ['StatefulSet', 'till', ['Node/n1', 'Workload/StatefulSet/bar/till']],
    ['Node', 'n1', ['Node/n1']],
    ['Node', 'n2', ['Workload/StatefulSet/bar/till']],
    ['Pod', 'web', []],
  ])('%s %s', (kind, name, places) => expect(placesOf(kind, name)).toEqual(places));

  it('numbers anew, counts the others, and judges by what is left', () => {
    const bar = about(report, { kind: 'StatefulSet', name: 'till' });
    expect(bar.incidents.map(({ number }) => number)).toEqual([1, 2]);
    expect(bar.elsewhere).toBe(1);
    expect(about(report, { kind: 'Pod', name: 'nobody' }).verdict).toBe('healthy');
  });
});
