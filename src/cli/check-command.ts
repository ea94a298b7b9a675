import type { ClusterScope } from '../collect/cluster/lists.ts';
import type { ClusterPort } from '../collect/cluster/port.ts';
import { checkRights, FIXER, type Right, type RightAnswer, type RightsFound, type Tier } from '../collect/cluster/rights.ts';
import { inertLines } from '../render/inert.ts';
import { EXIT } from './errors.ts';
import type { LiveFlags } from './live-flags.ts';
import { write } from './output.ts';

const TIER_WORDS: Readonly<Record<Tier, string>> = { namespace: 'namespace reader', cluster: 'cluster reader', deep: 'deep' };

/** What may and may not be seen with the credentials at hand; nothing is looked at. */
export async function checkCommand(port: ClusterPort, scope: ClusterScope, flags: LiveFlags): Promise<number> {
  const found = await checkRights(port, scope);
  const text =
    flags.output === 'json'
      ? `${JSON.stringify({ server: port.server, context: port.context, scope, ...found }, null, 2)}\n`
      : table(port, scope, found);
  await write(text);
  return toSee(found.answers).every(({ allowed }) => allowed !== false) ? EXIT.healthy : EXIT.undecided;
}

/** A diagnosis needs no right to change anything, so a missing one is nothing that is wrong. */
function toSee(answers: readonly RightAnswer[]): readonly RightAnswer[] {
  return answers.filter(({ right }) => right.tier !== FIXER);
}

function table(port: ClusterPort, { namespace }: ClusterScope, { answers, tier, how }: RightsFound): string {
  const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
  const rows = toSee(answers).map(({ right, allowed }) => ({
    may: word(allowed),
    what: nameOf(right),
    purpose: right.purpose === right.resource ? '' : right.purpose,
  }));
  const width = Math.max(...rows.map(({ what }) => what.length));
  const lines = [
    `${port.context ?? port.server}, ${where}: ${tier === undefined ? 'less than the namespace reader of deploy/rbac.yaml' : `the rights of the tier "${TIER_WORDS[tier]}" of deploy/rbac.yaml`}`,
    ...(how === 'tried' ? ['The server does not say what is allowed, so lists were tried; the rest is open.'] : []),
    '',
    ...rows.map(({ may, what, purpose }) => `  ${may}  ${what.padEnd(width)}  ${purpose}`.trimEnd()),
    ...missingLines(toSee(answers)),
    fixLine(answers.filter(({ right }) => right.tier === FIXER)),
  ];
  return `${inertLines(lines.join('\n'))}\n`;
}

function word(allowed: boolean | undefined): string {
  return allowed === undefined ? '?  ' : allowed ? 'yes' : 'NO ';
}

function nameOf({ verb, resource, group, only }: Right): string {
  return `${verb} ${resource}${group ? `.${group}` : ''}${only === undefined ? '' : ` in ${only}`}`;
}

function missingLines(answers: readonly RightAnswer[]): string[] {
  const missing = answers.filter(({ allowed }) => allowed === false);
  if (missing.length === 0) return ['', 'Everything podcause may ask for is allowed.'];
  return [
    '',
    `Without ${missing.length === 1 ? 'that' : `those ${missing.length}`} it still works: what it cannot see it says, and asks for.`,
  ];
}

const MOST_NAMED = 6;

function fixLine(answers: readonly RightAnswer[]): string {
  const missing = answers.filter(({ allowed }) => allowed === false).map(({ right }) => nameOf(right));
  const isOpen = answers.some(({ allowed }) => allowed === undefined);
  if (missing.length === 0)
    return isOpen ? 'What podcause fix --apply may do is open.' : 'podcause fix --apply may do all that fixes need.';
  const more = missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '';
  return `podcause fix shows its plan; --apply lacks ${missing.slice(0, MOST_NAMED).join(', ')}${more} (tier "fixer").`;
}
