import type { Patient } from '../fix/judge.ts';
import type { Watched } from '../fix/watch.ts';
import type { FixOutcome } from '../model/plan-view.ts';
import type { Incident } from '../model/report.ts';

interface OutcomeInput {
  readonly id: string;
  readonly incident: Incident;
  readonly watched: Watched;
  readonly steps: FixOutcome['steps'];
}

const SHOWN = 12;

/** Before and after: the pods that were hit, and what the cause says of itself. */
export function outcomeOf({ id, incident, watched, steps }: OutcomeInput): FixOutcome {
  const { judgement, says, quietSeconds, looks } = watched;
  const last = looks.at(-1);
  const first = looks[0];
  const quiet = quietSeconds > 0 ? `; nothing of it for ${quietSeconds} s` : '';
  return {
    version: 1,
    id,
    outcome: judgement,
    says: judgement === 'fixed' ? `${incident.title}: ${says}${quiet}` : says,
    steps,
    changed: [
      {
        what: incident.cause,
        before: incident.confidence,
        after: last?.shows ? 'still shows' : last?.ruledOut === undefined ? 'does not show' : `ruled out: ${last.ruledOut}`,
      },
      ...(last?.pods ?? [])
        .slice(0, SHOWN)
        .map((pod) => ({ what: pod.name, before: stateBefore(pod, incident), after: stateNow(pod, first?.pods ?? []) })),
    ],
    ...(id === '' ? {} : { next: `podcause undo ${id} --apply` }),
  };
}

function stateBefore({ id }: Patient, { victims }: Incident): string {
  const victim = victims.find((one) => one.id === id);
  return victim === undefined ? 'not there' : (victim.detail ?? victim.symptoms.join(', ')) || 'hit';
}

function stateNow({ id, state, restarts }: Patient, first: readonly Patient[]): string {
  const before = first.find((one) => one.id === id)?.restarts ?? restarts;
  const since = restarts - before;
  return `${state}, ${since === 0 ? 'no restart' : `${since} restarts`} since`;
}
