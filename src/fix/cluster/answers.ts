import type { Answer, Scalar } from '../../model/change.ts';
import { plainLine } from './plain-line.ts';

export type Answered = { readonly ok: true; readonly value: Scalar } | { readonly ok: false; readonly why: string };

const ASK = /^[A-Za-z][A-Za-z0-9_-]{0,60}$/;

/** The value a change wants, from the report or from the user. */
export function answered(value: unknown, answers: ReadonlyMap<string, string>): Answered {
  if (typeof value === 'string' || typeof value === 'boolean') return { ok: true, value };
  if (typeof value === 'number') return Number.isFinite(value) ? { ok: true, value } : { ok: false, why: 'the value is no number' };
  if (!isAnswer(value)) return { ok: false, why: 'the report gives no value that can be used' };
  const given = answers.get(value.ask);
  if (given !== undefined) return { ok: true, value: given };
  return { ok: false, why: `${plainLine(value.says, 300)}: say it with --set ${value.ask}=VALUE` };
}

function isAnswer(value: unknown): value is Answer {
  if (typeof value !== 'object' || value === null || !('ask' in value) || !('says' in value)) return false;
  return typeof value.ask === 'string' && ASK.test(value.ask) && typeof value.says === 'string';
}
