import type { Cause, Fix, Risk } from '../model/cause.ts';
import { type Change, isHostChange } from '../model/change.ts';

const NAME = 60;
const TITLE = 140;
const SAYS = 120;
const SHORTEST_WHY = 40;
const SHORTEST_LITERAL = 8;

/** What every cause keeps, whoever wrote it; empty when it keeps all. */
export function contractProblems(cause: Cause): string[] {
  return [...shape(cause), ...wording(cause), ...fixing(cause), ...slotting(cause)];
}

function shape({ id, clues, wakesOn, explains }: Cause): string[] {
  const all = Object.values(clues);
  const problems: string[] = [];
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(id)) problems.push(`id ${id}: words of small letters, joined by hyphens`);
  if (!all.some(({ role }) => role === 'proves' || role === 'supports'))
    problems.push('no clue proves or supports it: it can never be found');
  if (!wakesOn?.length && !all.some(({ line, role }) => line && role !== 'excludes'))
    problems.push('nothing wakes it: give it wakesOn or a line');
  if (explains.length === 0) problems.push('it explains no symptom');
  for (const literal of all.flatMap(({ line }) => line?.literals ?? [])) {
    if (Buffer.byteLength(literal) < SHORTEST_LITERAL) problems.push(`the literal "${literal}" is shorter than ${SHORTEST_LITERAL} bytes`);
  }
  return problems;
}

function wording({ text, says, clues }: Cause): string[] {
  const problems: string[] = [];
  if (text.name.length > NAME) problems.push(`text.name is longer than ${NAME} characters`);
  if (text.title.length > TITLE) problems.push(`text.title is longer than ${TITLE} characters`);
  if (text.why.length <= SHORTEST_WHY) problems.push('text.why is too short to be believed');
  for (const [clue, words] of Object.entries(says))
    if (words.length > SAYS) problems.push(`says.${clue} is longer than ${SAYS} characters`);
  for (const clue of Object.keys(clues)) if (says[clue] === undefined) problems.push(`says.${clue} is missing`);
  return problems;
}

const RISKS: readonly Risk[] = ['reads-only', 'restarts-pods', 'moves-pods', 'touches-node', 'may-lose-data'];

function fixing({ fixes, verify, clues }: Cause): string[] {
  const problems = fixes.length === 0 ? ['it offers no fix'] : fixes.flatMap(fixProblems);
  for (const fix of fixes) {
    for (const clue of fix.for ?? []) {
      if (clues[clue] === undefined || clues[clue].role === 'excludes')
        problems.push(`the fix "${fix.say}" is for ${clue}, which is no clue that speaks for it`);
    }
  }
  const dangerous = fixes.findIndex(({ risk }) => risk === 'may-lose-data');
  if (dangerous >= 0 && fixes.slice(dangerous).some(({ risk }) => risk !== 'may-lose-data')) {
    problems.push('a fix that may lose data comes before one that does not');
  }
  if (!(verify?.quietForMinutes > 0)) problems.push('verify.quietForMinutes is missing: nobody would know when it is fixed');
  return problems;
}

/** A fix is never words alone: it says what to type, or what podcause itself changes. */
function fixProblems({ say, risk, steps, changes, verified }: Fix): string[] {
  const problems: string[] = [];
  if (say.length <= 5 || steps.length === 0) problems.push(`the fix "${say}" needs a title and steps`);
  if (!RISKS.includes(risk)) problems.push(`the fix "${say}" needs a risk: ${RISKS.join(', ')}`);
  if (changes === undefined && !steps.some(({ run }) => run)) problems.push(`the fix "${say}" is words alone: no step has a command`);
  if (changes !== undefined && !verified)
    problems.push(`the fix "${say}" changes something, but does not say how one knows that it worked`);
  if (changes?.length === 0) problems.push(`the fix "${say}" has an empty list of changes`);
  const needed = RISKS[Math.max(0, ...(changes ?? []).map((change) => RISKS.indexOf(leastRisk(change))))];
  if (needed !== undefined && RISKS.indexOf(risk) < RISKS.indexOf(needed)) problems.push(`the fix "${say}" is at least of risk ${needed}`);
  return problems;
}

function leastRisk(change: Change): Risk {
  if (isHostChange(change)) return 'touches-node';
  if (change.do === 'remove-finalizer') return 'may-lose-data';
  return change.do === 'uncordon' ? 'moves-pods' : 'restarts-pods';
}

/** A text must be readable also when only one of its clues was seen. */
function slotting(cause: Cause): string[] {
  const texts = [
    cause.text.title,
    cause.text.why,
    ...Object.values(cause.says),
    ...cause.fixes.flatMap(({ say, steps }) => [say, ...steps.map((step) => step.say)]),
  ];
  const commands = cause.fixes.flatMap(({ steps, changes }) => [...steps.map(({ run }) => run ?? ''), JSON.stringify(changes ?? [])]);
  const wanted = new Set([...slotsIn(texts, /\{(\w+)\}/g), ...slotsIn(commands, /\{\{(\w+)\}\}/g)]);
  try {
    const slots = cause.slots({ id: 'Node/x', kind: 'Node', name: 'x' }, {});
    return [...wanted].filter((slot) => slots[slot] === undefined).map((slot) => `the slot {${slot}} stays empty when nothing was seen`);
  } catch {
    // A needed clue read without a fallback: then the text is used only when it was seen.
    const needs = Object.values(cause.clues).some(({ role }) => role === 'needs');
    return needs ? [] : ['its slots fail when nothing was seen: every clue but a needed one may be missing'];
  }
}

function slotsIn(texts: readonly string[], slot: RegExp): string[] {
  return texts.flatMap((text) => [...text.matchAll(slot)].map((match) => match[1] ?? ''));
}
