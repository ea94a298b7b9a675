import type { Report } from '../../../src/model/report.ts';
import type { ExpectedIncident, Scenario } from '../scenario.ts';

export interface Judgement {
  readonly expected: string;
  readonly said: string;
  /** Certain of another cause than the one that is there, or of one that must not be said. */
  readonly surelyWrong: boolean;
  /** Empty when podcause said what it should. */
  readonly problems: readonly string[];
}

type Said = Pick<Report, 'verdict' | 'incidents' | 'failures'>;

function words(incident: ExpectedIncident): string {
  const victims = typeof incident.victims === 'number' ? String(incident.victims) : `${incident.victims.atLeast} or more`;
  return `${incident.cause} @ ${incident.place} (${incident.confidence}, ${victims})`;
}

function asExpected(incident: Said['incidents'][number]): ExpectedIncident {
  return { cause: incident.cause, place: incident.place, confidence: incident.confidence, victims: incident.victimCount };
}

export function judge(scenario: Pick<Scenario, 'expect' | 'never'>, report: Said): Judgement {
  const incidents = report.incidents.map(asExpected);
  const said = incidents.length === 0 ? report.verdict : incidents.map(words).join('; ');
  const problems = [...(scenario.expect === 'healthy' ? healthProblems(report, said) : incidentProblems(scenario.expect, incidents[0]))];
  for (const cause of scenario.never ?? []) {
    if (incidents.some((incident) => incident.cause === cause)) problems.push(`${cause} was said and must not be`);
  }
  const right = scenario.expect === 'healthy' ? undefined : scenario.expect.cause;
  const surelyWrong = incidents.slice(0, 1).some(({ cause, confidence }) => confidence === 'certain' && cause !== right);
  for (const failure of report.failures) problems.push(`the rule ${failure.cause} broke: ${failure.message}`);
  return { expected: scenario.expect === 'healthy' ? 'healthy' : words(scenario.expect), said, surelyWrong, problems };
}

function healthProblems(report: Said, said: string): readonly string[] {
  return report.verdict === 'healthy' && report.incidents.length === 0 ? [] : [`should be healthy, is ${said}`];
}

function incidentProblems(expected: ExpectedIncident, first: ExpectedIncident | undefined): readonly string[] {
  if (first === undefined) return [`${expected.cause} was not found`];
  const fields = ['cause', 'place', 'confidence'] as const;
  const wrong = fields
    .filter((field) => expected[field] !== first[field])
    .map((field) => `${field} is ${first[field]}, not ${expected[field]}`);
  return [...wrong, ...victimProblems(expected.victims, first.victims)];
}

function victimProblems(expected: ExpectedIncident['victims'], said: ExpectedIncident['victims']): readonly string[] {
  if (typeof said !== 'number') return [];
  if (typeof expected === 'number') return said === expected ? [] : [`victims are ${said}, not ${expected}`];
  return said >= expected.atLeast ? [] : [`victims are ${said}, not ${expected.atLeast} or more`];
}

/** The JSON that `-o json` printed; undefined where it is none. */
export function reportOf(text: string): Report | undefined {
  try {
    const report = JSON.parse(text) as Report;
    return Array.isArray(report.incidents) ? report : undefined;
  } catch {
    return undefined;
  }
}
