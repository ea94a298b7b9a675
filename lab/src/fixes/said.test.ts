import { describe, expect, it } from 'vitest';
import { documentsOf, outcomeSaid, planSaid } from './said.ts';

const said = (stdout: string, stderr = '', code = 0) => ({ code, stdout, stderr });
const plan = { steps: [{ says: 'restart {containerd}' }], refused: [] };
const outcome = { id: 'a', outcome: 'fixed' };

describe('what podcause printed', () => {
  it('is read document by document, braces inside them notwithstanding', () => {
    const text = `${JSON.stringify(plan, null, 2)}\n${JSON.stringify(outcome, null, 2)}\n`;
    expect(documentsOf(text)).toEqual([plan, outcome]);
    expect(outcomeSaid(said(text))).toEqual(outcome);
    expect(planSaid(said(JSON.stringify(plan)))).toEqual(plan);
  });

  it('is told in its last words where it is no answer', () => {
    expect(() => outcomeSaid(said('', 'first\nthere is nobody to ask here', 2))).toThrow('there is nobody to ask here');
    expect(() => outcomeSaid(said(JSON.stringify(plan), 'nothing was changed', 2))).toThrow('nothing was changed');
    expect(() => planSaid(said(JSON.stringify(outcome)))).toThrow('no plan');
  });
});
