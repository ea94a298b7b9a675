import type { Risk } from '../model/cause.ts';

/** From harmless to grave. */
export const RISKS: readonly Risk[] = ['reads-only', 'restarts-pods', 'moves-pods', 'touches-node', 'may-lose-data'];

export function isWithin(risk: Risk, allowed: Risk | undefined): boolean {
  // What may lose data is never done unattended, whatever was allowed.
  if (risk === 'may-lose-data') return false;
  return risk === 'reads-only' || (allowed !== undefined && RISKS.indexOf(risk) <= RISKS.indexOf(allowed));
}

export function gravest(risks: readonly Risk[]): Risk {
  return RISKS[Math.max(0, ...risks.map((risk) => RISKS.indexOf(risk)))] ?? 'reads-only';
}
