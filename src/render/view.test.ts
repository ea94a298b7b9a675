import { describe, expect, it } from 'vitest';
import { incident, report, victim } from '../../test/samples/build.ts';
import { cgroupReport, healthyReport, severalReport, undecidedReport } from '../../test/samples/reports.ts';
import { text } from '../text/messages.ts';
import { render } from './index.ts';
import { effects, emptyVerdict, stepGroups, summaryParts, whereAndWhat } from './view.ts';

const OOM = victim('shop', 'api-0', 'oom', []);
const PENDING = victim('shop', 'api-1', 'pending', []);

describe('the summary', () => {
  it('names the node only where everything is on it', () => {
    expect(summaryParts(cgroupReport, text)).toEqual(['1 cause', '3 pods', 'node worker-2']);
    expect(summaryParts(severalReport, text)).toEqual(['5 causes', '33 pods', '1 not known yet']);
    expect(summaryParts(undecidedReport, text)).toEqual(['not known yet', '2 pods', 'node worker-3']);
  });

  it('does not call nodes pods', () => {
    const node = { id: 'Node/worker-1', name: 'node worker-1', symptoms: ['node-not-ready' as const], cited: [] };
    const given = incident({
      number: 1,
      cause: 'x',
      title: 'x',
      place: 'the cluster',
      placeId: 'Cluster/-',
      confidence: 'possible',
      victims: [node],
    });
    expect(summaryParts(report({ verdict: 'found', incidents: [given] }), text)).toEqual(['1 cause', '1 node']);
    expect(summaryParts(report({ verdict: 'found', incidents: [{ ...given, victims: [node, OOM], victimCount: 2 }] }), text)).toEqual([
      '1 cause',
      '2 things hit',
    ]);
  });

  it('claims health only where the report does', () => {
    expect(emptyVerdict(healthyReport, text)).toBe('nothing is wrong with 42 pods and 3 nodes');
    expect(emptyVerdict({ ...healthyReport, verdict: 'undecided' }, text)).toMatch(/^not known/);
    expect(emptyVerdict(report({ verdict: 'undecided' }), text)).toMatch(/no evidence/);
  });
});

describe('effects', () => {
  it('counts by symptom', () => {
    expect(effects({ victims: [OOM, OOM, PENDING], victimCount: 3 }, text)).toBe('2 pods are killed for memory and 1 pod gets no node');
  });

  it('names a single victim', () => {
    expect(effects({ victims: [{ ...OOM, detail: 'exit code 137' }], victimCount: 1 }, text)).toBe(
      'shop/api-0 is killed for memory, exit code 137',
    );
  });

  it('claims of unlisted victims only what all listed ones show', () => {
    expect(effects({ victims: [OOM, OOM], victimCount: 40 }, text)).toBe('40 pods are killed for memory');
    expect(effects({ victims: [OOM, PENDING], victimCount: 40 }, text)).toBe('40 pods');
    expect(effects({ victims: [OOM, { ...PENDING, symptoms: [] }], victimCount: 2 }, text)).toBe('1 pod is killed for memory');
    expect(effects({ victims: [], victimCount: 0 }, text)).toBe('');
    expect(effects({ victims: [{ ...OOM, symptoms: [] }], victimCount: 1 }, text)).toBe('');
  });

  it('names a victim once that is also the place', () => {
    const given = incident({
      number: 1,
      cause: 'x',
      title: 'x',
      place: 'pod shop/api-0',
      placeId: OOM.id,
      confidence: 'possible',
      victims: [OOM],
    });
    expect(whereAndWhat(given, text)).toEqual(['pod shop/api-0 is killed for memory']);
  });
});

describe('stepGroups', () => {
  it('joins steps that differ by family only', () => {
    const groups = stepGroups({
      title: 'x',
      risk: 'touches-node',
      steps: [
        { say: 'install', command: 'apt', family: 'debian' },
        { say: 'install', command: 'dnf', family: 'rhel' },
        { say: 'start', command: 'rc-service', family: 'alpine' },
        { say: 'wait' },
      ],
    });
    expect(groups.map(({ say, variants }) => [say, variants.length])).toEqual([
      ['install', 2],
      ['start', 1],
      ['wait', 0],
    ]);
  });
});

describe('other findings of an incident', () => {
  const rival = (title: string, confidence: 'certain' | 'possible') => ({
    cause: 'x',
    title,
    place: 'node worker-1',
    placeId: 'Node/worker-1',
    confidence,
    because: [],
  });
  const given = incident({
    number: 1,
    cause: 'y',
    title: 'The answer',
    place: 'node worker-1',
    placeId: 'Node/worker-1',
    confidence: 'certain',
    victims: [OOM],
    rivals: [rival('A reboot', 'certain'), rival('A slow disk', 'possible')],
  });

  it.each(['terminal', 'markdown', 'html'] as const)('are told as true too where they are certain, not as an alternative: %s', (format) => {
    const page = render(report({ verdict: 'found', incidents: [given] }), format);
    const also = page.search(/^ *also\b|Also true/m);
    const or = page.search(/^ *or\b|Or it could be|It could also be/m);
    expect(also).toBeGreaterThan(0);
    expect(page.indexOf('A reboot', also)).toBeLessThan(or);
    expect(page.indexOf('A slow disk', or)).toBeGreaterThan(or);
  });
});
