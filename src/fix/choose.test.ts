import { describe, expect, it } from 'vitest';
import type { Cause } from '../model/cause.ts';
import type { Incident, Report, ReportFix } from '../model/report.ts';
import { chooseFix } from './choose.ts';

const byHand: ReportFix = { title: 'Look first', risk: 'reads-only', steps: [] };
const byTool: ReportFix = {
  title: 'Install it',
  risk: 'touches-node',
  steps: [],
  changes: [{ do: 'package', names: { debian: 'open-iscsi' }, command: 'iscsiadm' }],
};
const cause = { id: 'helper-missing', fixes: [{ risk: 'reads-only' }, { risk: 'touches-node' }] } as unknown as Cause;

function incident(number: number, change: Partial<Incident> = {}): Incident {
  return {
    number,
    cause: 'helper-missing',
    title: 'A helper is missing',
    place: 'namespace storage',
    placeId: 'Namespace/storage',
    victims: [],
    because: [],
    fixes: [byHand, byTool],
    ...change,
  } as unknown as Incident;
}

function victims(...nodes: (string | undefined)[]): Incident['victims'] {
  return nodes.map((node, index) => ({
    id: `Pod/storage/manager-${index}`,
    name: `storage/manager-${index}`,
    symptoms: [],
    cited: [],
    ...(node === undefined ? {} : { node }),
  })) as unknown as Incident['victims'];
}

const report = (...incidents: Incident[]) => ({ incidents }) as unknown as Report;

describe('chooseFix', () => {
  it('takes the first fix that podcause can make itself, or the one that is wished for', () => {
    expect(chooseFix(report(incident(1)), [cause], {})).toMatchObject({ fixNumber: 2, risk: 'touches-node' });
    expect(chooseFix(report(incident(1)), [cause], { fix: 1 })).toMatchObject({ fixNumber: 1, changes: [] });
    expect(() => chooseFix(report(incident(1)), [cause], { fix: 3 })).toThrow('there is no fix 3');
  });

  it('takes the risk from the catalogue also where the reasons chose among the fixes', () => {
    const faces = {
      id: 'helper-missing',
      fixes: [
        { risk: 'reads-only', for: ['other'] },
        { risk: 'may-lose-data', for: ['gone'] },
      ],
    };
    const seen = { because: [{ clue: 'gone' }], fixes: [byHand] } as unknown as Partial<Incident>;
    expect(chooseFix(report(incident(1, seen)), [faces as unknown as Cause], { fix: 1 })).toMatchObject({ risk: 'may-lose-data' });
  });

  it('asks which incident is meant where there are several', () => {
    expect(() => chooseFix(report(incident(1), incident(2)), [cause], {})).toThrow('--incident');
    expect(chooseFix(report(incident(1), incident(2)), [cause], { incident: 2 }).incident.number).toBe(2);
    expect(() => chooseFix(report(), [cause], {})).toThrow('nothing to fix');
  });

  it('knows the nodes of a fault that has no node of its own by its pods', () => {
    const chosen = chooseFix(report(incident(1, { victims: victims('worker-1', 'worker-2', 'worker-1', undefined) })), [cause], {});
    expect(chosen).toMatchObject({ node: 'worker-1', alike: ['worker-2'] });
  });

  it('finds the same cause on other nodes', () => {
    const on = (number: number, node: string) => incident(number, { placeId: `Node/${node}` as Incident['placeId'] });
    const chosen = chooseFix(report(on(1, 'worker-1'), on(2, 'worker-2'), on(3, 'worker-3')), [cause], { incident: 2 });
    expect(chosen).toMatchObject({ node: 'worker-2', alike: ['worker-1', 'worker-3'] });
  });

  it('takes no name for a node that a shell would read', () => {
    const chosen = chooseFix(report(incident(1, { victims: victims('a;reboot', '$(id)') })), [cause], {});
    expect(chosen.node).toBeUndefined();
    expect(chosen.alike).toEqual([]);
  });

  it('refuses what is in no catalogue', () => {
    expect(() => chooseFix(report(incident(1)), [], {})).toThrow('not in the catalogue');
  });
});
