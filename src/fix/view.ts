import type { PlannedStep, PlanView } from '../model/plan-view.ts';
import type { ClusterStep } from './cluster/index.ts';
import { type HostStep, sayStep, sayUndo } from './host/index.ts';
import { type FixPlan, refusalsOf } from './plan.ts';
import { gravest } from './risk.ts';

export interface ViewOptions {
  readonly affected: readonly string[];
  readonly quietMinutes: number;
  readonly next?: string;
  readonly exact?: string;
}

export function viewOf(plan: FixPlan, { affected, quietMinutes, next, exact }: ViewOptions): PlanView {
  const { chosen, hosts, cluster, unread } = plan;
  const steps = [
    ...hosts.flatMap(({ node, steps: own }) => own.map((step) => hostStep(step, node))),
    ...(cluster?.steps ?? []).map(clusterStep),
  ];
  const refused = [...refusalsOf(plan), ...unread.map(({ node, why }) => `${node}: ${why}`)];
  const isWhole = chosen.changes.length > 0 && refused.length === 0;
  const byHand = isWhole ? [] : chosen.fix.steps.map(({ say, command }) => ({ say, ...(command !== undefined ? { command } : {}) }));
  return {
    version: 1,
    id: plan.id,
    title: chosen.fix.title,
    cause: chosen.cause.id,
    place: chosen.incident.place,
    risk: gravest([chosen.risk, ...steps.map(({ risk }) => risk)]),
    steps,
    byHand,
    affected: [...affected, ...(cluster?.affected ?? [])],
    belongs: [
      ...new Set(
        (cluster?.steps ?? []).flatMap(({ owner }) =>
          owner ? [`${owner.what} (${owner.by}): ${REVERTS[owner.reverts]}`, ...owner.belongs] : [],
        ),
      ),
    ],
    warnings: [
      ...hosts.flatMap(({ node, warnings }) => warnings.map((one) => `${node}: ${one}`)),
      ...(cluster?.notes ?? []),
      ...plan.notes,
    ],
    refused,
    verified:
      chosen.fix.verified ?? `${chosen.cause.text.name} is ruled out by new evidence, and nothing of it shows for ${quietMinutes} min`,
    ...(exact !== undefined && unread.length > 0 ? { exact } : {}),
    ...(next !== undefined && isWhole ? { next } : {}),
  };
}

const REVERTS = {
  'at-once': 'a direct change would be taken back at once',
  'within-minutes': 'a direct change would be taken back within minutes',
  'at-next-upgrade': 'a direct change lasts until the next upgrade',
  'at-next-apply': 'a direct change lasts until the next apply',
  'always-refused': 'it cannot be changed through the API',
} as const;

function hostStep(step: HostStep, node: string): PlannedStep {
  const diff = 'diff' in step ? step.diff : [];
  return { where: node, on: 'host', says: sayStep(step), risk: 'touches-node', diff, undo: sayUndo(step), notes: [] };
}

function clusterStep({ object, says, risk, diff, undo, notes, dryRun }: ClusterStep): PlannedStep {
  const where = `${object.kind}/${object.namespace === undefined ? '' : `${object.namespace}/`}${object.name}`;
  const tried = dryRun.outcome === 'accepted' ? [] : [`the server, asked without doing it: ${dryRun.why}`];
  return { where, on: 'cluster', says, risk, diff, undo, notes: [...notes, ...tried] };
}
