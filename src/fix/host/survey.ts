import type { Asked } from './asked.ts';
import { shellText } from './shell/base.ts';
import { HEAD } from './shell/survey-base.ts';
import { FACTS, QUESTIONS } from './shell/survey-facts.ts';
import { quote } from './shell.ts';
import { sysctlPath } from './valid.ts';

/** A POSIX script that prints what `parseSurvey` reads. */
export function surveyScript(asked: Asked): string {
  const lines = [
    ...asked.commands.map((name) => `if has ${quote(name)}; then printf 'command %s\\n' ${quote(name)}; fi`),
    ...asked.units.map((unit) => `ask_unit ${quote(unit)}`),
    ...(asked.packages ?? []).map((name) => `ask_package ${quote(name)}`),
    ...(asked.profiles ?? []).map((name) => `ask_profile ${quote(name)}`),
    ...asked.sysctls.map((key) => `ask_sysctl ${quote(key)} ${quote(sysctlPath(key))}`),
    ...asked.files.map((path) => `show_file ${quote(path)}`),
    ...(asked.daemons ?? []).map((daemon) => `show_file "$${daemon}_config"`),
  ];
  return `${shellText(HEAD + FACTS + QUESTIONS)}\n${lines.join('\n')}\nprintf 'end\\n'\n}\nsurvey\n`;
}
