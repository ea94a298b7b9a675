import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { root } from './built-cli.ts';

export const caseNames = readdirSync(`${root}cases`).filter((name) => existsSync(`${root}cases/${name}/case.json`));

/** Written by hand, or recorded as people paste it. */
export function evidenceOf(name: string): string {
  const written = `cases/${name}/evidence`;
  return existsSync(`${root}${written}`) ? written : `cases/${name}/pasted`;
}

export function verdictOf(name: string): string {
  return JSON.parse(readFileSync(`${root}cases/${name}/case.json`, 'utf8')).verdict;
}

/** Leaves out what differs from run to run. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d+\.\d s\b/g, 'T s').replaceAll(/(milliseconds"?: )[\d.]+/g, '$1T');
}
