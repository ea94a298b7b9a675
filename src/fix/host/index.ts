export { ansiblePlaybook } from './ansible.ts';
export { askedBy } from './asked.ts';
export type { HostPlan, HostStep } from './host-step.ts';
export { journalScript, parseJournal, storedScript } from './journal.ts';
export { parseSurvey } from './parse-survey.ts';
export { planHost } from './plan-host.ts';
export { sayStep, sayUndo } from './say-step.ts';
export { hostScript } from './script.ts';
export { surveyScript } from './survey.ts';
