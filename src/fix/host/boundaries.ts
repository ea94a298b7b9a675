import type { HostStep } from './host-step.ts';

/** Every place where a run may be cut off for a test, in the order of a run, then of an undo. */
export function boundariesOf(steps: readonly HostStep[]): readonly string[] {
  const forth = steps.flatMap((step, index) => {
    const n = index + 1;
    return [`${n}.saved`, `${n}.begun`, ...innerPoints(step).map((name) => `${n}.${name}`), `${n}.acted`, `${n}.done`];
  });
  const numbered = steps.map((step, index) => ({ step, n: index + 1 }));
  const inUndoOrder = [
    ...numbered.filter(({ step }) => step.kind !== 'units').reverse(),
    ...numbered.filter(({ step }) => step.kind === 'units'),
  ];
  const back = inUndoOrder.flatMap(({ step, n }) => [
    `undo.${n}.before`,
    ...(step.kind === 'edit' || step.kind === 'remove' ? [`undo.${n}.written`] : []),
    `undo.${n}.done`,
  ]);
  return ['start.locked', 'start.noted', ...forth, 'end.before', 'undo.noted', ...back, 'undo.end'];
}

function innerPoints(step: HostStep): readonly string[] {
  if (step.kind === 'edit' || step.kind === 'create') return ['written'];
  if (step.kind === 'units' && step.action !== 'enable') return ['called'];
  return step.kind === 'kubeadm-renew' ? ['renewed', 'held'] : [];
}
