import type { CatalogueShape } from '../catalogue.ts';

/** The frames of a plan, and of how a fix ended. */
export const enPlan = {
  'plan.risk': 'risk: {risk}',
  'plan.cannot': 'cannot',
  'plan.careful': 'careful',
  'plan.belongs': 'belongs',
  'plan.undo': 'undo: {undo}',
  'plan.byHand': 'by hand',
  'plan.proof': 'proof',
  'plan.exact': 'exactly',
  'plan.do': 'do it',
  'plan.shownOnly': 'Nothing was changed.',
  'plan.steps': 'steps',
  'plan.changed': 'changed',
  'plan.back': 'undo',
  'outcome.fixed': 'fixed',
  'outcome.not-fixed': 'not fixed',
  'outcome.unknown': 'not known',
  'outcome.rolled-back': 'rolled back',
  'outcome.refused': 'refused',
  'outcome.stopped': 'stopped',
  'outcome.undone': 'undone',
} as const satisfies CatalogueShape;
