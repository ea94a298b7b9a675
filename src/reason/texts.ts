import { probeTexts } from '../facts/probes.ts';
import type { Cause } from '../model/cause.ts';
import type { Change } from '../model/change.ts';
import { PHRASES, SYMPTOM_PHRASES } from './phrases.ts';

/** Every text of a cause that a report may show. */
export function textsOf(cause: Cause): string[] {
  return [
    cause.text.name,
    cause.text.title,
    cause.text.why,
    ...Object.values(cause.says),
    ...cause.fixes.flatMap((fix) => [
      fix.say,
      ...(fix.verified ? [fix.verified] : []),
      ...fix.steps.map(({ say }) => say),
      ...asked(fix.changes ?? []),
    ]),
  ];
}

/** What only the user knows is asked for in words. */
function asked(changes: readonly Change[]): string[] {
  return changes.flatMap((change) =>
    'value' in change && typeof change.value === 'object' && 'says' in change.value ? [String(change.value.says)] : [],
  );
}

/** Every text the reasoning says whatever the causes. */
export function phraseTexts(): string[] {
  return [...Object.values(PHRASES), ...Object.values(SYMPTOM_PHRASES), ...probeTexts()];
}
