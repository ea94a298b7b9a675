import { createHash } from 'node:crypto';
import type { Incident, Report, ReportFix } from '../model/report.ts';
import { BadChange, checkChanges } from './check-changes.ts';

export class BadReport extends Error {
  override readonly name = 'BadReport';
}

/** A report as `podcause -o json` wrote it; what a fix rests on is checked, since a file may have been written by anybody. */
export function readSavedReport(text: string): Report {
  const report = parsed(text) as Partial<Report> | null;
  if (typeof report !== 'object' || report === null || report.tool?.name !== 'podcause' || !Array.isArray(report.incidents)) {
    throw new BadReport('this is no report of podcause; one is written by: podcause -o json > report.json');
  }
  for (const incident of report.incidents) checkIncident(incident);
  return report as Report;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function checkIncident(incident: Partial<Incident> | null): void {
  const whole =
    typeof incident?.number === 'number' &&
    [incident.cause, incident.place, incident.placeId, incident.title].every((one) => typeof one === 'string') &&
    Array.isArray(incident.victims) &&
    incident.victims.every((victim) => typeof victim?.id === 'string' && typeof victim.name === 'string') &&
    Array.isArray(incident.because) &&
    incident.because.every((reason) => typeof reason?.clue === 'string') &&
    Array.isArray(incident.fixes);
  if (!whole) throw new BadReport('the report is damaged: an incident lacks its parts.');
  for (const fix of incident.fixes ?? []) checkFix(fix);
}

function checkFix(fix: Partial<ReportFix> | null): void {
  if (typeof fix?.title !== 'string' || typeof fix.risk !== 'string' || !Array.isArray(fix.steps)) {
    throw new BadReport('the report is damaged: a fix lacks its parts.');
  }
  if (fix.changes === undefined) return;
  try {
    checkChanges(fix.changes);
  } catch (error) {
    if (error instanceof BadChange) throw new BadReport(`the report holds a change that podcause never wrote: ${error.message}`);
    throw error;
  }
}

/** Names a report in journals and audits. */
export function reportIdOf({ source, incidents }: Report): string {
  const told = JSON.stringify([source?.server, source?.takenAt, incidents.map(({ cause, placeId }) => [cause, placeId])]);
  return createHash('sha256').update(told).digest('hex').slice(0, 12);
}
