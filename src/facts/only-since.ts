import type { Evidence } from '../model/evidence.ts';
import type { Fact } from '../model/facts.ts';

/** Without what happened before a moment: a fix must not be judged by the trouble that it ended. */
export function onlySince(evidence: Evidence, moment: number): Evidence {
  return later(evidence, moment, (fact) => toldAt(fact) ?? happenedAt(fact));
}

/** Without events and lines of logs from before a moment; how things stand is known whenever it came about. */
export function onlyToldSince(evidence: Evidence, moment: number): Evidence {
  return later(evidence, moment, toldAt);
}

function later(evidence: Evidence, moment: number, timeOf: (fact: Fact) => number | undefined): Evidence {
  return { ...evidence, facts: evidence.facts.filter((fact) => (timeOf(fact) ?? moment) >= moment) };
}

/** When an event or a line of a log was last seen. */
function toldAt(fact: Fact): number | undefined {
  switch (fact.kind) {
    case 'pod.event':
    case 'node.event':
    case 'object.event':
    case 'log.error':
      return fact.when;
    case 'log.signature':
      return fact.last ?? fact.when;
    default:
      return undefined;
  }
}

/** When it happened last; nothing for what is a state and no happening. */
function happenedAt(fact: Fact): number | undefined {
  switch (fact.kind) {
    // Of these only the ones out of logs have a time: what a kubelet or a kernel said once is no state of now.
    case 'container.waiting':
    case 'kernel.denial':
    case 'kernel.oom':
    case 'kubelet.cgroup-driver':
    case 'runtime.cgroup-driver':
    case 'unit.state':
      return fact.when;
    case 'container.terminated':
      return fact.which === 'last' ? fact.finishedAt : undefined;
    default:
      return undefined;
  }
}
