import { createInterface } from 'node:readline/promises';
import { isWithin } from '../fix/risk.ts';
import type { Risk } from '../model/cause.ts';
import { UsageError } from './errors.ts';

/** Asks a person; where there is none, says which flag would allow it. */
export async function consent(question: string, risk: Risk, allowed: Risk | undefined): Promise<boolean> {
  if (isWithin(risk, allowed)) return true;
  if (!process.stdin.isTTY) {
    const how = risk === 'may-lose-data' ? 'What may lose data is never done unattended.' : `Allow it with --yes=${risk}.`;
    throw new UsageError(`${question}: there is nobody to ask here.\n  ${how}`);
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Data that is gone does not come back: a habitual y must not be enough.
    const wanted = risk === 'may-lose-data' ? 'may lose data' : 'y';
    const hint = risk === 'may-lose-data' ? '[type: may lose data]' : '[y/N]';
    const said = (await asking.question(`${question}? ${hint} `)).trim().toLowerCase();
    return said === wanted || (wanted === 'y' && said === 'yes');
  } finally {
    asking.close();
  }
}
